//! The globe widget: where the reports are, alive.
//!
//! The server draws the globe as SVG, turned to where the newest report is, and writes the list of
//! places and every text beside it. The island draws the same globe anew with WebGL 2, on a canvas
//! that lies exactly over the SVG, and makes it turn. Without WebGL the drawing stays, and the
//! island keeps the numbers alive all the same.
//!
//! In the browser: `browser` is the widget in its page, with a file each for when it draws
//! (`pictures`, `watch`), what the visitor does (`moves`), what the stream tells (`news`) and the
//! markers that it fetches; `hands` hears what is done to the canvas; `camera` is where one looks
//! from and how that moves; `painter` draws it; `places` are the markers, shown as `clusters` where
//! they are close together, and `card` tells about one; `lines` are the coasts and borders that
//! appear from near by.

#[cfg(feature = "hydrate")]
mod browser;
#[cfg(any(feature = "hydrate", test))]
mod camera;
#[cfg(feature = "hydrate")]
mod card;
#[cfg_attr(
    not(feature = "hydrate"),
    allow(
        dead_code,
        reason = "the server draws what is seen at zoom 1, and nobody clicks on that"
    )
)]
mod clusters;
mod counts;
#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
mod drawing;
#[cfg(feature = "hydrate")]
mod hands;
#[cfg(any(feature = "hydrate", test))]
mod lines;
#[cfg(feature = "hydrate")]
mod painter;
#[cfg(any(feature = "hydrate", test))]
mod places;
#[cfg(not(feature = "hydrate"))]
mod server;
mod sphere;

#[cfg(feature = "hydrate")]
use browser as platform;
#[cfg(not(feature = "hydrate"))]
use server as platform;

#[cfg(feature = "ssr")]
pub use document::page;
use leptos::prelude::*;

/// The island: keeps the globe of its page alive.
#[island(lazy)]
pub fn GlobeKeeper() -> impl IntoView {
    platform::keep();
}

/// From the middle of the picture to its nearer edge, in radii of the globe: room for its rim and
/// for what stands out at it.
const REACH: f32 = 1.12;

/// Where the words of this widget stand in its list.
mod word {
    // After those of the pulse.
    pub(super) const REPORT: usize = 2;
    #[cfg(feature = "hydrate")]
    pub(super) const NEW_REPORT: usize = REPORT + crate::lang::FORMS;
}
