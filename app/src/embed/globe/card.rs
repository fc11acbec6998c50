use super::{clusters::Site, word};
use crate::{
    embed::{dom, first::field},
    number::{localised, plain},
    words::Words,
};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// How near to the edge of the stage a text may come, in pixels.
const MARGIN: f32 = 8.0;

/// The two texts over the globe: the card of the place that was chosen, and the name of the place
/// that a new report is from.
pub(super) struct Card {
    card: HtmlElement,
    arrival: HtmlElement,
}

impl Card {
    pub(super) fn find() -> Option<Self> {
        let find = |selector: &str| dom::find(selector)?.dyn_into::<HtmlElement>().ok();
        Some(Self { card: find(".card > div")?, arrival: find(".arrival")? })
    }

    /// Shows a place: city and country, and how many of each type.
    pub(super) fn tell(&self, (city, country): &(String, String), site: Site, words: &Words) {
        let total = site.counts.total();
        self.write("b", city);
        // Each on its own: in a text from right to left, names and numbers would change places.
        self.write("bdi", country);
        self.write("bdi + bdi", &words.counted(word::REPORT, total));
        for (kind, count) in ["spirit", "water", "both"].into_iter().zip(site.counts.0) {
            self.write(&(".".to_owned() + kind + " b"), &localised(count, words.lang));
            self.show(&(".".to_owned() + kind), count > 0);
        }
        self.show("small", site.rough);
        self.card.set_hidden(false);
    }

    pub(super) fn hide(&self) {
        self.card.set_hidden(true);
    }

    pub(super) fn name_arrival(&self, place: Option<&str>) {
        self.arrival.set_text_content(place);
        self.arrival.set_hidden(place.is_none());
    }

    /// Puts the card over the place at these pixels, which takes so many around it.
    pub(super) fn place_card(&self, at: (f32, f32), around: f32, size: (f32, f32)) {
        put(&self.card, at, around, size);
    }

    pub(super) fn place_arrival(&self, at: (f32, f32), around: f32, size: (f32, f32)) {
        put(&self.arrival, at, around, size);
    }

    fn write(&self, selector: &str, text: &str) {
        _ = dom::write(&self.card, selector, text);
    }

    fn show(&self, selector: &str, shown: bool) {
        if let Ok(Some(part)) = self.card.query_selector(selector) {
            _ = part.toggle_attribute_with_force("hidden", !shown);
        }
    }
}

/// Puts a text above a place, or below where there is no room, and keeps it on the stage.
fn put(text: &HtmlElement, (x, y): (f32, f32), around: f32, (width, height): (f32, f32)) {
    let side = |name: &str| field(text, name).as_f64().unwrap_or_default() as f32;
    let (wide, high) = (side("offsetWidth"), side("offsetHeight"));
    let keep = |start: f32, length: f32, room: f32| start.min(room - length - MARGIN).max(MARGIN);
    let above = y - around - high - 6.0;
    let top = if above < MARGIN { y + around + 6.0 } else { above };
    let pixels = |place: f32| plain(place as u64) + "px";
    let left = pixels(keep(x - wide / 2.0, wide, width));
    let top = pixels(keep(top, high, height));
    let transform = "translate(".to_owned() + &left + "," + &top + ")";
    _ = text.style().set_property("transform", &transform);
}
