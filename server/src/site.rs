//! Everything for people and browsers: pages and widgets, pictures, files, and what crawlers and
//! editors read.

pub mod assets;
pub mod docs;
pub mod embed;
pub mod oembed;
pub mod pages;
pub mod pictures;
pub mod robots;
pub mod sitemap;
pub mod social;
pub mod visitors;
