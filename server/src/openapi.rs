//! Building blocks of the API document (OpenAPI 3.1).
//!
//! Each handler describes itself beside its code with an [Operation], which adds the common parts of all operations:
//! the key, the limit, the headers, the form of problems. A query is described by the list of [Parameter]s that the
//! handler reads it by, and a body by its type, whose schema is made from what serde reads and writes ([Schemas]). The
//! handlers depend on these blocks, never the other way round; `api/v1/openapi.rs` assembles the document. The tests
//! compare the document with the real responses.

mod description;
pub mod examples;
pub mod headers;
mod operation;
pub mod parameter;
pub mod schemas;
mod version_3_0;
pub mod webhooks;

use serde_json::{Map, Value, json};

pub use self::{
    description::{Description, OpenApi},
    operation::Operation,
    parameter::Parameter,
    schemas::Schemas,
};

/// Path of the reference page of the operator API.
pub const PAGE_OF_OPERATORS: &str = "/docs/operator";

/// Groups of operations, with their descriptions.
pub const TAGS: [(&str, &str); 3] = [
    (DATA, "Counters, places and reports. No key is needed; one raises the limit."),
    (WEBHOOKS, "A partner\u{2019}s subscriptions, and the events sent to them."),
    (DESCRIPTION, "The API described for programs."),
];
const DATA: &str = "Data";
const WEBHOOKS: &str = "Webhooks";
pub const DESCRIPTION: &str = "Description";

/// Groups operations by path and method.
fn paths(
    operations: impl IntoIterator<Item = Operation>,
    schemas: &mut Schemas,
) -> Map<String, Value> {
    let mut paths = Map::new();
    for operation in operations {
        let (path, method) = (operation.path, operation.method);
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = operation.into_value(schemas);
    }
    paths
}

/// Title, summary, description and operator's URL of a document.
#[derive(Debug)]
pub struct Info<'a> {
    pub title: String,
    pub summary: &'a str,
    pub description: String,
    pub url: &'a str,
}

/// Assembles a document without the URLs that depend on the base URL. `key` describes the keys of its operations, and
/// `webhooks` the requests that endpoints receive.
pub fn document(
    Info { title, summary, description, url }: Info<'_>,
    tags: &[(&str, &str)],
    operations: impl IntoIterator<Item = Operation>,
    webhooks: Option<fn(&mut Schemas) -> Value>,
    headers: Value,
    key: &str,
) -> Value {
    let mut schemas = Schemas::default();
    let tag = |(name, about): &(&str, &str)| json!({ "name": name, "description": about });
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": title,
            "version": env!("CARGO_PKG_VERSION"),
            "summary": summary,
            "description": description,
            "contact": { "name": "The operator of this service", "url": url },
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [],
        "externalDocs": { "url": "", "description": "The documentation" },
        "tags": tags.iter().map(tag).collect::<Value>(),
        "paths": paths(operations, &mut schemas),
    });
    if let Some(webhooks) = webhooks {
        document["webhooks"] = webhooks(&mut schemas);
    }
    let key = json!({ "type": "http", "scheme": "bearer", "bearerFormat": "svc_\u{2026}", "description": key });
    document["components"] = json!({
        "schemas": schemas.into_components(),
        "headers": headers,
        "securitySchemes": { "key": key },
    });
    document
}
