//! The HTML pages, one file each.

pub mod docs;
mod figure;
pub mod home;
pub mod mark;
pub(crate) mod not_found;
