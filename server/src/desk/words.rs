//! Texts of the desk's server side, in the six languages of the desk.

pub(super) mod access;
pub(super) mod audit;
pub(super) mod health;
pub(super) mod problems;
pub(super) mod webhooks;
