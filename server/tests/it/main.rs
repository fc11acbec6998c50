//! All integration tests, in one binary: one link instead of many.

mod api;
mod cli;
mod harness;
mod store;
