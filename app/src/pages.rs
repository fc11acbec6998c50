//! The pages for people, one file each.

pub mod docs;
pub mod home;
