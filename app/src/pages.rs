//! The HTML pages, one file each.

pub mod docs;
mod figure;
mod highlight;
pub mod home;
pub mod mark;
pub(crate) mod not_found;
