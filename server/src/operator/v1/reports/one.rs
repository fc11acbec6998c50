use axum::{Json, extract::Path, response::Response};
use serde::Serialize;

use crate::{
    api::unstored,
    domain::import_id::ImportId,
    http::problem::{Problem, Result, quoted},
    operator::access::Reader,
    store::{AuditEntry, AuditQuery, ListedReport},
};

/// The newest entries of the audit log that a report comes with.
const HISTORY: u32 = 100;

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    report: ListedReport,
    /// Which import brought it, if any did.
    import: Option<ImportId>,
    /// What was done to it, newest first.
    history: Vec<AuditEntry>,
}

/// `GET /operator/v1/reports/{id}`: a report with its history.
pub async fn one(Reader(store): Reader, Path(id): Path<String>) -> Result<Response> {
    let Some((report, import)) = store.report(&id).await? else {
        return Err(Problem::not_found(format!("There is no report {:?}.", quoted(&id))));
    };
    let query = AuditQuery { report: Some(id), limit: HISTORY, ..AuditQuery::default() };
    let history = store.audit_log(&query).await?.entries;
    Ok(unstored(Json(Shown { report, import, history })))
}
