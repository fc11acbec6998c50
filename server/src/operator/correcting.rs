//! Correcting a report, for programs and for people.

use base::{clock::Clock, time::format_instant};
use domain::report::NewReport;
use import::{self, Refusal};
use serde_json::{Map, Value, json};
use store::{self, Corrected, Store};

/// Corrects the report with this id. `changes` has the members of a row of an import that change; the result has to
/// be one that an import would accept.
///
/// # Errors
/// The store's.
pub(crate) async fn correct(
    store: &Store,
    id: &str,
    changes: &Map<String, Value>,
    clock: &Clock,
) -> store::Result<Corrected<Vec<Refusal>>> {
    let corrected = |report: &NewReport| {
        let mut row = as_row(report);
        row.extend(changes.clone());
        import::one(&row, clock.clone())
    };
    store.reports().correct(id, corrected).await
}

/// A report as a row of an import. Its id is not checked again, because it does not change: older releases accepted
/// more.
fn as_row(report: &NewReport) -> Map<String, Value> {
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
