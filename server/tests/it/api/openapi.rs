use app::model::ReportType::{Both, Spirit, Water};
use axum::{body::Bytes, http::HeaderMap};
use reqwest::Method;
use serde_json::{Value, json};
use svc::{
    config::{Endpoints, Serve},
    error::Code,
    keys::Tier,
    random::Random,
    webhooks::{client::Client, dispatcher::Dispatcher, resolver::Resolver},
};
use tokio::{net::TcpListener, sync::mpsc};

use crate::{
    harness::{Answer, But, Running, START, report, settings, soon},
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
        // A method that there is not has no operation that could name it.
        let in_paths = paths.contains(&format!("\"{}\"", code.as_str()));
        assert_eq!(in_paths, code != Code::MethodNotAllowed, "{code:?}");
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

/// Checks an answer against what the document says of the operation.
fn holds(document: &Value, method: &str, path: &str, answer: &Answer) {
    let at = format!("{method} {path}: {} {}", answer.status, answer.text());
    let path = path.split('?').next().unwrap();
    let responses = &document["paths"][path][method]["responses"];
    let response = &responses[answer.status.to_string()];
    assert!(response.is_object(), "{at} is not described");
    for (name, header) in response["headers"].as_object().unwrap() {
        assert!(!answer.header(name).is_empty(), "{name} is missing in {at}");
        let pointer = header["$ref"].as_str().unwrap().strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some());
    }
    let kind = answer.header("content-type").split(';').next().unwrap();
    match response["content"].get(kind) {
        Some(media) => {
            assert_eq!(faults(document, &media["schema"], &answer.json()), [""; 0], "{at}")
        }
        None => assert!(response["content"].is_null() && answer.body.is_empty(), "{at}"),
    }
}

#[tokio::test]
async fn real_answers_of_reads_are_as_described() {
    let running = running().await;
    let document = running.json(PATH).await;
    let period = "from=2024-01-01&to=2026-12-31";
    for (path, status) in [
        ("metrics".to_owned(), 200),
        (format!("metrics?country=FR&{period}"), 200),
        ("metrics?from=x".to_owned(), 400),
        ("metrics?city=%ff".to_owned(), 400),
        (format!("geo-facets?{period}"), 200),
        ("geo-facets".to_owned(), 400),
        ("reports".to_owned(), 200),
        ("reports?limit=1&since=2020-01-01T00:00:00Z".to_owned(), 200),
        ("reports?limit=0".to_owned(), 400),
        ("reports?since=x".to_owned(), 400),
        ("stream?country=%ff".to_owned(), 400),
        ("webhooks".to_owned(), 401),
        ("openapi.json".to_owned(), 200),
    ] {
        let path = format!("/api/v1/{path}");
        let answer = running.get(&path).await;
        assert_eq!(answer.status, status, "{path}");
        holds(&document, "get", &path, &answer);
        if let etag @ [_, ..] = answer.header("etag").as_bytes() {
            let etag = std::str::from_utf8(etag).unwrap();
            let again = running.get_with(&path, &[("if-none-match", etag)]).await;
            assert_eq!(again.status, 304);
            holds(&document, "get", &path, &again);
        }
        let refused = running.get_with(&path, &[("authorization", "Bearer x")]).await;
        assert_eq!(refused.status, 401);
        holds(&document, "get", &path, &refused);
    }
    let busy = ("x-forwarded-for", "192.0.2.1");
    for _ in 0..60 {
        running.get_with(PATH, &[busy]).await;
    }
    let limited = running.get_with(PATH, &[busy]).await;
    assert_eq!(limited.status, 429, "the description is a request as any other");
    holds(&document, "get", PATH, &limited);
}

