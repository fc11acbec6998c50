//! The `svc` service. [`router`] is its table of contents, [`cli`] the command line, [`store`] the
//! data.

mod accept;
pub mod answer;
pub mod answers;
pub mod api;
pub mod boundary;
pub mod cli;
pub mod clock;
pub mod config;
pub mod demo;
pub mod docs;
pub mod embed;
pub mod error;
pub mod frame;
pub mod gazetteer;
pub mod import;
pub mod keys;
pub mod limit;
pub mod listener;
pub mod names;
pub mod oembed;
pub mod ops;
pub mod pages;
pub mod places;
pub mod positions;
pub mod random;
pub mod robots;
pub mod router;
pub mod service;
pub mod site;
pub mod sitemap;
pub mod snapshot;
pub mod state;
pub mod store;
pub mod time;
pub mod webhooks;
