//! Examples for the API document.

use serde_json::{Value, json};

/// A report.
pub(super) fn report() -> Value {
    json!({
        "id": "rep_1f0c",
        "type": "spirit",
        "status": "APPROVED",
        "city": "Campinas",
        "region": "S\u{e3}o Paulo",
        "country": "Brazil",
        "peopleCount": 12,
        "eventDate": "2026-02-28",
        "createdAt": "2026-03-01T11:58:12.000Z",
        "publishedAt": "2026-03-01T12:00:00.000Z",
        "position": { "lat": -22.91, "lng": -47.06 },
    })
}

/// A report with its history.
pub(in crate::operator::v1) fn with_history() -> Value {
    let mut report = report();
    report["import"] = "imp_1m8230hv5".into();
    report["history"] = json!([{
        "at": "2026-03-01T12:00:00.000Z",
        "actor": "Maria",
        "key": "svc_4fT0aQx9",
        "origin": "192.0.2.7",
        "action": "reports.approve",
        "subject": "rep_1f0c",
        "before": { "status": "PENDING" },
        "after": { "status": "APPROVED" },
    }]);
    report
}
