//! Progress of work that takes long: rebuilds and copies.

use std::fmt;

use indicatif::HumanCount;

/// Work that is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage<'a> {
    /// Another rebuild is at work.
    Waiting,
    /// Reading the reports.
    Reading,
    /// Counting them, and correcting counts and sets of cities.
    Counting,
    /// Comparing segments of the lists with them, and listing reports again.
    Listing,
    /// Moving reports to the places that they name.
    Moving,
    /// Reading and writing rows of this table.
    Copying(&'a str),
    /// Reading this table of the copy again.
    Verifying(&'a str),
    /// Recounting what follows from the reports of the copy.
    Recounting,
}

/// Part of the work that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    pub stage: Stage<'a>,
    /// Reports, segments, or rows of all tables.
    pub done: u64,
    pub of: u64,
}

/// Receiver of progress.
pub(crate) type Watcher<'w> = &'w (dyn Fn(Progress<'_>) + Send + Sync);

impl fmt::Display for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, done, of } = self;
        match stage {
            Stage::Waiting => f.write_str("waiting for another process that is doing it"),
            Stage::Reading => write!(f, "{done} of {of} reports read"),
            Stage::Counting => write!(f, "{done} of {of} reports counted"),
            Stage::Listing => write!(f, "{done} of {of} segments of the lists compared"),
            Stage::Moving => write!(f, "{done} of {of} reports moved"),
            Stage::Copying(table) => {
                let (done, of) = (HumanCount(*done), HumanCount(*of));
                write!(f, "{done} of {of} rows copied ({table})")
            }
            Stage::Verifying(table) => {
                let (done, of) = (HumanCount(*done), HumanCount(*of));
                write!(f, "{done} of {of} rows verified ({table})")
            }
            Stage::Recounting => f.write_str("comparing counts and lists with the reports"),
        }
    }
}
