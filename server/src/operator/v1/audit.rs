use axum::{extract::Request, response::Response};
use chrono::{NaiveDate, NaiveTime};
use domain::{action::Action, scope::Scope};
use serde_json::json;
use store::{AuditEntry, AuditPage, AuditQuery, Period};

use super::{Items, items, tags::SERVICE};
use crate::{
    api::Parameters,
    openapi::{Operation, Parameter},
    operator::{
        access::Reader,
        parameters::{self, ACTION, ACTOR, AFTER, LIMIT, Part, REPORT, SINCE, SUBJECT, UNTIL},
    },
    problem::{Code, Result},
};

const PARAMETERS: &[Parameter] = &[REPORT, ACTOR, ACTION, SUBJECT, SINCE, UNTIL, AFTER, LIMIT];

/// `GET /operator/v1/audit`: the audit log, newest first.
pub async fn list(Reader(store): Reader, request: Request) -> Result<Response> {
    let query = selected(request.uri().query())?;
    let AuditPage { entries, next } = store.audit_log().entries(&query).await?;
    Ok(items(entries, next))
}

/// Parses the query of a page of the audit log.
///
/// # Errors
/// The problem of the query.
pub(crate) fn selected(query: Option<&str>) -> Result<AuditQuery> {
    let given = Parameters::of(query, PARAMETERS)?;
    let Part { after, limit } = parameters::part(&given)?;
    let Period { from, to } = given.period()?;
    let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    Ok(AuditQuery {
        report: given.get(&REPORT)?,
        actor: given.get(&ACTOR)?,
        action: given.choice(&ACTION, Action::from_name, &Action::NAMES)?,
        subject: given.get(&SUBJECT)?,
        from: from.map(midnight),
        to: to.and_then(|to| to.succ_opt()).map(midnight),
        before: after,
        whole_decisions: false,
        limit,
    })
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
        .problems(&[Code::InvalidPeriod, Code::InvalidLimit, Code::InvalidParameter])
}
