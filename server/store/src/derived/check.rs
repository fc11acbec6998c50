//! Comparing everything that is derived with the reports.

use std::fmt;

use super::kind::check_all;
use crate::{
    Store,
    engine::{sql::Connection, sqlite::backup::integrity},
    error::Result,
};

/// Number of differences that are kept: the others are only counted.
const KEPT: usize = 1_000;

/// Something stored that does not agree with the reports.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The place by name, or what else is concerned.
    pub subject: String,
    /// The year, month or day, or `all time`.
    pub bucket: String,
    pub stored: String,
    pub recounted: String,
}

impl Difference {
    pub(crate) fn new(
        subject: impl Into<String>,
        bucket: impl Into<String>,
        stored: impl Into<String>,
        recounted: impl Into<String>,
    ) -> Self {
        Self {
            subject: subject.into(),
            bucket: bucket.into(),
            stored: stored.into(),
            recounted: recounted.into(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, bucket, stored, recounted } = self;
        write!(f, "{subject}, {bucket}: stored {stored}, recounted {recounted}")
    }
}

/// Result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Checked {
    /// The first of the differences.
    pub differences: Vec<Difference>,
    /// Number of the others.
    pub more: u64,
    /// Whether the file itself is damaged, which nothing but a backup can repair.
    #[serde(skip)]
    pub is_file_damaged: bool,
}

impl Checked {
    /// Number of differences.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.differences.len() as u64 + self.more
    }

    pub(super) fn push(&mut self, difference: impl FnOnce() -> Difference) {
        if self.differences.len() < KEPT {
            self.differences.push(difference());
        } else {
            self.more += 1;
        }
    }
}

impl Store {
    /// Compares places, counts, sets of cities, lists and what is to be delivered with the reports, in
    /// one consistent read, and asks the engine whether its file is sound. Reads every report; memory
    /// grows by some bytes for each, and by the number of places.
    pub async fn check(&self) -> Result<Checked> {
        self.read(|tx| Box::pin(check(tx))).await
    }
}

/// Makes the same comparison in a transaction that may be writing.
pub(crate) async fn check(tx: &mut Connection) -> Result<Checked> {
    let mut checked = Checked::default();
    let faults = match tx {
        Connection::Sqlite(tx) => integrity(tx).await?,
        // Its pages have checksums of their own, if the server was set up with them.
        Connection::Postgres(_) => Vec::new(),
    };
    for fault in faults {
        checked.is_file_damaged = true;
        checked.push(|| Difference::new("the file", "all time", fault, "a sound database"));
    }
    check_all(tx, &mut checked).await?;
    Ok(checked)
}
