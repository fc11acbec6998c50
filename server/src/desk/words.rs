//! Texts of the desk that depend on the store: results, and entries of the audit log.

pub(super) mod deciding;
pub(super) mod duplicates;
pub(super) mod views;
