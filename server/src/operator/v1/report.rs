//! A report by an id in the query. A path cannot contain every id: `/operator/v1/reports/approve` is a decision, and
//! clients and proxies remove `.` and `..` from a path, escaped or not.

use axum::{
    extract::{Request, State},
    response::Response,
};
use base::clock::Clock;
use domain::scope::Scope;

use super::{
    reports::{
        correct, examples,
        get::{self, ReportWithHistory},
    },
    tags::REPORTS,
};
use crate::{
    api::{Caller, Parameters},
    openapi::{Operation, Parameter},
    operator::{
        access::{Moderator, Reader},
        parameters::ANY_ID,
    },
    problem::{Code, Result},
};

const PARAMETERS: &[Parameter] = &[ANY_ID];

/// `GET /operator/v1/report?id=`: a report with its history.
pub async fn get(Reader(store): Reader, caller: Caller, request: Request) -> Result<Response> {
    get::shown(&store, id(&request)?, get::may_moderate(&caller)).await
}

/// `PATCH /operator/v1/report?id=`: corrects the given members, and returns the report.
pub async fn patch(
    State(clock): State<Clock>,
    Moderator(store): Moderator,
    request: Request,
) -> Result<Response> {
    correct::corrected(&store, id(&request)?, request, &clock).await
}

fn id(request: &Request) -> Result<String> {
    Parameters::of(request.uri().query(), PARAMETERS)?.text(&ANY_ID, "the report\u{2019}s id")
}

pub(super) fn described() -> [Operation; 2] {
    let operation = |scope, method, name, summary| {
        Operation::operators(scope, method, "/operator/v1/report", name, summary)
    };
    let about =
        "Like `/operator/v1/reports/{id}`, for any id, including ids that a path cannot contain.";
    let summary = "A report of any id, with its history";
    let read = operation(Scope::Read, "get", "getReportById", summary)
        .about(about)
        .tag(REPORTS)
        .responses::<ReportWithHistory>("The report", examples::with_history())
        .headers(&["ETag"]);
    let summary = "Correct a report of any id";
    let correct = operation(Scope::Moderate, "patch", "correctReportById", summary);
    [read, correct::described_at(correct)].map(|operation| {
        operation.parameters(PARAMETERS).problems(&[Code::InvalidParameter, Code::NotFound])
    })
}
