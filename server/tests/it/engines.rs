//! Tests that `make test` runs on SQLite and on PostgreSQL, because the engines can differ in SQL, locks, isolation,
//! sort order, and in how a process detects changes made by another.
//!
//! The tests cover the store, its webhooks and their secrets, filtered and paginated lists, and a few stories for each
//! interface (API, command line, operator API, desk, portal). HTTP, problems, parameters, formats, messages and pages are the
//! same code above the store, so their tests run once. `make test-long` runs everything on both.

pub(crate) mod api;
mod cli;
mod desk;
mod generated;
pub(crate) mod mail;
mod notices_by_mail;
mod operator;
mod partners;
mod secrets;
mod store;
mod webhooks;
