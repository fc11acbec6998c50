//! Keys of partners.
//!
//! A key is `svc_`, 32 random base62 characters, and a checksum of 6. Only its SHA-256 is stored, so the database
//! reveals no key; people identify a key by its first twelve characters. A node holds all valid keys in memory
//! ([`Keys`]) and polls for changes every second, so checking a key costs no query. For an unknown key the node queries
//! the database once more, because the key may have been created a moment ago: one row, and one query at a time for all
//! waiting requests.

mod api_key;
pub mod issue;
pub mod settings;
mod view;

pub(crate) use self::view::KnownKey;
pub use self::{
    api_key::{ApiKey, PREFIX_LENGTH, prefix_of},
    view::{CallerKey, HeldKey, Holder, Keys, POLL_INTERVAL},
};
