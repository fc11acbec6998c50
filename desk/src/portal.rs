//! The partners' portal, `/partners`: a partner's use of the service, its webhook subscriptions with their deliveries, and
//! the log of events.
//!
//! All pages are complete from the server, which loads the data of a page before it renders it, and all changes are
//! plain forms. There is no wasm: `public/partners.js` reads the page again from time to time and replaces the parts
//! that are marked as [`live`].

mod address;
pub mod deliveries;
pub mod form;
mod layout;
mod live;
pub mod log;
pub mod overview;
mod receiver;
mod sign_in;
pub mod subscription;
mod unwanted;
pub mod usage;

pub use self::{
    layout::{Frame, nothing_here},
    overview::overview,
    sign_in::sign_in,
    subscription::subscription,
    unwanted::unwanted_mails,
};

/// Path to which the form for the language is sent.
pub const LANGUAGE: &str = "/partners/language";
