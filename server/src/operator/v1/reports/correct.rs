use axum::{
    Json,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use base::clock::Clock;
use domain::scope::Scope;
use http::StatusCode;
use import::Refusal;
use serde_json::json;
use store::{Corrected, Store};

use super::{ID, examples, one::shown};
use crate::{
    api::{
        body::{self, Member},
        unstored,
    },
    openapi::{Operation, reference},
    operator::{access::Moderator, correcting, segment::Segment, v1::openapi::REPORTS},
    problem::{Problem, Result, quoted},
};

/// What can be corrected.
const MEMBERS: &[Member] = &[
    Member::new("type"),
    Member::new("city"),
    Member::new("region"),
    Member::new("country"),
    Member::new("peopleCount"),
    Member::new("eventDate"),
    Member::new("lat"),
    Member::new("lng"),
];

/// `PATCH /operator/v1/reports/{id}`: corrects what is given, and answers with the report. Of an approved one, the
/// counters and lists follow, and partners are told. 422: the report would be refused by an import.
pub async fn correct(
    State(clock): State<Clock>,
    Moderator(store): Moderator,
    Segment(id): Segment,
    request: Request,
) -> Result<Response> {
    corrected(&store, id, request, &clock).await
}

/// Corrects the report of this id as the request says, and responds with it.
pub(crate) async fn corrected(
    store: &Store,
    id: String,
    request: Request,
    clock: &Clock,
) -> Result<Response> {
    let changes = body::json_object(request, MEMBERS).await?;
    match correcting::correct(store, &id, &changes, clock).await? {
        Corrected::Now | Corrected::Unchanged => shown(store, id).await,
        Corrected::Unknown => {
            Err(Problem::not_found(format!("There is no report {:?}.", quoted(&id))))
        }
        Corrected::Refused(reasons) => Ok(refused(&reasons)),
    }
}

fn refused(reasons: &[Refusal]) -> Response {
    let reason = |refusal: &Refusal| json!({ "field": refusal.field, "reason": refusal.reason });
    let body = json!({ "reasons": reasons.iter().map(reason).collect::<Vec<_>>() });
    unstored((StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response())
}

pub(super) fn described() -> Operation {
    described_at(Operation::operators(
        Scope::Moderate,
        "patch",
        "/operator/v1/reports/{id}",
        "correctReport",
        "Correct a report",
    ))
    .segments(ID)
}

/// The operation, wherever the id is given.
pub(crate) fn described_at(operation: Operation) -> Operation {
    let refused = json!({
        "reasons": [{ "field": "eventDate", "reason": "2026-13-01 is not a date" }],
    });
    operation
        .about(
            "A report of any status. If it is approved, counters and lists are updated, and webhooks get `report.updated`.",
        )
        .tag(REPORTS)
        .takes("Correction", json!({ "peopleCount": 14 }))
        .answers(
            "The report as it is now",
            reference("ReportWithHistory"),
            Some(examples::with_history()),
        )
        .or_answers(
            StatusCode::UNPROCESSABLE_ENTITY,
            "An import would refuse it, and nothing was changed",
            reference("CorrectionRefused"),
            refused,
        )
}
