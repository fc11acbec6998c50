use axum::{Json, response::Response};
use domain::{import_id::ImportId, scope::Scope};
use schemars::JsonSchema;
use serde::Serialize;
use store::{AuditEntry, AuditQuery, ListedReport, Store, Submission};

use super::{ID, examples};
use crate::{
    api::{Caller, Segment, tagged, unstored},
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
    /// Data of a report from a form or a program, until they are removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    submission: Option<Submission>,
    /// Entries of the audit log about the report, newest first.
    history: Vec<AuditEntry>,
}

/// `GET /operator/v1/reports/{id}`: a report with its history.
pub async fn get(Reader(store): Reader, caller: Caller, Segment(id): Segment) -> Result<Response> {
    shown(&store, id, may_moderate(&caller)).await
}

/// Whether the caller may see notes and contacts of senders.
pub(crate) fn may_moderate(caller: &Caller) -> bool {
    caller.key.and_then(|key| key.scope).is_some_and(|scope| scope >= Scope::Moderate)
}

/// Returns the response with the report of this id; with note and contact of its sender if `is_moderator`.
pub(crate) async fn shown(store: &Store, id: String, is_moderator: bool) -> Result<Response> {
    let Some((report, import)) = store.reports().find(&id).await? else {
        return Err(Problem::not_found(format!("There is no report {:?}.", quoted(&id))));
    };
    let submission = store.reports().submission(&id).await?;
    let submission = match is_moderator {
        true => submission,
        false => submission.map(Submission::without_private_data),
    };
    let query = AuditQuery { report: Some(id), limit: HISTORY, ..AuditQuery::default() };
    let history = store.audit_log().entries(&query).await?.entries;
    let tag = report.tag();
    let shown = ReportWithHistory { report, import, submission, history };
    Ok(tagged(unstored(Json(shown)), &tag))
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
