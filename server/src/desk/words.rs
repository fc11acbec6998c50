//! Texts of the desk's server side: results, problems, and entries of the audit log.

pub(super) mod access;
pub(super) mod audit;
pub(super) mod deciding;
pub(super) mod duplicates;
pub(super) mod health;
pub(super) mod problems;
pub(super) mod views;
pub(super) mod webhooks;
