//! The API document in OpenAPI 3.1, which the reference page is made from, too. It assembles the descriptions beside
//! each handler (`described`) with the building blocks of [`crate::openapi`].

use std::sync::Arc;

use app::brand::Brand;
use axum::{extract::State, response::Response};
use http::HeaderMap;
use kit::lang::Lang;
use model::ReportType;
use serde_json::{Value, json};

use super::{events, geo_facets, me, metrics, reports, stream, webhooks};
use crate::{
    base_url::ReachedAt,
    openapi::{self, DESCRIPTION, Description, Info, OpenApi, Operation, Schemas, TAGS},
};

/// `GET /api/v1/openapi.json`: the document, with the URLs at which the client reached the service.
pub async fn get(
    State(openapi): State<Arc<Description>>,
    reached: ReachedAt,
    headers: HeaderMap,
) -> Response {
    let document = openapi.at(&reached.base_url, OpenApi::V3_1).await;
    reached.vary(document.respond(&headers))
}

/// `GET /api/v1/openapi-3.0.json`: the same in OpenAPI 3.0.
pub async fn get_3_0(
    State(openapi): State<Arc<Description>>,
    reached: ReachedAt,
    headers: HeaderMap,
) -> Response {
    let document = openapi.at(&reached.base_url, OpenApi::V3_0).await;
    reached.vary(document.respond(&headers))
}

fn described() -> [Operation; 2] {
    let content =
        |_: &mut Schemas| json!({ "application/json": { "schema": { "type": "object" } } });
    [
        Operation::read("/api/v1/openapi.json", "getDescription", "This description")
            .about("The API as an OpenAPI 3.1 document, for generating clients and for tools.")
            .answers_with("An OpenAPI 3.1 document", content),
        Operation::read("/api/v1/openapi-3.0.json", "getDescription30", "This description in OpenAPI 3.0")
            .about("For generators that do not support 3.1. It lacks the webhooks, which 3.0 cannot describe.")
            .answers_with("An OpenAPI 3.0 document", content),
    ]
    .map(|operation| operation.tag(DESCRIPTION))
}

pub fn description(brand: Arc<Brand>) -> Description {
    Description::new(move || document(&brand), "/docs")
}

fn document(brand: &Brand) -> Value {
    let operations = [
        metrics::described(),
        metrics::series::described(),
        metrics::by::described(),
        geo_facets::described(),
        stream::described(),
        events::described(),
    ];
    let operations = operations
        .into_iter()
        .chain(me::described())
        .chain(reports::described())
        .chain(webhooks::described())
        .chain(described());
    let title = if *brand == Brand::default() { "svc".to_owned() } else { brand.name(Lang::En) };
    let [spirit, water, both] = ReportType::ALL.map(|kind| brand.label(kind, Lang::En));
    let labels = match brand.is_labelled() {
        true => format!(
            " Events of the type `spirit` are called \u{201c}{spirit}\u{201d} here, those of `water` \
             \u{201c}{water}\u{201d}, and those of `both` \u{201c}{both}\u{201d}."
        ),
        false => String::new(),
    };
    let info = Info {
        title,
        summary: "Counters and newest reports of spirit and water events",
        description: format!(
            "Reading needs no key and works from any origin. Instants are ISO 8601 in UTC with milliseconds and `Z`; \
                dates are `YYYY-MM-DD` in UTC. Version 1 only gains optional things: ignore unknown fields, events and \
                values. Unknown parameters are ignored, except near misses of known ones.{labels}"
        ),
        url: brand.url.as_deref().unwrap_or_default(),
    };
    let key = "A key from the operator: `svc_` and 38 more characters. It raises the limit for reads. Webhooks need a \
               key of the tier `partner` or `enterprise`; with one of the tier `test`, they receive only tests, and \
               other requests are 403 `FORBIDDEN`.";
    let webhooks = Some(openapi::webhooks::described as fn(&mut Schemas) -> Value);
    openapi::document(info, &TAGS, operations, webhooks, openapi::headers::all(), key)
}
