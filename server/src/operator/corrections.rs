//! Correction of reports, for the API and the desk.

use base::{clock::Clock, time::format_instant};
use domain::report::NewReport;
use import::{self, Refusal};
use serde_json::{Map, Value, json};
use store::{self, Corrected, Store};

/// Changes of a report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Changed members in the form of an import's row.
    pub members: Map<String, Value>,
    /// Year that replaces the year of the event date.
    pub year: Option<String>,
}

impl Changes {
    /// Returns the corrected report, which must be one that an import would accept.
    pub(crate) fn of(&self, report: &NewReport, clock: &Clock) -> Result<NewReport, Vec<Refusal>> {
        self.of_row(as_row(report), clock)
    }

    /// Like [`Self::of`], for a report as the row of an import.
    pub(crate) fn of_row(
        &self,
        mut row: Map<String, Value>,
        clock: &Clock,
    ) -> Result<NewReport, Vec<Refusal>> {
        if let Some(year) = &self.year
            && let Some(date) = row.get_mut("eventDate")
            && let Some(rest) = date.as_str().and_then(|date| date.get(4..))
        {
            *date = Value::String(format!("{year:0>4}{rest}"));
        }
        row.extend(self.members.clone());
        import::one(&row, clock.clone())
    }
}

/// Corrects the report with this id. `changes` has the changed members in the form of an import's row; the result must
/// be a report that an import would accept.
///
/// # Errors
/// Errors of the store.
pub(crate) async fn correct(
    store: &Store,
    id: &str,
    changes: &Map<String, Value>,
    clock: &Clock,
) -> store::Result<Corrected<Vec<Refusal>>> {
    let changes = Changes { members: changes.clone(), year: None };
    store.reports().correct(id, |report| changes.of(report, clock)).await
}

/// Converts a report to a row of an import. The id is not checked again, because it does not change, and older releases
/// accepted more ids.
pub(crate) fn as_row(report: &NewReport) -> Map<String, Value> {
    let row = json!({
        "type": report.kind.as_str(),
        "city": report.city,
        "region": report.region,
        "country": report.country,
        "peopleCount": report.people_count,
        "eventDate": report.event_date.to_string(),
        "createdAt": format_instant(report.created_at),
        "lat": report.position.map(|(lat, _)| lat),
        "lng": report.position.map(|(_, lng)| lng),
    });
    match row {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
