//! The OpenAPI document of the operator API, checked against real responses.

use std::collections::BTreeSet;

use domain::{scope::Scope, tier::Tier};
use model::ReportType::{Spirit, Water};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Desk, key};
use crate::{
    description::Description,
    harness::{But, report},
    schema::faults,
};

const PATH: &str = "/operator/v1/openapi.json";
const JSON: &str = "application/json";

/// Routes in the router's source.
fn routes() -> BTreeSet<&'static str> {
    let source = include_str!("../../../src/operator.rs");
    let quoted = source.split('"').skip(1).step_by(2);
    quoted.filter(|text| text.starts_with("/operator/v1/")).collect()
}

/// Method, path and description of each operation.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let of_path = |(path, methods): (&'_ String, &'_ Value)| -> Vec<(String, String)> {
        let methods = methods.as_object().unwrap().keys();
        methods.map(|method| (path.clone(), method.clone())).collect()
    };
    let names: Vec<(String, String)> = paths.flat_map(of_path).collect();
    let found = names.iter().map(|(path, method)| {
        let (path, methods) = document["paths"].as_object().unwrap().get_key_value(path).unwrap();
        let (method, operation) = methods.as_object().unwrap().get_key_value(method).unwrap();
        (method.as_str(), path.as_str(), operation)
    });
    found.collect()
}

/// Path with its parameters replaced by their examples.
fn filled(path: &str, operation: &Value) -> String {
    let parameters = operation["parameters"].as_array().unwrap().iter();
    let segments = parameters.filter(|parameter| parameter["in"] == "path");
    segments.fold(path.to_owned(), |path, segment| {
        let (name, example) = (segment["name"].as_str(), segment["example"].as_str());
        path.replace(&format!("{{{}}}", name.unwrap()), example.unwrap())
    })
}

#[tokio::test]
async fn every_route_is_described_and_no_other() {
    let desk = Desk::new().await;
    let document = desk.running.json(PATH).await;
    let described: BTreeSet<&str> =
        document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(described, routes());
    for path in described {
        let request = desk.running.http.request(Method::TRACE, desk.running.url(path));
        let allowed = desk.running.ask(request, &[]).await.header("allow").to_lowercase();
        let everywhere = ["head", "options"];
        let allowed: BTreeSet<_> =
            allowed.split(',').filter(|method| !everywhere.contains(method)).collect();
        let methods = document["paths"][path].as_object().unwrap().keys();
        assert_eq!(methods.map(String::as_str).collect::<BTreeSet<_>>(), allowed, "{path}");
    }
}

#[tokio::test]
async fn references_lead_somewhere_examples_are_right_and_names_are_distinct() {
    let document = Desk::new().await.running.json(PATH).await;
    assert_eq!(document["openapi"], "3.1.0");
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(text.contains(&format!("#/components/schemas/{name}\"")), "{name} is not used");
    }
    let (mut names, mut seen) = (BTreeSet::new(), 0);
    let operations = operations(&document);
    for (_, path, operation) in &operations {
        assert!(names.insert(operation["operationId"].as_str().unwrap()), "{path}");
        let responses = operation["responses"].as_object().unwrap().values();
        let bodies = responses.chain([&operation["requestBody"]]);
        for media in bodies.map(|body| &body["content"][JSON]) {
            if media["example"].is_object() {
                let (schema, example) = (&media["schema"], &media["example"]);
                assert_eq!(faults(&document, schema, example), [""; 0], "{path}: {example}");
                seen += 1;
            }
        }
    }
    assert_eq!((operations.len(), seen), (27, 39));
}

#[tokio::test]
async fn every_described_parameter_is_read() {
    let desk = Desk::new().await;
    let document = desk.running.json(PATH).await;
    let mut read = Vec::new();
    for (method, path, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().unwrap() {
            if parameter["in"] != "query" {
                continue;
            }
            let name = parameter["name"].as_str().unwrap();
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let path = format!("{path}?{name}=%ff");
            let answer = desk.ask(&desk.key, method, &path, Some((JSON, "{}".to_owned()))).await;
            assert_eq!(answer.status, 400, "{path}: {}", answer.text());
            let detail = format!("The value of {name:?} is not UTF-8.");
            assert_eq!(answer.json()["detail"], detail);
            read.push(name);
        }
    }
    assert_eq!(read.len(), 12 + 1 + 1 + 4 + 8 + 2, "{read:?}");
}

