//! Reports: importing, selecting, listing, and deciding on them.
//!
//! A decision applies one [`Step`](domain::report::Step) to reports that are given by id or
//! selected. All four steps are implemented in [`decide`].

pub(super) mod correct;
pub(super) mod decide;
pub(super) mod duplicates;
pub(super) mod import;
pub(super) mod import_layouts;
pub(super) mod import_mode;
pub(super) mod imports;
pub(super) mod list;
pub(super) mod publication;
pub(super) mod recent;
pub(super) mod relocate;
pub(super) mod report;
pub(super) mod select;
pub(super) mod transition;
pub(super) mod undo;
