use axum::{extract::Request, response::Response};

use super::items;
use crate::{
    api::Parameters,
    http::problem::Result,
    openapi::Parameter,
    operator::{
        access::Reader,
        parameters::{self, ACTION, ACTOR, AFTER, LIMIT, Part, REPORT},
    },
    store::{AuditPage, AuditQuery},
};

const PARAMETERS: &[Parameter] = &[REPORT, ACTOR, ACTION, AFTER, LIMIT];

/// `GET /operator/v1/audit`: who did what, newest first.
pub async fn list(Reader(store): Reader, request: Request) -> Result<Response> {
    let given = Parameters::of(request.uri().query(), PARAMETERS);
    let Part { after, limit } = parameters::part(&given)?;
    let query = AuditQuery {
        report: given.get(&REPORT)?,
        actor: given.get(&ACTOR)?,
        action: parameters::action(&given)?,
        before: after,
        limit,
    };
    let AuditPage { entries, next } = store.audit_log(&query).await?;
    Ok(items(entries, next))
}
