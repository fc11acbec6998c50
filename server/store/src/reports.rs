//! Reports: importing, selecting, listing, and deciding on them.
//!
//! A decision applies one [`Step`](domain::report::Step) to reports that are given by id or
//! selected. All steps are implemented in [`decide`].

pub(super) mod approved;
pub(super) mod correct;
pub(super) mod correct_many;
pub(super) mod decide;
pub(super) mod duplicates;
pub(super) mod export;
pub(super) mod facets;
pub(super) mod import;
pub(super) mod import_layouts;
pub(super) mod import_mode;
pub(super) mod imports;
pub(super) mod list;
mod name_match;
pub(super) mod one;
pub(super) mod page;
pub(super) mod publication;
pub(super) mod recent;
pub(super) mod relocate;
pub(super) mod report;
pub(super) mod select;
pub(super) mod selection;
pub(super) mod sources;
pub(super) mod submissions;
pub(super) mod transition;
pub(super) mod undo;
pub(super) mod walk;
