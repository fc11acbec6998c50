//! The description of the API in OpenAPI 3.1, from which the reference page is made too.
//!
//! Each operation is described beside its handler (`described`), by an [Operation] that knows what
//! all of them have in common: the key, the limit, the headers, the form of problems. Here they are
//! put together with the [schemas] that they refer to and the [webhooks] that partners get. The
//! tests hold all of it to the truth: they compare the router's paths, ask every operation, and
//! check what is answered against what is said here.

mod headers;
mod operation;
pub(super) mod parameter;
mod schemas;
mod webhooks;

use axum::{extract::State, response::Response};
use http::HeaderMap;
use serde_json::{Map, Value, json};

pub(super) use self::operation::{Operation, reference};
use super::{geo_facets, metrics, reports, stream};
use crate::{
    http::{base_url::PublicUrl, representation::Answer},
    state::App,
};

/// The document, and the answer that carries it.
#[derive(Debug)]
pub struct Description {
    pub document: Value,
    answer: Answer,
}

impl Description {
    /// Of the service that the world reaches at `public_url`; without one, where the document came
    /// from.
    pub fn new(public_url: Option<&PublicUrl>) -> Self {
        let document = document(public_url);
        Self { answer: Answer::json(&document), document }
    }
}

/// `GET /api/v1/openapi.json`
pub async fn get(State(app): State<App>, headers: HeaderMap) -> Response {
    app.openapi.answer.respond(&headers)
}

fn described() -> Operation {
    Operation::read("/api/v1/openapi.json", "getDescription", "This description")
        .about("What the API is, as OpenAPI 3.1: for generators of clients, and for tools that try it out.")
        .answers("An OpenAPI 3.1 document", json!({ "type": "object" }), None)
}

fn document(public_url: Option<&PublicUrl>) -> Value {
    let url = public_url.map_or("", PublicUrl::as_str);
    let server = if url.is_empty() { "/" } else { url };
    let mut schemas = schemas::all();
    let kind = &mut schemas["Problem"]["example"]["type"];
    *kind =
        format!("{}{}", public_url.map_or("", PublicUrl::path), kind.as_str().unwrap_or_default())
            .into();
    let operations = [metrics::described(), reports::described(), geo_facets::described()]
        .into_iter()
        .chain([stream::described()])
        .chain(super::webhooks::described())
        .chain([described()]);
    let mut paths = Map::new();
    for operation in operations {
        let (path, method) = (operation.path, operation.method);
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = operation.into_value();
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "svc",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Counters and newest reports of spirit and water events",
            "description": "Read without a key, from any origin. Instants are ISO 8601 in UTC with \
                            milliseconds and `Z`, dates are `YYYY-MM-DD` in UTC. Version 1 only \
                            gains optional things: pass over members that you do not know.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": server }],
        "externalDocs": { "url": format!("{url}/docs"), "description": "The documentation" },
        "paths": paths,
        "webhooks": webhooks::described(),
        "components": {
            "schemas": schemas,
            "headers": headers::all(),
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "svc_…",
                    "description": "A key from the operator: `svc_` and 38 more characters. Reads \
                                    take one for a higher limit, webhooks need one of the tier \
                                    `partner` or `enterprise`.",
                },
            },
        },
    })
}
