use std::sync::Arc;

use app::brand::Brand;
use axum::{
    extract::{Request, State},
    response::Response,
};
use edge::representation::Representation;
use model::Report;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::{
    api::Parameters,
    api::Segment,
    openapi::{
        Operation, Parameter, examples,
        parameter::{INCLUDE, LANG, REPORT_ID},
    },
    problem::{Code, Problem, Result, quoted},
    responses::ResponseCache,
};

const PARAMETERS: &[Parameter] = &[LANG, INCLUDE];

/// A published report.
#[derive(Serialize, JsonSchema)]
struct OneReport {
    /// The report.
    report: Report,
}

/// `GET /api/v1/reports/{id}`: an approved report.
pub async fn get(
    State(responses): State<ResponseCache>,
    State(brand): State<Arc<Brand>>,
    Segment(id): Segment,
    request: Request,
) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS)?;
    let form = parameters.form(&brand)?;
    let found = responses.report(&id).await?;
    let Some(found) = &*found else {
        return Err(Problem::not_found(format!(
            "There is no published report {:?}: it may have been withdrawn.",
            quoted(&id)
        )));
    };
    let mut report = found.report.clone();
    form.apply(&mut report, &found.region, found.event_date);
    Ok(Representation::json(&OneReport { report }).respond(request.headers()))
}

pub(in crate::api::v1) fn described() -> Operation {
    let example = json!({ "report": examples::reports()["reports"][0] });
    Operation::read("/api/v1/reports/{id}", "getReport", "A report")
        .about("A report that is not published, or was withdrawn, is not found.")
        .segments(&[REPORT_ID])
        .parameters(PARAMETERS)
        .responses::<OneReport>("The report", example)
        .problems(&[Code::InvalidParameter])
}
