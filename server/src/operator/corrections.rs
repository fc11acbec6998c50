//! Correction of a report, for the API and the desk.

use base::{clock::Clock, time::format_instant};
use domain::report::NewReport;
use import::{self, Refusal};
use serde_json::{Map, Value, json};
use store::{self, Corrected, Store};

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
    let corrected = |report: &NewReport| {
        let mut row = as_row(report);
        row.extend(changes.clone());
        import::one(&row, clock.clone())
    };
    store.reports().correct(id, corrected).await
}

/// Converts a report to a row of an import. The id is not checked again, because it does not change, and older releases
/// accepted more ids.
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
