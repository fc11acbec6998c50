//! Reports: importing, selecting, listing, and deciding on them.
//!
//! A decision is one [`Step`](crate::domain::report::Step) for reports that are named or selected:
//! [`decide`] is the path of all four.

pub(super) mod audit;
pub(super) mod batches;
mod calendar;
mod decide;
pub(super) mod import;
pub(super) mod imports;
pub(super) mod list;
pub(super) mod order;
pub(super) mod postings;
pub(super) mod publication;
mod publish;
pub(super) mod recent;
mod reject;
pub(super) mod relist;
mod reopen;
pub(super) mod report;
mod search;
pub(super) mod segment_cache;
pub(super) mod segments;
pub(super) mod select;
pub(super) mod transition;
mod withdraw;
