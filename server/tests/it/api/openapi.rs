mod answers;
mod events;

use app::model::ReportType::{Both, Spirit, Water};
use reqwest::Method;
use serde_json::{Value, json};
use svc::{
    config::{Endpoints, Serve},
    http::problem::Code,
};

use crate::{
    harness::{But, Running, START, reached_at, report, settings},
    schema::faults,
};

const PATH: &str = "/api/v1/openapi.json";

/// A service with a report of each type, that lets webhooks go to this machine.
async fn running() -> Running {
    let endpoints = Endpoints { allow_http: true, allow_private: true };
    let running = Running::with(Serve { endpoints, ..settings() }, START).await;
    let reports =
        [Spirit, Water, Both].map(|kind| report(kind.as_str(), kind).at("Lyon", "", "FR"));
    running.publish(&reports).await;
    running
}

/// The routes of the API as the router's source has them.
fn routes() -> Vec<&'static str> {
    let source = include_str!("../../../src/router.rs");
    let quoted = source.split('"').skip(1).step_by(2);
    quoted.filter(|text| text.starts_with("/api/")).collect()
}

#[tokio::test]
async fn every_route_of_the_api_is_described_and_no_other() {
    let running = running().await;
    let document = running.json(PATH).await;
    let mut described: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    let mut routes = routes();
    described.sort();
    routes.sort_unstable();
    assert_eq!(described, routes);
    for path in routes {
        let request = running.http.request(Method::TRACE, running.url(path));
        let allowed = running.ask(request, &[]).await.header("allow").to_lowercase();
        let mut allowed: Vec<_> = allowed.split(',').filter(|method| *method != "head").collect();
        let mut methods: Vec<_> = document["paths"][path].as_object().unwrap().keys().collect();
        allowed.sort_unstable();
        methods.sort();
        assert_eq!(methods, allowed, "{path}");
    }
}

#[tokio::test]
async fn every_code_is_described_where_it_may_be_answered() {
    let document = running().await.json(PATH).await;
    let problem = &document["components"]["schemas"]["Problem"]["properties"]["code"];
    assert_eq!(problem["enum"], json!(Code::ALL.map(Code::as_str)));
    let paths = document["paths"].to_string();
    for code in Code::ALL {
        let said = format!("`{}` ({}): {}", code.as_str(), code.status().as_u16(), code.when());
        assert!(problem["description"].as_str().unwrap().contains(&said), "{said}");
        // No operation can name a method that does not exist; oEmbed is not in the API.
        let in_paths = paths.contains(&format!("\"{}\"", code.as_str()));
        let elsewhere = matches!(code, Code::MethodNotAllowed | Code::UnsupportedFormat);
        assert_eq!(in_paths, !elsewhere, "{code:?}");
    }
}

#[tokio::test]
async fn references_lead_somewhere_and_operations_have_names_of_their_own() {
    let document = running().await.json(PATH).await;
    assert_eq!(document["openapi"], "3.1.0");
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
    let ids: Vec<&str> = text.split("\"operationId\":\"").skip(1).collect();
    let ids: Vec<&str> = ids.iter().map(|rest| rest.split('"').next().unwrap()).collect();
    let distinct: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!((ids.len(), distinct.len()), (10, 10), "{ids:?}");
}

#[tokio::test]
async fn examples_are_as_their_schemas_say() {
    let document = running().await.json(PATH).await;
    let mut seen = 0;
    let mut check = |media: &Value| {
        let (schema, example) = (&media["schema"], &media["example"]);
        if example.is_object() {
            assert_eq!(faults(&document, schema, example), [""; 0], "{example}");
            seen += 1;
        }
    };
    for paths in ["paths", "webhooks"] {
        let operations = document[paths].as_object().unwrap().values();
        for operation in operations.flat_map(|methods| methods.as_object().unwrap().values()) {
            check(&operation["requestBody"]["content"]["application/json"]);
            for response in operation["responses"].as_object().unwrap().values() {
                check(&response["content"]["application/json"]);
            }
        }
    }
    assert_eq!(seen, 8);
}

#[tokio::test]
async fn the_document_says_where_the_service_is() {
    let running = Running::with(reached_at("https://svc.example.org"), START).await;
    assert_eq!(running.json(PATH).await["servers"], json!([{ "url": "https://svc.example.org" }]));
}
