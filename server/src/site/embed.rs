//! Everything under `/embed/` except the widgets themselves, which are [pages](crate::site::pages).

mod accent;
mod colours;
mod globe;
mod live;
mod picture;
mod places;
mod trend;

pub(crate) use self::places::get as report_places;
pub use self::{
    accent::get as accent,
    colours::get as colours,
    globe::markers as globe_markers,
    live::live,
    picture::{POLICY as PICTURE_POLICY, is_at as is_picture, routes as pictures},
    trend::series as trend_series,
};

use super::{assets::IMMUTABLE, embeddable};
use axum::{http::HeaderMap, response::Response};
use edge::representation::Representation;

/// Response with a style sheet that can be cached forever, because its URL determines its contents.
fn style_sheet(css: String, headers: &HeaderMap) -> Response {
    let style = Representation::new(css, "text/css; charset=utf-8");
    embeddable(style.cache_control(IMMUTABLE).respond(headers))
}
