mod answers;
mod events;

use domain::tier::Tier;
use model::ReportType::{Both, Spirit, Water};
use reqwest::Method;
use serde_json::{Value, json};

use svc::{
    config::{Serve, WebhookTargets},
    problem::Code,
};

use crate::{
    harness::{But, Running, START, reached_at, report, settings},
    schema::faults,
};

const PATH: &str = "/api/v1/openapi.json";

/// Starts a service with a report of each type that permits webhooks to this machine.
async fn running() -> Running {
    let endpoints = WebhookTargets::lenient();
    let running = Running::with(Serve { endpoints, ..settings() }, START).await;
    let reports =
        [Spirit, Water, Both].map(|kind| report(kind.as_str(), kind).at("Lyon", "", "FR"));
    running.publish(&reports).await;
    running
}

/// Routes of the API in the router's source.
fn routes() -> Vec<&'static str> {
    let source = include_str!("../../../src/router.rs");
    let quoted = source.split('"').skip(1).step_by(2);
    quoted.filter(|text| text.starts_with("/api/v1/")).collect()
}

#[tokio::test]
async fn responses_that_ask_clients_to_wait_are_described_with_retry_after() {
    let running = running().await;
    for path in [PATH, "/api/v1/openapi-3.0.json"] {
        let document = running.json(path).await;
        let operations = document["paths"].as_object().unwrap().values();
        let operations = operations.flat_map(|operations| operations.as_object().unwrap().values());
        let mut conflicts = 0;
        for operation in operations {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let codes = response["x-codes"].as_array().into_iter().flatten();
                let is_conflict = codes.into_iter().any(|code| code == "IDEMPOTENCY_CONFLICT");
                conflicts += usize::from(is_conflict);
                let waits = is_conflict || ["429", "503"].contains(&&**status);
                let described = response["headers"].get("Retry-After").is_some();
                assert_eq!(described, waits, "{status} of {}", operation["operationId"]);
            }
        }
        assert!(conflicts > 3, "{conflicts} in {path}");
    }
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
        let everywhere = ["head", "options"];
        let mut allowed: Vec<_> =
            allowed.split(',').filter(|method| !everywhere.contains(method)).collect();
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
    assert_eq!(problem["x-extensible-enum"], json!(Code::ALL.map(Code::as_str).as_slice()));
    let paths = document["paths"].to_string();
    for code in Code::ALL {
        let said = format!("`{}` ({}): {}", code.as_str(), code.status().as_u16(), code.when());
        assert!(problem["description"].as_str().unwrap().contains(&said), "{said}");
        // `CONFLICT` and `INVALID_CSV` belong to the operator API. No operation can have a method that does not exist.
        // oEmbed is not in the API. The last four are sent for requests that reach no operation.
        let in_paths = paths.contains(&format!("\"{}\"", code.as_str()));
        let elsewhere = matches!(
            code,
            Code::MethodNotAllowed
                | Code::Conflict
                | Code::InvalidCsv
                | Code::UnsupportedFormat
                | Code::TooManyConnections
                | Code::MalformedRequest
                | Code::RequestTimeout
                | Code::HeadTooLarge
        );
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
    assert_eq!((ids.len(), distinct.len()), (34, 34), "{ids:?}");
}

