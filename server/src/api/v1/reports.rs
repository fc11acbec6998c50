use axum::{
    extract::{Request, State},
    response::Response,
};

use crate::{
    answers::{Answers, snapshot::RECENT},
    api::Parameters,
    http::problem::{Code, Result},
    openapi::{
        Operation, Parameter, examples,
        parameter::{CITY, COUNTRY, FROM, LIMIT, REGION, SINCE, TO},
        reference,
    },
    store::{ALL_TYPES, Filter, ReportsQuery},
};

const PARAMETERS: &[Parameter] = &[LIMIT, SINCE, FROM, TO, COUNTRY, REGION, CITY];

/// `GET /api/v1/reports`: the newest approved reports.
pub async fn get(State(answers): State<Answers>, request: Request) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS);
    let query = ReportsQuery {
        types: ALL_TYPES,
        limit: parameters.limit(RECENT)?,
        since: parameters.since()?,
        after: None,
        filter: Filter { period: parameters.period()?, place: parameters.place()? },
    };
    if query == ReportsQuery::newest(RECENT) {
        return Ok(answers.snapshot().reports_answer.respond(request.headers()));
    }
    Ok(answers.reports(query).await?.respond(request.headers()))
}

pub(super) fn described() -> Operation {
    Operation::read("/api/v1/reports", "getReports", "The newest approved reports")
        .about(
            "Newest publication first, then by id. A report is published at or after its \
             `createdAt`, so a client that polls with the largest `createdAt` it has seen as `since` \
             misses nothing, but may see a report again.",
        )
        .parameters(PARAMETERS)
        .answers("The reports", reference("ReportList"), Some(examples::reports()))
        .problems(&[
            Code::InvalidLimit,
            Code::InvalidSince,
            Code::InvalidPeriod,
            Code::InvalidParameter,
        ])
}
