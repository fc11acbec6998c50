use axum::{extract::Request, response::Response};
use domain::{action::Action, scope::Scope};
use serde_json::json;
use store::{AuditEntry, AuditPage, AuditQuery};

use super::{Items, items, tags::SERVICE};
use crate::{
    api::Parameters,
    openapi::{Operation, Parameter},
    operator::{
        access::Reader,
        parameters::{self, ACTION, ACTOR, AFTER, LIMIT, Part, REPORT},
    },
    problem::{Code, Result},
};

const PARAMETERS: &[Parameter] = &[REPORT, ACTOR, ACTION, AFTER, LIMIT];

/// `GET /operator/v1/audit`: the audit log, newest first.
pub async fn list(Reader(store): Reader, request: Request) -> Result<Response> {
    let given = Parameters::of(request.uri().query(), PARAMETERS);
    let Part { after, limit } = parameters::part(&given)?;
    let query = AuditQuery {
        report: given.get(&REPORT)?,
        actor: given.get(&ACTOR)?,
        action: given.choice(&ACTION, Action::from_name, &Action::NAMES)?,
        before: after,
        limit,
    };
    let AuditPage { entries, next } = store.audit_log().entries(&query).await?;
    Ok(items(entries, next))
}

pub(super) fn described() -> Operation {
    let example = json!({
        "items": [{
            "at": "2026-03-01T12:00:00.000Z",
            "actor": "Maria",
            "key": "svc_4fT0aQx9",
            "origin": "192.0.2.7",
            "action": "reports.withdraw",
            "subject": "rep_1f0c",
            "before": { "status": "APPROVED" },
            "after": { "status": "WITHDRAWN" },
        }],
        "more": false,
    });
    Operation::operators(Scope::Read, "get", "/operator/v1/audit", "listAudit", "The audit log")
        .about("Actions of operators, newest first: imports, decisions, corrections, keys, and changes of \
            subscriptions.")
        .tag(SERVICE)
        .parameters(PARAMETERS)
        .responses::<Items<AuditEntry>>("Entries of the audit log", example)
        .problems(&[Code::InvalidLimit, Code::InvalidParameter])
}
