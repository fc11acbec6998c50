//! Database engines: opening and migrating a database, transactions, statements for both engines, and bulk statements.
//! Code for one engine only is in [`sqlite`] and [`postgres`].

pub(super) mod adaptive_batch;
pub(super) mod announcements;
pub(super) mod bulk;
pub(super) mod condition;
pub(super) mod database;
pub(super) mod fault;
pub(super) mod migrate;
pub(super) mod open;
pub(super) mod pair;
pub(super) mod pools;
pub(super) mod postgres;
pub(super) mod retries;
pub(super) mod sql;
pub(super) mod sqlite;
pub(super) mod transaction;
pub(super) mod url;
mod writable;
pub(super) mod writes;