/// Members of the parts of a document, with the paths to them; without data.
fn members<'d>(value: &'d Value, path: &str, found: &mut Vec<(String, &'d Value)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| members(item, path, found)),
        Value::Object(all) => {
            for (name, value) in all {
                if ["example", "examples", "enum", "default"].contains(&&**name) {
                    continue;
                }
                let path = format!("{path}/{name}");
                found.push((path.clone(), value));
                members(value, &path, found);
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn the_document_in_3_0_has_the_same_operations_and_nothing_that_only_3_1_has() {
    let running = running().await;
    let document = running.json(PATH).await;
    let answer = running.get("/api/v1/openapi-3.0.json").await;
    assert!(!answer.header("etag").is_empty());
    let older = answer.json();
    assert_eq!(older["openapi"], "3.0.3");
    let names = |document: &Value| -> Vec<String> {
        document["paths"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(names(&older), names(&document));
    let mut found = Vec::new();
    members(&older, "", &mut found);
    assert!(found.len() > 1_000, "{}", found.len());
    for (path, value) in &found {
        let (parent, name) = path.rsplit_once('/').unwrap();
        let is_property = parent.ends_with("/properties");
        let is_new = ["const", "$defs", "prefixItems", "exclusiveMinimum"].contains(&name)
            || ["/webhooks", "/info/summary", "/info/license/identifier"].contains(&&**path);
        assert!(!is_new || is_property, "{path}");
        if name == "type" && !is_property {
            assert!(value.is_string() && *value != "null", "{path}: {value}");
        }
        if let Some(members) = value.as_object().filter(|members| members.contains_key("$ref")) {
            assert_eq!(members.len(), 1, "{path}: {value}");
        }
        // Some generators take it for a response of success.
        assert!(!path.ends_with("/responses/default"), "{path}");
    }
    // Members that 3.1 describes by an alternative.
    let nullable =
        |(path, value): &&(String, &Value)| path.ends_with("/nullable") && **value == true;
    assert!(found.iter().filter(nullable).count() > 0);
}

/// Generators for Go give a constructor to each schema, `New` and its name.
#[tokio::test]
async fn no_schema_has_the_name_of_a_constructor() {
    let document = running().await.json(PATH).await;
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let constructors: Vec<_> = schemas.keys().filter(|name| name.starts_with("New")).collect();
    assert!(constructors.is_empty(), "{constructors:?}");
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
    assert_eq!(seen, 33);
}

#[tokio::test]
async fn the_document_says_where_the_client_reached_the_service() {
    let running = Running::new().await;
    let answer = running.get(PATH).await;
    assert_eq!(located(&answer.json()), running.url(""));
    assert!(answer.headers.get_all("vary").iter().any(|vary| vary == "host"));
    let other = running.get_with(PATH, &[("host", "svc.example.org:8443")]).await;
    assert_eq!(located(&other.json()), "http://svc.example.org:8443");
    assert_ne!(answer.header("etag"), other.header("etag"));
    let hostile = running.get_with(PATH, &[("host", "evil.example\"}><script>")]).await;
    assert!(!hostile.text().contains("evil"), "{}", hostile.text());
}

#[tokio::test]
async fn the_document_says_the_public_url_to_everybody() {
    let running = Running::with(reached_at("https://svc.example.org"), START).await;
    let answer = running.get(PATH).await;
    assert_eq!(located(&answer.json()), "https://svc.example.org");
    assert!(!answer.headers.get_all("vary").iter().any(|vary| vary == "host"));
}

/// Base URL of all absolute URLs in the document.
fn located(document: &Value) -> &str {
    let url = document["servers"][0]["url"].as_str().unwrap();
    assert_eq!(document["servers"], json!([{ "url": url }]));
    assert_eq!(document["externalDocs"]["url"], format!("{url}/docs"));
    assert_eq!(document["info"]["contact"]["url"], url);
    url
}

#[tokio::test]
async fn only_what_a_client_sends_is_a_closed_list() {
    let document = running().await.json(PATH).await;
    let mut closed = Vec::new();
    collect_enums(&document, String::new(), &mut closed);
    let members = [
        "ReportSubmission/properties/type",
        "SubscriptionInput/properties/events/items",
        "FilterInput/properties/types/items",
        "SubscriptionChange/properties/events/items",
        "SubscriptionChange/properties/status",
        "TestEvent/properties/event",
        "TestReport/properties/type/anyOf/0",
        "ReplayRequest/properties/status",
    ];
    let members = members.map(|member| format!("/components/schemas/{member}"));
    let parameters = ["series/get/parameters/0", "by/get/parameters/0", "by/get/parameters/7"];
    let parameters =
        parameters.map(|parameter| format!("/paths//api/v1/metrics/{parameter}/schema"));
    assert_eq!(closed, [parameters.to_vec(), members.to_vec()].concat());
}

fn collect_enums(value: &Value, at: String, closed: &mut Vec<String>) {
    if value["enum"].is_array() {
        closed.push(at.clone());
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        collect_enums(member, format!("{at}/{name}"), closed);
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        collect_enums(item, format!("{at}/{index}"), closed);
    }
}

#[tokio::test]
async fn every_described_parameter_is_read() {
    let running = running().await;
    let document = running.json(PATH).await;
    let key = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let mut read = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let parameters = methods["get"]["parameters"].as_array().into_iter().flatten();
        let parameters: Vec<_> =
            parameters.filter(|parameter| parameter["in"] == "query").collect();
        for parameter in &parameters {
            let name = parameter["name"].as_str().unwrap();
            let mut query = format!("{name}=%ff");
            for other in &parameters {
                if other["required"] == true && other["name"] != name {
                    let (name, value) = (&other["name"], &other["example"]);
                    query += &format!("&{}={}", name.as_str().unwrap(), value.as_str().unwrap());
                }
            }
            let path = format!("{path}?{query}");
            let answer = running.get_with(&path, &[("authorization", &key)]).await;
            assert_eq!(answer.status, 400, "{path}: {}", answer.text());
            let detail = answer.json()["detail"].as_str().unwrap().to_owned();
            assert_eq!(detail, format!("The value of {name:?} is not UTF-8."));
            read.push(name.to_owned());
        }
    }
    assert_eq!(read.len(), 7 + 11 + 8 + 12 + 2 + 3 * 10 + 4 + 4 + 9 + 1 + 4, "{read:?}");
}

#[tokio::test]
async fn the_examples_of_parameters_work_on_a_service_that_has_just_begun() {
    let running = super::webhooks::running().await;
    running.publish(&[report("rep_1f0c", Spirit)]).await;
    let document = running.json(PATH).await;
    let key = running.key("Aid", Tier::Partner).await;
    let body = r#"{"url":"http://127.0.0.1:9/","events":["report.created"]}"#;
    let created = super::webhooks::post(&running, &key, body).await.json();
    let id = created["subscription"]["id"].as_str().unwrap();
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let parameters = methods["get"]["parameters"].as_array().into_iter().flatten();
        let in_query = parameters.filter(|parameter| parameter["in"] == "query");
        let (required, others): (Vec<_>, Vec<_>) =
            in_query.partition(|parameter| parameter["required"] == true);
        for other in others {
            let mut query = url::form_urlencoded::Serializer::new(String::new());
            for parameter in required.iter().chain([&other]) {
                let (name, example) = (parameter["name"].as_str().unwrap(), &parameter["example"]);
                let values = match example {
                    _ if name == "id" => vec![id.to_owned()],
                    Value::Array(values) => {
                        values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
                    }
                    Value::String(text) => vec![text.clone()],
                    other => vec![other.to_string()],
                };
                query.extend_pairs(values.iter().map(|value| (name, value)));
            }
            let path = path.replace("{id}", "rep_1f0c");
            let url = running.url(&format!("{path}?{}", query.finish()));
            let answer = running.http.get(&url).bearer_auth(key.as_str()).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{url}");
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}
