//! The pages for people, one file each.

pub mod home;
