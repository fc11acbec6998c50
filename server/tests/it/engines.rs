//! Tests that `make test` runs on SQLite and on PostgreSQL, because the engines can differ: in their SQL, locks, isolation,
//! sort order, and in how one process learns of another's changes.
//!
//! They cover the store itself, what it keeps of webhooks and their secrets, lists that are filtered or read in pages, and
//! a few stories for each way in (API, command line, operators, desk). HTTP, problems, parameters, formats, messages and
//! pages are the same code above the store, so their tests run once. `make test-long` runs everything on both.

mod api;
mod cli;
mod desk;
mod generated;
mod operator;
mod secrets;
mod store;
mod webhooks;
