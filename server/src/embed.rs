//! Everything under `/embed/` except the widgets themselves, which are [pages](crate::pages).

mod accent;
mod feed;
mod globe;
mod picture;

pub use self::{
    accent::get as accent,
    feed::reports as feed_reports,
    globe::markers as globe_markers,
    picture::{POLICY as PICTURE_POLICY, is_at as is_picture, routes as pictures},
};
