//! The pages for people, one file each.

pub mod errors;
pub mod home;
