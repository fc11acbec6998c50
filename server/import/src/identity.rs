//! Ids for rows that came without one.
//!
//! The id follows from what the row says and from how many rows of the same file said exactly the
//! same before it. So a rerun of a file gives each row the id it had (also after a bad row was
//! mended, lines were appended or moved), and two equal rows in one file stay two reports. A row
//! without any date is an event of the day on which it is imported, and that day counts as said.

use std::collections::HashMap;

use domain::{report::NewReport, report_id::ReportId};
use sha2::{Digest, Sha256};

/// The rows without an id seen so far, by content. Grows by some 30 bytes for each; rows with an id
/// cost nothing.
#[derive(Debug, Default)]
pub(super) struct Identities(HashMap<u64, u32>);

impl Identities {
    /// The id of a row that has none.
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