#[tokio::test]
async fn the_scope_that_an_operation_names_is_the_one_that_it_needs() {
    let desk = Desk::new().await;
    let document = desk.running.json(PATH).await;
    for scope in Scope::ALL {
        let key = key(&desk.running, scope.as_str(), Tier::Operator, Some(scope)).await;
        for (method, path, operation) in operations(&document) {
            let Some(needed) = operation["security"][0]["key"][0].as_str() else {
                assert_eq!(path, PATH, "only the description is for everybody");
                continue;
            };
            let needed = Scope::ALL.into_iter().find(|scope| scope.as_str() == needed).unwrap();
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let answer = desk.ask(&key, method, &filled(path, operation), None).await;
            assert_eq!(answer.status == 403, scope < needed, "{scope} {path}: {}", answer.text());
        }
    }
}

#[tokio::test]
async fn real_answers_are_as_described() {
    let desk = Desk::of("Maria", Scope::Admin).await;
    let mut description = Description::of(desk.running.json(PATH).await);
    let partner = key(&desk.running, "Aid", Tier::Partner, None).await;
    let document = description.document.clone();
    for (method, path, operation) in operations(&document) {
        let real = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let filled = filled(path, operation);
        let request = desk.running.http.request(real.clone(), desk.running.url(&filled));
        let refused = desk.running.ask(request, &[("authorization", "Bearer x")]).await;
        assert_eq!(refused.status, 401);
        description.holds(method, path, &refused);
        if path != PATH {
            let refused = desk.ask(&partner, real, &filled, None).await;
            assert_eq!(refused.status, 403);
            description.holds(method, path, &refused);
        }
    }
    description.holds("get", PATH, &desk.running.get(PATH).await);

    let new = json!({ "url": "https://127.0.0.1/", "events": ["report.created"] });
    let subscribed =
        desk.ask(&partner, Method::POST, "/api/v1/webhooks", Some((JSON, new.to_string()))).await;
    let webhook = subscribed.json()["subscription"]["id"].as_str().unwrap().to_owned();
    desk.running.publish(&[report("a", Spirit), report("b", Water).at("Lyon", "", "FR")]).await;

    let reports = "/operator/v1/reports";
    let report = "/operator/v1/reports/{id}";
    let by_id = "/operator/v1/report";
    let row = |id: &str| json!({ "id": id, "type": "spirit", "city": "Lyon", "country": "FR" });
    let large = " ".repeat((1 << 20) + 1);
    for (method, path, at, body, status) in [
        ("post", reports, "", row("c").to_string(), 201),
        ("post", reports, "", row("c").to_string(), 200),
        ("post", reports, "", row("e").to_string().replace('{', "{\"typ\":1,"), 201),
        ("post", reports, "?approve=true", row("d").to_string(), 201),
        ("post", reports, "", json!({ "type": "x" }).to_string(), 422),
        ("post", reports, "", "1".to_owned(), 422),
        ("post", reports, "", "[".to_owned(), 400),
        ("post", reports, "?approve=x", String::new(), 400),
        ("get", reports, "", String::new(), 200),
        ("get", reports, "?limit=1", String::new(), 200),
        ("get", reports, "?limit=x", String::new(), 400),
        ("get", reports, "?from=x", String::new(), 400),
        ("get", reports, "?status=x", String::new(), 400),
        ("get", report, "a", String::new(), 200),
        ("get", report, "unknown", String::new(), 404),
        ("patch", report, "a", json!({ "peopleCount": 7 }).to_string(), 200),
        ("patch", report, "a", json!({ "peopleCount": 0 }).to_string(), 422),
        ("patch", report, "unknown", json!({ "peopleCount": 7 }).to_string(), 404),
        ("patch", report, "a", "{".to_owned(), 400),
        ("patch", report, "a", json!({ "id": "b" }).to_string(), 400),
        ("patch", report, "a", " ".repeat(17 << 10), 413),
        ("get", report, "a", String::new(), 200),
        ("get", by_id, "?id=a", String::new(), 200),
        ("get", by_id, "?id=unknown", String::new(), 404),
        ("get", by_id, "", String::new(), 400),
        ("patch", by_id, "?id=a", json!({ "peopleCount": 8 }).to_string(), 200),
        ("patch", by_id, "?id=a", json!({ "peopleCount": 0 }).to_string(), 422),
        ("patch", by_id, "?id=unknown", json!({ "peopleCount": 7 }).to_string(), 404),
        ("patch", by_id, "?id=a", "{".to_owned(), 400),
        ("patch", by_id, "?id=a", json!({ "id": "b" }).to_string(), 400),
        ("patch", by_id, "", "{}".to_owned(), 400),
        ("patch", by_id, "?id=a", " ".repeat(17 << 10), 413),
    ] {
        let real =
            if at.starts_with('?') { format!("{path}{at}") } else { path.replace("{id}", at) };
        let answer = desk.sent(method, &real, JSON, body).await;
        assert_eq!(answer.status, status, "{real}: {}", answer.text());
        description.holds(method, path, &answer);
    }
    for (method, path) in [("post", reports), ("patch", report), ("patch", by_id)] {
        let real = path.replace("{id}", "a") + "?id=a";
        let answer = desk.sent(method, &real, "text/plain", String::new()).await;
        assert_eq!(answer.status, 415);
        description.holds(method, path, &answer);
    }
    let answer = desk.sent("post", reports, "text/csv", "city,country\n".to_owned()).await;
    assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("INVALID_CSV")));
    description.holds("post", reports, &answer);
    for step in ["withdraw", "restore", "reopen", "approve", "reject"] {
        let path = format!("/operator/v1/reports/{step}");
        for (kind, body, status) in [
            (JSON, json!({ "ids": ["a", "unknown"] }).to_string(), 200),
            (JSON, json!({ "filter": { "country": "FR" } }).to_string(), 200),
            (JSON, json!({ "ids": ["a"], "reason": "Test" }).to_string(), 200),
            (JSON, json!({ "ids": ["a"], "reason": 7 }).to_string(), 400),
            (JSON, json!({ "ids": ["a"], "reason": "x".repeat(501) }).to_string(), 400),
            (JSON, json!({ "filter": { "type": "x" } }).to_string(), 400),
            (JSON, "{}".to_owned(), 400),
            (JSON, "{".to_owned(), 400),
            (JSON, json!({ "filter": { "contry": "FR" } }).to_string(), 400),
            (JSON, large.clone(), 413),
            ("text/plain", String::new(), 415),
        ] {
            let answer = desk.sent("post", &path, kind, body).await;
            assert_eq!(answer.status, status, "{path}: {}", answer.text());
            description.holds("post", &path, &answer);
        }
    }

    let bearer = format!("Bearer {}", desk.key.as_str());
    let change = Some(r#"{"peopleCount":9}"#);
    for (path, real) in [(report, "/operator/v1/reports/a"), (by_id, "/operator/v1/report?id=a")] {
        let change_of = ("patch", path, real);
        description.refuses_other_states(&desk.running, &bearer, change_of, change).await;
    }
    let of_operator = (bearer.as_str(), "key 1");
    description.refuses_idempotency_keys(&desk.running, of_operator, |_| true).await;
    let request = desk.running.http.post(desk.running.url(reports)).body(large.clone());
    let headers =
        [("authorization", &*bearer), ("content-type", "text/csv"), ("idempotency-key", "k")];
    let answer = desk.running.ask(request, &headers).await;
    assert_eq!(answer.status, 413);
    description.holds("post", reports, &answer);

    let (keys, one_key) = ("/operator/v1/keys", "/operator/v1/keys/{prefix}");
    let made = json!({ "partner": "Ada", "tier": "operator", "scope": "read" }).to_string();
    let made = desk.sent("post", keys, JSON, made).await;
    description.holds("post", keys, &made);
    let made = made.json()["prefix"].as_str().unwrap().to_owned();
    for (method, path, at, kind, body, status) in [
        ("post", keys, "", JSON, json!({ "partner": "Us" }).to_string(), 201),
        ("post", keys, "", JSON, "{".to_owned(), 400),
        ("post", keys, "", JSON, json!({ "holder": "Us" }).to_string(), 400),
        ("post", keys, "", JSON, json!({ "partner": "" }).to_string(), 400),
        ("post", keys, "", JSON, " ".repeat(17 << 10), 413),
        ("post", keys, "", "text/plain", String::new(), 415),
        ("get", keys, "", JSON, String::new(), 200),
        ("delete", one_key, &made, JSON, String::new(), 200),
        ("delete", one_key, "svc_unknown0", JSON, String::new(), 404),
    ] {
        let real = path.replace("{prefix}", at);
        let answer = desk.sent(method, &real, kind, body).await;
        assert_eq!(answer.status, status, "{real}: {}", answer.text());
        description.holds(method, path, &answer);
    }

    let webhooks = "/operator/v1/webhooks";
    let delivery = desk.a_delivery().await;
    let ahead = domain::cursor::Cursor::after(1_000).unwrap();
    let everything = json!({ "from": "2026-03-01T12:00:00Z" }).to_string();
    for (method, end) in [("post", "/enable"), ("post", "/disable"), ("delete", "")] {
        let (path, real) =
            (format!("{webhooks}/{{id}}{end}"), format!("{webhooks}/{webhook}{end}"));
        let change = (method, path.as_str(), real.as_str());
        description.refuses_other_states(&desk.running, &bearer, change, None).await;
    }
    for (method, path, at, kind, body, status) in [
        ("get", "", "", JSON, String::new(), 200),
        ("get", "/deliveries", "?status=PENDING&limit=1", JSON, String::new(), 200),
        ("get", "/deliveries", "?limit=x", JSON, String::new(), 400),
        ("get", "/deliveries", "?after=x", JSON, String::new(), 400),
        ("get", "/deliveries", "?subscription=sub_x", JSON, String::new(), 404),
        ("post", "/{id}/replay", &webhook, JSON, everything.clone(), 202),
        ("post", "/{id}/replay", &webhook, JSON, "{}".to_owned(), 400),
        ("post", "/{id}/replay", &webhook, JSON, "{".to_owned(), 400),
        ("post", "/{id}/replay", &webhook, JSON, r#"{"form":""}"#.to_owned(), 400),
        ("post", "/{id}/replay", &webhook, JSON, format!(r#"{{"after":"{ahead}"}}"#), 410),
        ("post", "/{id}/replay", &webhook, JSON, " ".repeat(17 << 10), 413),
        ("post", "/{id}/replay", &webhook, "text/plain", String::new(), 415),
        ("post", "/{id}/replay", "sub_x", JSON, everything, 404),
        ("post", "/{id}/test", &webhook, JSON, String::new(), 200),
        ("post", "/{id}/test", &webhook, JSON, String::new(), 429),
        ("post", "/{id}/test", &webhook, JSON, "{".to_owned(), 400),
        ("post", "/{id}/test", &webhook, JSON, r#"{"event":"x"}"#.to_owned(), 400),
        ("post", "/{id}/test", &webhook, JSON, " ".repeat(17 << 10), 413),
        ("post", "/{id}/test", &webhook, "text/plain", "x".to_owned(), 415),
        ("post", "/{id}/test", "sub_x", JSON, String::new(), 404),
        ("post", "/deliveries/{id}/redeliver", &delivery, JSON, String::new(), 202),
        ("post", "/deliveries/{id}/redeliver", "dlv_9_9", JSON, String::new(), 404),
        ("post", "/{id}/disable", &webhook, JSON, r#"{"reason":"why not"}"#.to_owned(), 200),
        ("post", "/{id}/disable", &webhook, JSON, r#"{"reason":1}"#.to_owned(), 400),
        ("post", "/{id}/disable", &webhook, JSON, "{".to_owned(), 400),
        ("post", "/{id}/disable", &webhook, JSON, r#"{"why":""}"#.to_owned(), 400),
        ("post", "/{id}/disable", &webhook, JSON, " ".repeat(17 << 10), 413),
        ("post", "/{id}/disable", &webhook, "text/plain", "x".to_owned(), 415),
        ("post", "/{id}/disable", "sub_x", JSON, String::new(), 404),
        ("get", "", "", JSON, String::new(), 200),
        ("post", "/deliveries/{id}/redeliver", &delivery, JSON, String::new(), 409),
        ("post", "/{id}/enable", &webhook, JSON, String::new(), 200),
        ("post", "/{id}/enable", "sub_x", JSON, String::new(), 404),
        ("get", "/{id}", &webhook, JSON, String::new(), 200),
        ("get", "/{id}", "sub_x", JSON, String::new(), 404),
        ("delete", "/{id}", &webhook, JSON, String::new(), 200),
        ("delete", "/{id}", "sub_x", JSON, String::new(), 404),
    ] {
        let path = format!("{webhooks}{path}");
        let real =
            if at.starts_with('?') { format!("{path}{at}") } else { path.replace("{id}", at) };
        let answer = desk.sent(method, &real, kind, body).await;
        assert_eq!(answer.status, status, "{method} {real}: {}", answer.text());
        description.holds(method, &path, &answer);
    }

    for (path, query, status) in [
        ("audit", "", 200),
        ("audit", "?limit=0", 400),
        ("audit", "?action=x", 400),
        ("audit", "?from=x", 400),
        ("imports", "", 200),
        ("imports", "?limit=0", 400),
        ("imports", "?limits=1", 400),
        ("status", "", 200),
    ] {
        let path = format!("/operator/v1/{path}");
        let answer = desk.sent("get", &format!("{path}{query}"), JSON, String::new()).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
        description.holds("get", &path, &answer);
    }
    description.names_every_problem_of(|_| true);
}

impl Desk {
    async fn sent(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: String,
    ) -> crate::harness::Answer {
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let body = Some((kind, body)).filter(|(_, body)| !body.is_empty());
        self.ask(&self.key, method, path, body).await
    }

    /// Waits for a delivery and returns its id.
    async fn a_delivery(&self) -> String {
        let tried = async {
            loop {
                self.running.clock.advance(webhooks::dispatcher::POLL_INTERVAL);
                let listed = self.get("/operator/v1/webhooks/deliveries").await;
                if let Some(id) = listed["items"][0]["id"].as_str() {
                    return id.to_owned();
                }
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        };
        crate::harness::soon("a delivery", tried).await
    }
}

#[tokio::test]
async fn the_reference_is_a_page_and_for_programs_the_document() {
    let desk = Desk::new().await;
    let page = desk.running.get("/docs/operator").await;
    assert_eq!((page.status, page.header("x-frame-options")), (200, "DENY"));
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    let html = page.text();
    assert!(html.starts_with("<!DOCTYPE html>"), "{html}");
    for path in routes() {
        assert!(html.contains(&format!("<code>{path}</code>")), "{path}");
    }
    assert!(html.contains("Needs an operator\u{2019}s key with the scope <code>admin</code>."));
    let json = [("accept", "application/json")];
    let document = desk.running.get_with("/docs/operator", &json).await;
    assert_eq!(document.json(), desk.running.json(PATH).await);
    let base = desk.running.url("");
    assert_eq!(document.json()["externalDocs"]["url"], format!("{base}/docs/operator"));
    let anything_else = [("accept", "application/json;q=0, */*")];
    assert_eq!(desk.running.get_with("/docs/operator", &anything_else).await.text(), html);
    let public = desk.running.json("/api/v1/openapi.json").await.to_string();
    assert!(!public.contains("/operator/"), "the public document is another one");
}
