//! Building blocks of the API's description (OpenAPI 3.1).
//!
//! Each handler describes itself beside its code with an [Operation], which adds what all operations have in common: the
//! key, the limit, the headers, the form of problems. A query is described by the list of [Parameter]s that the handler
//! reads it by, and a body by its type, whose schema is made from what serde reads and writes ([Schemas]). The handlers
//! depend on these blocks, never the other way round; `api/v1/openapi.rs` assembles the document. The tests compare all
//! of it with what the service really does.

mod description;
pub mod examples;
pub mod headers;
mod operation;
pub mod parameter;
pub mod schemas;
pub mod webhooks;

use serde_json::{Map, Value, json};

pub use self::{
    description::Description, operation::Operation, parameter::Parameter, schemas::Schemas,
};

/// The page of the operators' API.
pub const PAGE_OF_OPERATORS: &str = "/docs/operator";

/// The groups that operations are listed in, with their descriptions.
pub const TAGS: [(&str, &str); 3] = [
    (DATA, "Counters, places and reports. No key is needed; one raises the limit."),
    (WEBHOOKS, "A partner\u{2019}s subscriptions, and the events sent to them."),
    (DESCRIPTION, "The API described for programs."),
];
const DATA: &str = "Data";
const WEBHOOKS: &str = "Webhooks";
pub const DESCRIPTION: &str = "Description";

/// Operations by path and method.
pub fn paths(
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

/// Groups of operations, as a document has them.
pub fn tags(tags: &[(&str, &str)]) -> Value {
    let tag = |(name, about): &(&str, &str)| json!({ "name": name, "description": about });
    tags.iter().map(tag).collect()
}
