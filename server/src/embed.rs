//! Everything under `/embed/` except the widgets themselves, which are [pages](crate::pages).

mod accent;
mod badge;
mod feed;
mod globe;

pub use self::{
    accent::get as accent, badge::badge, feed::reports as feed_reports,
    globe::markers as globe_markers,
};
