#[cfg(feature = "ssr")]
use app::land;
use leptos::prelude::*;

/// Distance in degrees from the centre of a map to its sides, and to its upper and lower edge.
const REACH: (f64, f64) = (40.0, 24.0);

/// The land, defined once per document for use in maps. One unit is one degree; the North Pole is
/// at −90.
#[cfg(feature = "ssr")]
#[component]
pub(super) fn Land() -> impl IntoView {
    let dots: String = land::coarse_points()
        .map(|(lat, lng)| format!("M{:.0} {:.0}h0", lng.round(), -lat.round()))
        .collect();
    let symbol = format!(r#"<symbol id="land" overflow="visible"><path d="{dots}"/></symbol>"#);
    view! { <svg class="glyphs" aria-hidden="true" inner_html=symbol></svg> }
}

/// Map of a position, in degrees.
#[component]
pub(super) fn Map(lat: f64, lng: f64) -> impl IntoView {
    let (across, down) = REACH;
    // Maps end at the poles.
    let top = (-lat - down).clamp(-90.0, 90.0 - 2.0 * down);
    let view_box = format!("{} {} {} {}", lng - across, top, 2.0 * across, 2.0 * down);
    let label = format!("Map: {lat:.3}, {lng:.3}");
    // Copies on both sides, for positions near the antimeridian.
    let worlds = [-360, 0, 360].map(|x| view! { <use href="#land" x=x.to_string() /> });
    view! {
        <svg class="map" viewBox=view_box role="img" aria-label=label>
            {worlds}
            <circle cx=lng.to_string() cy=(-lat).to_string() r="2" />
        </svg>
    }
}
