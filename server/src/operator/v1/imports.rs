use axum::{extract::Request, response::Response};
use domain::scope::Scope;
use serde_json::json;
use store::ListedImport;

use super::{Items, items, tags::REPORTS};
use crate::{
    api::Parameters,
    openapi::{Operation, Parameter},
    operator::{
        access::Reader,
        parameters::{self, LIMIT, Part},
    },
    problem::{Code, Result},
};

const PARAMETERS: &[Parameter] = &[LIMIT];

/// `GET /operator/v1/imports`: the newest imports, with the number of their reports of each status.
pub async fn list(Reader(store): Reader, request: Request) -> Result<Response> {
    let given = Parameters::of(request.uri().query(), PARAMETERS)?;
    let Part { limit, .. } = parameters::part(&given)?;
    Ok(items(store.reports().imports(limit).await?, None))
}

pub(super) fn described() -> Operation {
    let reports = json!({ "pending": 12_400, "approved": 75, "rejected": 5, "withdrawn": 0 });
    let example = json!({
        "items": [{
            "id": "imp_1m8230hv5",
            "createdAt": "2026-03-01T12:00:00.000Z",
            "file": "saturday.csv",
            "mode": "pending",
            "reports": reports,
        }],
        "more": false,
    });
    let path = "/operator/v1/imports";
    Operation::operators(Scope::Read, "get", path, "listImports", "The newest imports")
        .about("Newest first, each with the present number of its reports of each status.")
        .tag(REPORTS)
        .parameters(PARAMETERS)
        .responses::<Items<ListedImport>>("Imports", example)
        .problems(&[Code::InvalidLimit, Code::InvalidParameter])
}
