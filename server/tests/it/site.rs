//! Pages for people and their assets, over real HTTP.

mod below_a_path;
mod brand;
mod content_security_policy;
mod crawlers;
mod docs;
mod forwarded;
mod home;
mod loader;
mod not_found;
mod oembed;
mod pictures;
mod slashes;
mod uncached;
