//! Reports: importing, publishing, rejecting, withdrawing and listing them.

pub(super) mod audit;
mod calendar;
pub(super) mod import;
pub(super) mod list;
pub(super) mod order;
pub(super) mod postings;
pub(super) mod publication;
mod publish;
pub(super) mod recent;
mod reject;
pub(super) mod relist;
pub(super) mod report;
mod search;
pub(super) mod segments;
pub(super) mod transition;
mod withdraw;
