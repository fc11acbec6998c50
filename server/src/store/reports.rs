//! Reports: importing, publishing, rejecting, withdrawing and listing them.

pub(super) mod import;
pub(super) mod list;
pub(super) mod order;
pub(super) mod publication;
mod publish;
pub(super) mod recent;
mod reject;
pub(super) mod report;
pub(super) mod transition;
mod withdraw;
