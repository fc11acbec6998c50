use axum::{
    extract::{Request, State},
    response::Response,
};
use base::clock::Clock;
use domain::scope::Scope;
use edge::problem::Fault;
use import::Refusal;
use model::ReportType;
use schemars::JsonSchema;
use serde_json::json;
use store::{Corrected, Store};

use super::{
    ID, examples,
    get::{ReportWithHistory, shown},
};
use crate::{
    api::{IfMatch, Segment, body},
    openapi::Operation,
    operator::{access::Moderator, corrections, v1::tags::REPORTS},
    problem::{Code, Problem, Result, quoted},
};

/// Members of a report that can be corrected, with values as in import files.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "the members are read like those of an import")]
pub(super) struct Correction {
    #[schemars(default, with = "ReportType")]
    r#type: Option<ReportType>,
    #[schemars(default, with = "String", length(min = 1, max = 256))]
    city: Option<String>,
    #[schemars(length(max = 256))]
    region: Option<String>,
    #[schemars(default, with = "String", length(min = 1, max = 256))]
    country: Option<String>,
    /// Number of people.
    #[schemars(range(min = 1, max = 1_000_000))]
    people_count: Option<u32>,
    event_date: Option<String>,
    /// Latitude in degrees.
    lat: Option<f64>,
    /// Longitude in degrees.
    lng: Option<f64>,
}

/// `PATCH /operator/v1/reports/{id}`: corrects the given members, and returns the report. If it is approved, the
/// counters and lists follow, and partners get an event. 422: an import would refuse the result.
pub async fn correct(
    State(clock): State<Clock>,
    Moderator(store): Moderator,
    Segment(id): Segment,
    request: Request,
) -> Result<Response> {
    corrected(&store, id, request, &clock).await
}

/// Corrects the report with this id by the request's body, and returns it in the response.
pub(crate) async fn corrected(
    store: &Store,
    id: String,
    request: Request,
    clock: &Clock,
) -> Result<Response> {
    let IfMatch(condition) = IfMatch::of(request.headers())?;
    let store = &store.clone().provided(condition);
    let changes = body::object(request).await?;
    body::check_members::<Correction>(&changes)?;
    match corrections::correct(store, &id, &changes, clock).await? {
        Corrected::Now | Corrected::Unchanged => shown(store, id, true).await,
        Corrected::Unknown => {
            Err(Problem::not_found(format!("There is no report {:?}.", quoted(&id))))
        }
        Corrected::Refused(refusals) => {
            let faults = refusals.iter().map(|refusal| fault(refusal, None));
            Err(Problem::new(Code::InvalidReport, refused(&refusals)).with_faults(faults.collect()))
        }
    }
}

/// Describes the first fault of a report.
fn refused(refusals: &[Refusal]) -> String {
    let Some(Refusal { field, reason, .. }) = refusals.first() else {
        return "The report would be invalid.".to_owned();
    };
    match field {
        Some(field) => format!("Nothing was changed. {field:?}: {reason}."),
        None => format!("Nothing was changed: {reason}."),
    }
}

/// A refusal as the fault of a body.
pub(super) fn fault(refusal: &Refusal, line: Option<u64>) -> Fault {
    let pointer = refusal.field.map(|field| format!("/{field}"));
    Fault { line, pointer, detail: refusal.reason.to_string() }
}

pub(super) fn described() -> Operation {
    let path = "/operator/v1/reports/{id}";
    let operation =
        Operation::operators(Scope::Moderate, "patch", path, "correctReport", "Correct a report");
    described_at(operation).segments(ID)
}

/// Completes the description of the operation, for both ways to give the id.
pub(crate) fn described_at(operation: Operation) -> Operation {
    operation
        .about(
            "A report of any status. If it is approved, counters and lists are updated, and webhooks receive \
                `report.updated`.",
        )
        .tag(REPORTS)
        .takes::<Correction>(json!({ "peopleCount": 14 }))
        .responses::<ReportWithHistory>("The report after the change", examples::with_history())
        .headers(&["ETag"])
        .conditional()
        .problems(&[Code::InvalidReport])
}
