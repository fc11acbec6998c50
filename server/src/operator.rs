//! The API for operators, `/operator/v1`: the functions of the command line, for people and programs without a shell,
//! and the documentation for operators. `--operator-on` selects the public or the operator's address. The path of a
//! file
//! below this one is its URL.

pub mod access;
pub(crate) mod corrections;
pub(crate) mod decisions;
pub(crate) mod docs;
mod parameters;
pub mod v1;

use axum::{
    extract::Request,
    routing::{any, delete, get, post},
};
use domain::report::Step;
use edge::{gate::Gate, routes::Routes};

use self::v1::{audit, imports, keys, report, reports, status, webhooks};
use crate::{
    api::admission::Admission,
    base_url::BaseUrls,
    config::ListenAddress,
    gates::{REQUEST, UNCACHED},
    openapi::PAGE_OF_OPERATORS,
    problem::{Problem, quoted},
    state::AppState,
};

/// Gate for bodies of some ten thousand ids.
const MANY_IDS: Gate = REQUEST.up_to(1 << 20);

/// All routes of the operator API.
pub fn routes(app: &AppState) -> Routes<AppState> {
    let requests = app.admission.of_partners();
    let decide = |step: Step| {
        post(requests.to(move |moderator, request| reports::decide(step, moderator, request)))
    };
    Routes::default()
        .route(
            "/operator/v1/reports",
            REQUEST.streamed(),
            get(requests.to(reports::list)).post(requests.to(reports::add)),
        )
        .route("/operator/v1/reports/approve", MANY_IDS, decide(Step::Approve))
        .route("/operator/v1/reports/reject", MANY_IDS, decide(Step::Reject))
        .route("/operator/v1/reports/withdraw", MANY_IDS, decide(Step::Withdraw))
        .route("/operator/v1/reports/reopen", MANY_IDS, decide(Step::Reopen))
        .route("/operator/v1/reports/restore", MANY_IDS, decide(Step::Restore))
        .route(
            "/operator/v1/reports/{id}",
            REQUEST.with_body(),
            get(requests.to(reports::get)).patch(requests.to(reports::correct)),
        )
        .route(
            "/operator/v1/report",
            REQUEST.with_body(),
            get(requests.to(report::get)).patch(requests.to(report::patch)),
        )
        .route("/operator/v1/openapi.json", REQUEST, get(app.admission.to(v1::openapi::get)))
        .route("/operator/v1/imports", REQUEST, get(requests.to(imports::list)))
        .route("/operator/v1/audit", REQUEST, get(requests.to(audit::list)))
        .route("/operator/v1/status", REQUEST, get(requests.to(status::get)))
        .route(
            "/operator/v1/keys",
            REQUEST.with_body(),
            get(requests.to(keys::list)).post(requests.to(keys::create)),
        )
        .route("/operator/v1/keys/{prefix}", REQUEST, delete(requests.to(keys::revoke)))
        .merge(webhooks(&requests))
        .merge(documentation(app))
        .route("/operator", REQUEST, any(requests.to(nothing_here)))
        .route("/operator/{*unknown}", REQUEST, any(requests.to(nothing_here)))
        .otherwise(|routes| routes.method_not_allowed_fallback(requests.to(method_not_allowed)))
}

fn documentation(app: &AppState) -> Routes<AppState> {
    let reference = Routes::default().route(PAGE_OF_OPERATORS, UNCACHED, get(docs::reference));
    docs::paths(app)
        .into_iter()
        .fold(reference, |routes, path| routes.route(path, UNCACHED, get(docs::page)))
}

fn webhooks(requests: &Admission) -> Routes<AppState> {
    Routes::default()
        .route("/operator/v1/webhooks", REQUEST, get(requests.to(webhooks::list)))
        .route(
            "/operator/v1/webhooks/deliveries",
            REQUEST,
            get(requests.to(webhooks::list_deliveries)),
        )
        .route(
            "/operator/v1/webhooks/deliveries/{id}/redeliver",
            REQUEST,
            post(requests.to(webhooks::redeliver)),
        )
        .route(
            "/operator/v1/webhooks/{id}",
            REQUEST,
            get(requests.to(webhooks::get)).delete(requests.to(webhooks::delete)),
        )
        .route("/operator/v1/webhooks/{id}/enable", REQUEST, post(requests.to(webhooks::enable)))
        .route(
            "/operator/v1/webhooks/{id}/disable",
            REQUEST.with_body(),
            post(requests.to(webhooks::disable)),
        )
        .route(
            "/operator/v1/webhooks/{id}/replay",
            REQUEST.with_body(),
            post(requests.to(webhooks::replay)),
        )
        .route(
            "/operator/v1/webhooks/{id}/test",
            REQUEST.with_body(),
            post(requests.to(webhooks::test)),
        )
}

async fn nothing_here(request: Request) -> Problem {
    let path = quoted(request.uri().path());
    Problem::not_found(format!("There is nothing at {path} in the operators' API."))
}

async fn method_not_allowed(request: Request) -> Problem {
    let (method, path) = (request.method(), quoted(request.uri().path()));
    Problem::method_not_allowed(format!(
        "{method} is not allowed at {path}; the Allow header lists the allowed methods."
    ))
}

/// Sources for the base URL of the operator API.
pub(crate) fn base_urls(app: &AppState) -> BaseUrls {
    match app.settings.operator_on {
        ListenAddress::Public => app.base_urls.clone(),
        ListenAddress::Ops => BaseUrls::new(None, app.settings.trusted_proxies.clone()),
    }
}
