//! The description of the operators' API in OpenAPI 3.1, a document of its own: what stands beside each handler
//! (`described`), put together.

use axum::{
    extract::{Request, State},
    response::Response,
};
use domain::scope::Scope;
use serde_json::{Value, json};

use super::{audit, imports, keys, report, reports, status, tags, webhooks};
use crate::{
    base_url::ReachedAt,
    openapi::{self, Description, Info, Operation},
    operator::base_urls,
    state::AppState,
};

/// `GET /operator/v1/openapi.json`: the document, for everybody: it tells nothing that this program's source does not.
pub async fn get(State(app): State<AppState>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let reached = ReachedAt::of(&base_urls(&app), &parts);
    let document = app.operators_openapi.at(&reached.base_url).await;
    reached.told(document.respond(&parts.headers))
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
        "A key of the tier `operator`. What it allows is its scope, of which each includes those before it: {scopes}."
    );
    let info = Info {
        title: "svc for operators".to_owned(),
        summary: "Adding, deciding on and correcting reports; keys, webhooks, audit log",
        description: "Instants are ISO 8601 in UTC with milliseconds and `Z`; dates are `YYYY-MM-DD` in UTC. \
                      Version 1 only gains optional things: ignore fields and values you don\u{2019}t know."
            .to_owned(),
        url: "",
    };
    openapi::document(info, &tags::ALL, operations, None, headers(), &key)
}

/// Those of lists that are pages by links are not among them.
fn headers() -> Value {
    let mut headers = openapi::headers::all();
    if let Value::Object(headers) = &mut headers {
        headers.retain(|name, _| !["Link", "Reports-Revision"].contains(&name.as_str()));
    }
    headers
}
