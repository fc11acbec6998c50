//! Examples that several operations share.

use serde_json::{Value, json};

/// The counters.
pub fn metrics() -> Value {
    json!({
        "spirit": 120,
        "water": 80,
        "both": 7,
        "total": 207,
        "spiritToday": 3,
        "waterToday": 1,
        "bothToday": 0,
        "totalToday": 4,
        "countries": 31,
        "cities": 96,
        "updatedAt": "2026-03-01T12:00:00.000Z",
    })
}

/// The counters over time.
pub fn series() -> Value {
    let point = |from: &str, to: &str, [spirit, water, both]: [u32; 3]| {
        let total = spirit + water + both;
        json!({
            "from": from, "to": to,
            "spirit": spirit, "water": water, "both": both, "total": total,
        })
    };
    json!({
        "interval": "month",
        "from": "2026-01-01",
        "to": "2026-03-01",
        "points": [
            point("2026-01-01", "2026-01-31", [70, 45, 4]),
            point("2026-02-01", "2026-02-28", [47, 34, 3]),
            point("2026-03-01", "2026-03-01", [3, 1, 0]),
        ],
        "updatedAt": "2026-03-01T12:00:00.000Z",
    })
}

/// A list of reports.
pub fn reports() -> Value {
    json!({
        "reports": [{
            "id": "rep_1f0c",
            "city": "Campinas",
            "country": "Brazil",
            "peopleCount": 12,
            "type": "spirit",
            "createdAt": "2026-03-01T10:00:00.000Z",
        }],
    })
}

/// A report in the form that events contain.
pub fn told_report(status: &str) -> Value {
    json!({
        "id": "r-1",
        "city": "São Paulo",
        "country": "Brazil",
        "peopleCount": 3,
        "type": "spirit",
        "createdAt": "2026-03-01T11:59:00.000Z",
        "status": status,
    })
}

/// A pending report in the form that events contain.
pub fn pending_report() -> Value {
    json!({
        "id": "r-1",
        "city": "São Paulo",
        "region": "SP",
        "country": "Brazil",
        "peopleCount": 3,
        "type": "spirit",
        "eventDate": "2026-02-28",
        "createdAt": "2026-03-01T11:59:00.000Z",
        "status": "PENDING",
    })
}

/// An import of history.
pub fn imported_reports() -> Value {
    json!({
        "reports": 52_000,
        "since": "2016-01-03T09:12:44.000Z",
        "until": "2025-12-30T18:01:09.000Z",
    })
}

/// An endpoint that receives nothing for now.
pub fn stopped_subscription(reason: &str) -> Value {
    json!({
        "subscription": "sub_7hQm2Z",
        "url": "https://partner.example.com/svc",
        "reason": reason,
        "since": "2026-03-01T11:40:00.000Z",
    })
}

/// The start of a stream, as text.
pub fn stream() -> String {
    format!(
        "retry: 4210\nevent: metrics\ndata: {}\n\nevent: reports\ndata: {}\n\n",
        metrics(),
        reports(),
    )
}
