//! Reports: importing, selecting, listing, and deciding on them.
//!
//! A decision is one [`Step`](crate::domain::report::Step) for reports that are named or selected:
//! [`decide`] is the path of all four.

pub(super) mod batches;
mod decide;
pub(super) mod import;
pub(super) mod imports;
pub(super) mod list;
pub(super) mod publication;
mod publish;
pub(super) mod recent;
mod reject;
mod reopen;
pub(super) mod report;
pub(super) mod select;
pub(super) mod transition;
mod withdraw;
