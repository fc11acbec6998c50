use axum::{extract::State, response::Response};
use http::HeaderMap;
use serde_json::{Value, json};

use super::openapi::{Operation, parameter, reference};
use crate::{
    answers::snapshot::RECENT,
    api::Parameters,
    http::problem::{Code, Result},
    state::App,
    store::{ALL_TYPES, Filter, ReportsQuery},
};

/// `GET /api/v1/reports`: the newest approved reports.
pub async fn get(
    State(app): State<App>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Result<Response> {
    let query = ReportsQuery {
        types: ALL_TYPES,
        limit: parameters.limit(RECENT)?,
        since: parameters.since()?,
        filter: Filter { period: parameters.period()?, place: parameters.place() },
    };
    if query == ReportsQuery::newest(RECENT) {
        return Ok(app.snapshots.current().snapshot.reports_answer.respond(&headers));
    }
    Ok(app.answers.reports(query).await?.respond(&headers))
}

pub(super) fn described() -> Operation {
    let parameters = [
        vec![parameter::limit(), parameter::since()],
        parameter::period().to_vec(),
        parameter::places().to_vec(),
    ];
    Operation::read("/api/v1/reports", "getReports", "The newest approved reports")
        .about(
            "Newest publication first, then by id. A report is published at or after its \
             `createdAt`, so a client that polls with `since=` the largest `createdAt` it has seen \
             misses nothing, and may see a report again.",
        )
        .parameters(parameters.concat())
        .answers("The reports", reference("ReportList"), Some(example()))
        .problems(&[
            Code::InvalidLimit,
            Code::InvalidSince,
            Code::InvalidPeriod,
            Code::InvalidParameter,
        ])
}

pub(super) fn example() -> Value {
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
