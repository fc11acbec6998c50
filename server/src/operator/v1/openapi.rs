//! OpenAPI 3.1 document of the operator API, separate from that of the public API. It assembles the descriptions beside
//! each handler (`described`).

use axum::{
    extract::{Request, State},
    response::Response,
};
use domain::scope::Scope;
use serde_json::{Value, json};

use super::{audit, imports, keys, report, reports, status, tags, webhooks};
use crate::{
    base_url::ReachedAt,
    openapi::{self, Description, Info, OpenApi, Operation, webhooks::described_for_operators},
    operator::base_urls,
    state::AppState,
};

/// `GET /operator/v1/openapi.json`: the document. Public: it reveals nothing that is not in the source of this program.
pub async fn get(State(app): State<AppState>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let reached = ReachedAt::of(&base_urls(&app), &parts);
    let document = app.operators_openapi.at(&reached.base_url, OpenApi::V3_1).await;
    reached.vary(document.respond(&parts.headers))
}

fn described() -> Operation {
    let path = "/operator/v1/openapi.json";
    Operation::read(path, "getOperatorsDescription", "This description")
        .about("The operators\u{2019} API as an OpenAPI 3.1 document. No key is needed.")
        .tag(tags::SERVICE)
        .answers_with(
            "An OpenAPI 3.1 document",
            |_| json!({ "application/json": { "schema": { "type": "object" } } }),
        )
}

pub fn description() -> Description {
    Description::new(document, openapi::PAGE_OF_OPERATORS)
}

fn document() -> Value {
    let operations = reports::described()
        .into_iter()
        .chain(report::described())
        .chain([imports::described()])
        .chain(keys::described())
        .chain(webhooks::described())
        .chain([audit::described(), status::described(), described()]);
    let scopes = Scope::ALL.map(|scope| format!("`{scope}`")).join(", ");
    let key = format!(
        "A key of the tier `operator`. Its scope decides what it allows; each scope includes the previous ones: \
            {scopes}."
    );
    let info = Info {
        title: "svc for operators".to_owned(),
        summary: "Adding, deciding on and correcting reports; keys, webhooks, audit log",
        description: "Instants are ISO 8601 in UTC with milliseconds and `Z`; dates are `YYYY-MM-DD` in UTC. Version 1 \
            only gains optional things: ignore unknown fields and values."
            .to_owned(),
        url: "",
    };
    openapi::document(info, &tags::ALL, operations, Some(described_for_operators), headers(), &key)
}

/// Headers of responses, without those of lists with page links.
fn headers() -> Value {
    let mut headers = openapi::headers::all();
    if let Value::Object(headers) = &mut headers {
        headers.retain(|name, _| !["Link", "Reports-Revision"].contains(&name.as_str()));
    }
    headers
}
