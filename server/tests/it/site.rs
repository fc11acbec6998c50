//! The pages for people and what belongs to them, over real HTTP.

mod crawlers;
mod docs;
mod fences;
mod home;
mod loader;
mod not_found;
mod oembed;
mod pictures;
