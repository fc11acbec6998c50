use super::{
    model::Position,
    words::{list::MAP, with},
};
#[cfg(feature = "ssr")]
use app::land;
use js_sys::JSON;
use leptos::prelude::*;

/// Distance in degrees from the centre of a map to its sides, and to its upper and lower edge.
const REACH: (f64, f64) = (40.0, 24.0);

/// The land, defined once per document for use in maps. One unit is one degree; the North Pole is
/// at −90.
#[cfg(feature = "ssr")]
#[component]
pub(super) fn Land() -> impl IntoView {
    let dots = dots(land::coarse_points());
    let symbol = format!(r#"<symbol id="land" overflow="visible"><path d="{dots}"/></symbol>"#);
    view! { <svg class="glyphs" aria-hidden="true" inner_html=symbol></svg> }
}

/// A path with a dot at each of these points. Steps along a latitude are repetitive, so they are a
/// quarter of the size of positions after compression.
#[cfg(feature = "ssr")]
fn dots(points: impl Iterator<Item = (f32, f32)>) -> String {
    let mut path = String::new();
    let mut before = None;
    for (lat, lng) in points {
        let (x, y) = (lng.round(), (-lat).round());
        path += &match before {
            Some((last, same)) if same == y => format!("m{} 0h0", x - last),
            _ => format!("M{x} {y}h0"),
        };
        before = Some((x, y));
    }
    path
}

/// Map of a position.
#[component]
pub(super) fn Map(position: Position) -> impl IntoView {
    let Position { lat, lng } = position;
    let (across, down) = REACH;
    // Maps end at the poles.
    let top = (-lat - down).clamp(-90.0, 90.0 - 2.0 * down);
    let view_box = [lng - across, top, 2.0 * across, 2.0 * down].map(degrees).join(" ");
    let label = with(MAP, &[("lat", &degrees(lat)), ("lng", &degrees(lng))]);
    // Copies on both sides, for positions near the antimeridian.
    let worlds = ["-360", "0", "360"].map(|x| view! { <use href="#land" x=x /> });
    view! {
        <svg class="map" viewBox=view_box role="img" aria-label=label>
            {worlds}
            <circle cx=degrees(lng) cy=degrees(-lat) r="2" />
        </svg>
    }
}

/// A number with up to three decimals.
fn degrees(value: f64) -> String {
    number((value * 1e3).round() / 1e3)
}

/// A number in full. The browser formats its own, because the standard library's formatting would
/// add kilobytes of wasm.
pub(crate) fn number(value: f64) -> String {
    match cfg!(feature = "ssr") {
        true => value.to_string(),
        false => JSON::stringify(&value.into()).map(String::from).unwrap_or_default(),
    }
}

/// The number in a text. The standard library's parsing would add kilobytes, too.
pub(crate) fn degrees_in(text: &str) -> Option<f64> {
    match cfg!(feature = "ssr") {
        true => text.trim().parse().ok(),
        false => JSON::parse(text).ok()?.as_f64(),
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn dots_are_steps_along_their_latitude() {
        let points = [(-10.5, 20.0), (-10.5, 22.4), (-10.5, 24.6), (-8.5, 20.0), (0.0, 20.0)];
        assert_eq!(dots(points.into_iter()), "M20 11h0m2 0h0m3 0h0M20 9h0M20 -0h0");
    }
}
