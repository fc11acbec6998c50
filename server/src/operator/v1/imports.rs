use axum::{extract::Request, response::Response};

use super::items;
use crate::{
    api::Parameters,
    http::problem::Result,
    openapi::Parameter,
    operator::{
        access::Reader,
        parameters::{self, LIMIT, Part},
    },
};

const PARAMETERS: &[Parameter] = &[LIMIT];

/// `GET /operator/v1/imports`: the newest imports, with the number of their reports of each status.
pub async fn list(Reader(store): Reader, request: Request) -> Result<Response> {
    let given = Parameters::of(request.uri().query(), PARAMETERS);
    let Part { limit, .. } = parameters::part(&given)?;
    Ok(items(store.imports(limit).await?, None))
}
