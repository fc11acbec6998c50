//! The HTML pages, one file each.

pub(crate) mod data;
pub mod docs;
mod figure;
mod highlight;
pub mod home;
mod in_language;
pub mod mark;
pub mod misspelt;
pub(crate) mod not_found;
