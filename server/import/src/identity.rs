//! Ids for rows without one.
//!
//! The id is derived from the content of the row, and from the number of earlier rows in the file with exactly the same
//! content. So importing a file again gives each row the same id as before (even after a bad row was fixed, or lines
//! were appended or moved), and two equal rows in one file remain two reports. A row without any date gets the day of
//! the import, which counts as part of its content.

use std::collections::HashMap;

use domain::{report::NewReport, report_id::ReportId};
use sha2::{Digest, Sha256};

/// Rows without an id so far, by content. Takes some 30 bytes for each; rows with an id cost nothing.
#[derive(Debug, Default)]
pub(super) struct Identities(HashMap<u64, u32>);

impl Identities {
    /// Returns the id of a row without one.
    pub(super) fn of(&mut self, report: &NewReport) -> ReportId {
        let content = content(report);
        let [a, b, c, d, e, f, g, h, ..] = content;
        let seen = self.0.entry(u64::from_be_bytes([a, b, c, d, e, f, g, h])).or_default();
        let mut hash = Sha256::new_with_prefix(content);
        hash.update(seen.to_be_bytes());
        *seen += 1;
        ReportId::stored(format!("rep_{}", hex::encode(&hash.finalize()[..12])))
    }
}

fn content(report: &NewReport) -> [u8; 32] {
    let mut hash = Sha256::new();
    for text in [report.kind.as_str(), &report.city, &report.region, &report.country] {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    hash.update(report.people_count.to_be_bytes());
    if report.event_date_given || !report.created_at_given {
        hash.update(report.event_date.to_string());
    }
    if report.created_at_given {
        hash.update(report.created_at.timestamp_millis().to_be_bytes());
    }
    if let Some((lat, lng)) = report.position {
        hash.update(lat.to_be_bytes());
        hash.update(lng.to_be_bytes());
    }
    hash.finalize().into()
}
