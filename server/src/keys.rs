//! Keys of partners.
//!
//! A key is `svc_`, 32 random base62 characters, and 6 of a checksum. Only its SHA-256 is stored, so
//! the database gives none away; its first twelve characters name it to people. A node holds all
//! keys that are in force in memory ([`Keys`]) and looks for changes every second, so that checking
//! a key costs no query. For an unknown one it looks once more, since it may have been made a moment
//! ago: one row, by one look at a time, however many ask.

mod api_key;
pub mod issue;
mod view;

pub use self::{
    api_key::{ApiKey, PREFIX_LENGTH, prefix_of},
    view::{Key, Keys, LOOK_EVERY},
};
