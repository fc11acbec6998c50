//! Suggestions for the field of the city, from the service's gazetteer.

use js_sys::encode_uri_component;
use kit::{
    dom::use_listener,
    json::{each, text},
    refresh::{fetch, use_refresh},
};
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement, HtmlInputElement};

/// Minimum time between two requests, in milliseconds.
const REST: i32 = 300;

/// Suggests cities while the visitor types, and fills in the country of a suggestion that only one country has. Browser
/// only: call it in an effect.
pub(super) fn use_places(form: &HtmlFormElement) {
    let input = |name: &str| {
        let input = form.query_selector(&["[name=", name, "]"].concat()).ok().flatten();
        input.map(|input| input.unchecked_into::<HtmlInputElement>())
    };
    let (Some(city), Some(country)) = (input("city"), input("country")) else { return };
    let list = form.query_selector("datalist").ok().flatten();
    let Some(list) = list else { return };
    let (typed, there) = (city.clone(), country.clone());
    let refresh = use_refresh(REST, None, move || {
        let (city, country) = (String::from(encode_uri_component(&typed.value())), there.value());
        let country = String::from(encode_uri_component(&country));
        let address = ["report/places?city=", &*city, "&country=", &*country].concat();
        let list = list.clone();
        Box::pin(async move {
            let Some(places) = fetch(&address, "json").await else { return };
            list.set_text_content(None);
            each(&places, &mut |place| {
                let Ok(option) = document().create_element("option") else { return };
                _ = option.set_attribute("value", &text(place, "city"));
                _ = option.set_attribute("data-country", &text(place, "country"));
                option.set_text_content(Some(&text(place, "label")));
                _ = list.append_child(&option);
            });
        })
    });
    let shown = city.clone();
    use_listener(&city, "input", move |event| {
        let how = text(&event, "inputType");
        // A choice is an event without a type, or a replacement, depending on the browser.
        match &*how {
            "" | "insertReplacementText" => fill_in(&shown, &country),
            _ => refresh.request(),
        }
    });
}

/// Fills in the country of the chosen city, if it is empty, and only one suggestion has this name.
fn fill_in(city: &HtmlInputElement, country: &HtmlInputElement) {
    let Ok(options) = document().query_selector_all("datalist option") else { return };
    let mut found = None;
    for place in (0..options.length()).filter_map(|index| options.item(index)) {
        let place = place.unchecked_into::<Element>();
        if place.get_attribute("value").as_deref() == Some(&*city.value()) {
            if found.is_some() {
                return;
            }
            found = place.get_attribute("data-country");
        }
    }
    if let Some(found) = found.filter(|_| country.value().is_empty()) {
        country.set_value(&found);
    }
}
