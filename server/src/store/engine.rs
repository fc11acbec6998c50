//! The engine: opening and migrating a database, transactions, bulk statements, backups. Code that is
//! specific to SQLite belongs here.

mod access;
pub(super) mod backup;
pub(super) mod bulk;
mod checkpoint;
pub(super) mod fault;
mod identity;
mod in_use;
pub(super) mod migrate;
pub(super) mod open;
pub(super) mod pace;
mod partial;
pub(super) mod restore;
pub(super) mod transaction;
pub(super) mod url;
mod writable;