#[tokio::test]
async fn real_answers_to_partners_are_as_described() {
    let running = running().await;
    let document = running.json(PATH).await;
    let path = "/api/v1/webhooks";
    let partner = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let operator = format!("Bearer {}", running.key("Us", Tier::Operator).await.as_str());
    let good = r#"{"url":"http://127.0.0.1:9/","events":["report.created"]}"#;
    let mut bodies = vec![(&operator, good.to_owned(), 403)];
    bodies.push((&partner, "{".to_owned(), 400));
    bodies.push((&partner, r#"{"url":"no"}"#.to_owned(), 400));
    bodies.push((&partner, good.replace("report.created", "x"), 400));
    bodies.push((&partner, " ".repeat(17 << 10), 413));
    bodies.extend((0..25).map(|_| (&partner, good.to_owned(), 201)));
    bodies.push((&partner, good.to_owned(), 409));
    for (key, body, status) in bodies {
        let request = running.http.post(running.url(path)).body(body);
        let headers = [("authorization", key.as_str()), ("content-type", "application/json")];
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        holds(&document, "post", path, &answer);
    }
    let request = running.http.post(running.url(path)).body(good);
    let answer = running.ask(request, &[("authorization", &partner)]).await;
    assert_eq!(answer.status, 415);
    holds(&document, "post", path, &answer);

    let listed = running.get_with(path, &[("authorization", &partner)]).await;
    holds(&document, "get", path, &listed);
    let id = listed.json()["subscriptions"][0]["id"].as_str().unwrap().to_owned();
    for (query, status) in
        [(format!("?id={id}"), 204), (format!("?id={id}"), 404), (String::new(), 400)]
    {
        let request = running.http.delete(running.url(&format!("{path}{query}")));
        let answer = running.ask(request, &[("authorization", &partner)]).await;
        assert_eq!(answer.status, status);
        holds(&document, "delete", path, &answer);
    }
}

#[tokio::test]
async fn real_events_of_the_stream_are_as_described() {
    let running = running().await;
    let document = running.json(PATH).await;
    let response = &document["paths"]["/api/v1/stream"]["get"]["responses"]["200"];
    let schema = &response["content"]["text/event-stream"]["schema"];
    let example = response["content"]["text/event-stream"]["example"].as_str().unwrap();
    let mut stream = running.http.get(running.url("/api/v1/stream")).send().await.unwrap();
    for name in response["headers"].as_object().unwrap().keys() {
        assert!(stream.headers().contains_key(name), "{name}");
    }
    let mut sent = String::new();
    while sent.matches("\n\n").count() < 3 {
        let chunk = soon("a tick", stream.chunk()).await.unwrap().unwrap();
        sent.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    let failed = String::from_utf8(svc::frame::failed().to_vec()).unwrap();
    for (text, names) in [
        (example, ["metrics", "reports"].as_slice()),
        (&sent, &["metrics", "reports"]),
        (&failed, &["error"]),
    ] {
        let events = events(text);
        assert_eq!(faults(&document, schema, &json!(events)), [""; 0], "{text}");
        let got: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(got, names);
    }
}

/// The events of a stream's text, by name and with their data.
fn events(text: &str) -> Vec<Value> {
    let named = text.split("\n\n").filter_map(|block| block.strip_prefix("event: "));
    named
        .map(|event| {
            let (name, data) = event.split_once("\ndata: ").unwrap();
            json!({ "event": name, "data": serde_json::from_str::<Value>(data).unwrap() })
        })
        .collect()
}

#[tokio::test]
async fn real_deliveries_are_as_described() {
    let running = running().await;
    let document = running.json(PATH).await;
    let (sender, mut received) = mpsc::unbounded_channel();
    let receive = async move |headers: HeaderMap, body: Bytes| {
        sender.send((headers, serde_json::from_slice::<Value>(&body).unwrap())).unwrap();
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let receiver = axum::Router::new().route("/", axum::routing::post(receive));
    tokio::spawn(async move { axum::serve(listener, receiver).await });

    let key = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let body = json!({ "url": url, "events": ["report.created", "metrics.updated"] });
    let request = running.http.post(running.url("/api/v1/webhooks")).body(body.to_string());
    let headers = [("authorization", key.as_str()), ("content-type", "application/json")];
    assert_eq!(running.ask(request, &headers).await.status, 201);
    running.publish(&[report("new", Water)]).await;
    // The service's own waits for its clock, which this test does not step.
    let store = running.database.elsewhere().await;
    let client = Client::new(running.service.app.settings.endpoints, Resolver::system()).unwrap();
    let mut dispatcher = Dispatcher::new(store, running.clock.clone(), Random::seeded(2), client);
    assert_eq!(dispatcher.dispatch_due().await.unwrap(), 2);

    let mut described: Vec<&String> = document["webhooks"].as_object().unwrap().keys().collect();
    for _ in 0..2 {
        let (headers, body) = soon("a delivery", received.recv()).await.unwrap();
        let name = body["event"].as_str().unwrap();
        described.retain(|described| *described != name);
        let post = &document["webhooks"][name]["post"];
        let schema = &post["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(faults(&document, schema, &body), [""; 0], "{body}");
        for header in post["parameters"].as_array().unwrap() {
            let value = headers[header["name"].as_str().unwrap()].to_str().unwrap();
            assert_eq!(faults(&document, &header["schema"], &json!(value)), [""; 0]);
        }
    }
    assert_eq!(described, [""; 0], "each event was sent");
}

#[tokio::test]
async fn the_document_says_where_the_service_is() {
    let public_url = Some("https://svc.example.org".to_owned());
    let running = Running::with(Serve { public_url, ..settings() }, START).await;
    assert_eq!(running.json(PATH).await["servers"], json!([{ "url": "https://svc.example.org" }]));
}
