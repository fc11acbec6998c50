use axum::{Json, response::Response};
use domain::{import_id::ImportId, scope::Scope};
use schemars::JsonSchema;
use serde::Serialize;
use store::{AuditEntry, AuditQuery, ListedReport, Store};

use super::{ID, examples};
use crate::{
    api::{Segment, tagged, unstored},
    openapi::Operation,
    operator::{access::Reader, v1::tags::REPORTS},
    problem::{Problem, Result, quoted},
};

/// Maximum number of audit log entries in the history of a report.
const HISTORY: u32 = 100;

/// A report of any status, with its history.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ReportWithHistory {
    #[serde(flatten)]
    report: ListedReport,
    /// Id of the import that added the report, if any.
    import: Option<ImportId>,
    /// Entries of the audit log about the report, newest first.
    history: Vec<AuditEntry>,
}

/// `GET /operator/v1/reports/{id}`: a report with its history.
pub async fn get(Reader(store): Reader, Segment(id): Segment) -> Result<Response> {
    shown(&store, id).await
}

/// Returns the response with the report of this id.
pub(crate) async fn shown(store: &Store, id: String) -> Result<Response> {
    let Some((report, import)) = store.reports().find(&id).await? else {
        return Err(Problem::not_found(format!("There is no report {:?}.", quoted(&id))));
    };
    let query = AuditQuery { report: Some(id), limit: HISTORY, ..AuditQuery::default() };
    let history = store.audit_log().entries(&query).await?.entries;
    let tag = report.tag();
    Ok(tagged(unstored(Json(ReportWithHistory { report, import, history })), &tag))
}

pub(super) fn described() -> Operation {
    let path = "/operator/v1/reports/{id}";
    Operation::operators(Scope::Read, "get", path, "getReport", "A report with its history")
        .about(
            "With its newest 100 entries of the audit log. For an id that a path cannot contain, such as `..` or \
                `approve`, use `/operator/v1/report?id=`. The `ETag` covers the members that can be corrected and \
                `status`, and not the history.",
        )
        .tag(REPORTS)
        .segments(ID)
        .responses::<ReportWithHistory>("The report", examples::with_history())
        .headers(&["ETag"])
}
