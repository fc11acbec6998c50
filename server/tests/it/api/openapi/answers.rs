//! Real answers, held against what the document says of the operation: their form, their headers,
//! and that each operation names the problems which it answers and no other.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use app::model::ReportType::Water;
use serde_json::Value;
use svc::domain::tier::Tier;

use super::{PATH, running};
use crate::{
    harness::{Answer, Running, report},
    schema::faults,
};

const WEBHOOKS: &str = "/api/v1/webhooks";
const EVENTS: &str = "/api/v1/events";
const DELIVERIES: &str = "/api/v1/webhooks/deliveries";
const ROTATE: &str = "/api/v1/webhooks/rotate";
const TEST: &str = "/api/v1/webhooks/test";
const REPLAY: &str = "/api/v1/webhooks/replay";
/// Common to all operations, and not asked of each.
const ANYWHERE: [&str; 3] = ["RATE_LIMITED", "UNAVAILABLE", "INTERNAL"];

/// The document, and the problems that were answered, by method and path.
struct Description {
    document: Value,
    answered: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Description {
    async fn of(running: &Running) -> Self {
        Self { document: running.json(PATH).await, answered: BTreeMap::new() }
    }

    /// Checks an answer.
    fn holds(&mut self, method: &str, path: &str, answer: &Answer) {
        let at = format!("{method} {path}: {} {}", answer.status, answer.text());
        let path = path.split('?').next().unwrap();
        let document = &self.document;
        let responses = &document["paths"][path][method]["responses"];
        let response = &responses[answer.status.to_string()];
        assert!(response.is_object(), "{at} is not described");
        for (name, header) in response["headers"].as_object().unwrap() {
            assert!(!answer.header(name).is_empty(), "{name} is missing in {at}");
            let shared = header["$ref"].as_str().and_then(|pointer| pointer.strip_prefix('#'));
            let header = shared.map_or(header, |pointer| document.pointer(pointer).unwrap());
            assert!(header["example"] != Value::Null, "{name} has no example");
            if name == "Cache-Control" {
                assert_eq!(header["example"], answer.header(name), "{at}");
            }
        }
        let says_cache = !answer.header("cache-control").is_empty();
        assert_eq!(response["headers"]["Cache-Control"].is_object(), says_cache, "{at}");
        let kind = answer.header("content-type").split(';').next().unwrap();
        match response["content"].get(kind) {
            Some(media) => {
                assert_eq!(faults(document, &media["schema"], &answer.json()), [""; 0], "{at}")
            }
            None => assert!(response["content"].is_null() && answer.body.is_empty(), "{at}"),
        }
        let answered = self.answered.entry((method.to_owned(), path.to_owned())).or_default();
        if kind == "application/problem+json" {
            answered.insert(answer.json()["code"].as_str().unwrap().to_owned());
        }
    }

    /// Checks that the operations of these paths name what they answered, and nothing else.
    fn names_every_problem_of(&self, has_path: impl Fn(&str) -> bool) {
        let paths = self.document["paths"].as_object().unwrap();
        for (path, methods) in paths.iter().filter(|(path, _)| has_path(path)) {
            for (method, operation) in methods.as_object().unwrap() {
                let mut named = BTreeSet::new();
                for response in operation["responses"].as_object().unwrap().values() {
                    let codes = response["x-codes"].as_array().into_iter().flatten();
                    named.extend(codes.map(|code| code.as_str().unwrap()));
                }
                for code in ANYWHERE {
                    assert!(named.contains(code), "{code} of {method} {path}");
                }
                let answered = self.answered.get(&(method.clone(), path.clone()));
                let answered = answered.into_iter().flatten().map(String::as_str);
                let answered: BTreeSet<&str> = answered.chain(ANYWHERE).collect();
                assert_eq!(named, answered, "{method} {path}");
            }
        }
    }
}

#[tokio::test]
async fn real_answers_of_reads_are_as_described() {
    let running = running().await;
    let mut description = Description::of(&running).await;
    let period = "from=2024-01-01&to=2026-12-31";
    for (path, status) in [
        ("metrics".to_owned(), 200),
        (format!("metrics?country=FR&{period}"), 200),
        ("metrics?from=x".to_owned(), 400),
        ("metrics?city=%ff".to_owned(), 400),
        (format!("metrics/series?interval=week&country=FR&{period}"), 200),
        ("metrics/series?from=x".to_owned(), 400),
        ("metrics/series?interval=x".to_owned(), 400),
        (format!("geo-facets?{period}"), 200),
        ("geo-facets".to_owned(), 400),
        ("geo-facets?from=%ff".to_owned(), 400),
        ("reports".to_owned(), 200),
        ("reports?limit=1&since=2020-01-01T00:00:00Z".to_owned(), 200),
        ("reports?limit=0".to_owned(), 400),
        ("reports?since=x".to_owned(), 400),
        ("reports?from=x".to_owned(), 400),
        ("reports?city=%ff".to_owned(), 400),
        ("stream?country=%ff".to_owned(), 400),
        ("openapi.json".to_owned(), 200),
    ] {
        let path = format!("/api/v1/{path}");
        let answer = running.get(&path).await;
        assert_eq!(answer.status, status, "{path}");
        description.holds("get", &path, &answer);
        if let etag @ [_, ..] = answer.header("etag").as_bytes() {
            let etag = std::str::from_utf8(etag).unwrap();
            let again = running.get_with(&path, &[("if-none-match", etag)]).await;
            assert_eq!(again.status, 304);
            description.holds("get", &path, &again);
        }
        let refused = running.get_with(&path, &[("authorization", "Bearer x")]).await;
        assert_eq!(refused.status, 401);
        description.holds("get", &path, &refused);
    }
    let busy = ("x-forwarded-for", "192.0.2.1");
    for _ in 0..60 {
        running.get_with(PATH, &[busy]).await;
    }
    let limited = running.get_with(PATH, &[busy]).await;
    assert_eq!(limited.status, 429, "the description is a request as any other");
    description.holds("get", PATH, &limited);

    let stream = "/api/v1/stream";
    let mut open = Vec::new();
    for _ in 0..20 {
        let request = running.http.get(running.url(stream));
        open.push(request.header("x-forwarded-for", "192.0.2.2").send().await.unwrap());
    }
    let refused = running.get_with(stream, &[("x-forwarded-for", "192.0.2.2")]).await;
    description.holds("get", stream, &refused);
    description.names_every_problem_of(|path| !path.starts_with(WEBHOOKS) && path != EVENTS);
}

#[tokio::test]
async fn real_answers_to_partners_are_as_described() {
    let running = Running::new().await;
    let mut description = Description::of(&running).await;
    let partner = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let operator = format!("Bearer {}", running.key("Us", Tier::Operator).await.as_str());
    let good = r#"{"url":"https://9.9.9.9/","events":["report.created"]}"#;
    let mut bodies = vec![("", good.to_owned(), 401), (&operator, good.to_owned(), 403)];
    bodies.push((&partner, "{".to_owned(), 400));
    bodies.push((&partner, r#"{"url":"no"}"#.to_owned(), 400));
    bodies.push((&partner, good.replace("9.9.9.9", "127.0.0.1"), 400));
    bodies.push((&partner, good.replace("report.created", "x"), 400));
    let with_filter = |filter: &str| good.replace('}', &format!(",\"filter\":{filter}}}"));
    bodies.push((&partner, with_filter("1"), 400));
    bodies.push((&partner, " ".repeat(17 << 10), 413));
    bodies.push((&partner, with_filter(r#"{"country":"BR","types":["water"]}"#), 201));
    bodies.extend((1..25).map(|_| (&*partner, good.to_owned(), 201)));
    bodies.push((&partner, good.to_owned(), 409));
    for (key, body, status) in bodies {
        let request = running.http.post(running.url(WEBHOOKS)).body(body);
        let headers = [("authorization", key), ("content-type", "application/json")];
        let headers = if key.is_empty() { &headers[1..] } else { &headers };
        let answer = running.ask(request, headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", WEBHOOKS, &answer);
    }
    let rival = format!("Bearer {}", running.key("Rivals", Tier::Partner).await.as_str());
    let metrics = good.replace("report.created", "metrics.updated");
    for (name, body, status) in
        [("k", good, 201), ("k", good, 201), ("k", &metrics, 409), ("a b", good, 400)]
    {
        let request = running.http.post(running.url(WEBHOOKS)).body(body.to_owned());
        let json = ("content-type", "application/json");
        let headers = [("authorization", rival.as_str()), json, ("idempotency-key", name)];
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", WEBHOOKS, &answer);
    }
    let request = running.http.post(running.url(WEBHOOKS)).body(good);
    let answer = running.ask(request, &[("authorization", &partner)]).await;
    assert_eq!(answer.status, 415);
    description.holds("post", WEBHOOKS, &answer);

    let listed = running.get_with(WEBHOOKS, &[("authorization", &partner)]).await;
    description.holds("get", WEBHOOKS, &listed);
    let id = listed.json()["subscriptions"][0]["id"].as_str().unwrap().to_owned();
    for (key, status) in [("", 401), (&*operator, 403)] {
        let headers = [("authorization", key)];
        let headers = if key.is_empty() { &[][..] } else { &headers };
        let answer = running.get_with(WEBHOOKS, headers).await;
        assert_eq!(answer.status, status);
        description.holds("get", WEBHOOKS, &answer);
    }
    for (key, query, body, status) in [
        (&*partner, format!("?id={id}"), r#"{"events":["report.withdrawn"]}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"status":"DISABLED"}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"filter":{"types":["both"]}}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"filter":{}}"#.to_owned(), 200),
        (&partner, format!("?id={id}"), r#"{"filter":{"city":""}}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), "{}".to_owned(), 400),
        (&partner, format!("?id={id}"), "{".to_owned(), 400),
        (&partner, format!("?id={id}"), r#"{"url":"no"}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), r#"{"url":"https://127.0.0.1/"}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), r#"{"events":[]}"#.to_owned(), 400),
        (&partner, format!("?id={id}"), " ".repeat(17 << 10), 413),
        (&partner, "?id=sub_x".to_owned(), r#"{"status":"ACTIVE"}"#.to_owned(), 404),
        (&operator, format!("?id={id}"), "{}".to_owned(), 403),
        ("Bearer x", format!("?id={id}"), "{}".to_owned(), 401),
    ] {
        let request = running.http.patch(running.url(&format!("{WEBHOOKS}{query}"))).body(body);
        let headers = [("authorization", key), ("content-type", "application/json")];
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("patch", WEBHOOKS, &answer);
    }
    let request = running.http.patch(running.url(&format!("{WEBHOOKS}?id={id}"))).body("{}");
    let answer = running.ask(request, &[("authorization", &partner)]).await;
    assert_eq!(answer.status, 415);
    description.holds("patch", WEBHOOKS, &answer);
    for (key, query, status) in [
        (&*partner, format!("?id={id}"), 200),
        (&partner, "?id=sub_x".to_owned(), 404),
        (&partner, String::new(), 400),
        (&partner, format!("?id={id}&limit=0"), 400),
        (&operator, format!("?id={id}"), 403),
        ("Bearer x", format!("?id={id}"), 401),
    ] {
        let path = format!("{DELIVERIES}{query}");
        let answer = running.get_with(&path, &[("authorization", key)]).await;
        assert_eq!(answer.status, status, "{path}");
        description.holds("get", &path, &answer);
    }
    for (key, query, status) in [
        (&*partner, format!("?id={id}"), 200),
        (&partner, "?id=sub_x".to_owned(), 404),
        (&partner, String::new(), 400),
        (&operator, format!("?id={id}"), 403),
        ("Bearer x", format!("?id={id}"), 401),
    ] {
        let request = running.http.post(running.url(&format!("{ROTATE}{query}")));
        let answer = running.ask(request, &[("authorization", key)]).await;
        assert_eq!(answer.status, status);
        description.holds("post", ROTATE, &answer);
    }
    let everything = r#"{"from":"2026-03-01T12:00:00Z"}"#;
    let ahead = svc::domain::cursor::Cursor::after(1_000).unwrap();
    let long = format!(r#"{{"from":"{}"}}"#, "x".repeat(20_000));
    for (key, query, body, status) in [
        ("Bearer x", format!("?id={id}"), everything.to_owned(), 401),
        (&operator, format!("?id={id}"), everything.to_owned(), 403),
        (&partner, String::new(), everything.to_owned(), 400),
        (&partner, format!("?id={id}"), "{".to_owned(), 400),
        (&partner, format!("?id={id}"), "{}".to_owned(), 400),
        (&partner, format!("?id={id}"), long, 413),
        (&partner, "?id=sub_x".to_owned(), everything.to_owned(), 404),
        (&partner, format!("?id={id}"), format!(r#"{{"after":"{ahead}"}}"#), 410),
        (&partner, format!("?id={id}"), everything.to_owned(), 202),
    ] {
        let request = running.http.post(running.url(&format!("{REPLAY}{query}"))).body(body);
        let headers = [("authorization", key), ("content-type", "application/json")];
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", REPLAY, &answer);
    }
    let request = running.http.post(running.url(&format!("{REPLAY}?id={id}"))).body(everything);
    let answer = running.ask(request, &[("authorization", &partner)]).await;
    assert_eq!(answer.status, 415);
    description.holds("post", REPLAY, &answer);
    // Not allowed here, so that nothing is sent anywhere.
    running.database.tamper("UPDATE subscriptions SET url = 'https://127.0.0.1/'").await;
    for (key, query, status) in [
        (&*partner, format!("?id={id}"), 200),
        (&partner, format!("?id={id}"), 429),
        (&partner, "?id=sub_x".to_owned(), 404),
        (&partner, String::new(), 400),
        (&operator, format!("?id={id}"), 403),
        ("Bearer x", format!("?id={id}"), 401),
    ] {
        let request = running.http.post(running.url(&format!("{TEST}{query}")));
        let answer = running.ask(request, &[("authorization", key)]).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        description.holds("post", TEST, &answer);
    }
    for (key, query, status) in [
        ("Bearer x", format!("?id={id}"), 401),
        (&operator, format!("?id={id}"), 403),
        (&partner, format!("?id={id}"), 204),
        (&partner, format!("?id={id}"), 404),
        (&partner, String::new(), 400),
    ] {
        let request = running.http.delete(running.url(&format!("{WEBHOOKS}{query}")));
        let answer = running.ask(request, &[("authorization", key)]).await;
        assert_eq!(answer.status, status);
        description.holds("delete", WEBHOOKS, &answer);
    }
    description.names_every_problem_of(|path| path.starts_with(WEBHOOKS));
}

#[tokio::test]
async fn real_answers_from_the_log_are_as_described() {
    let running = Running::new().await;
    let mut description = Description::of(&running).await;
    let partner = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let operator = format!("Bearer {}", running.key("Us", Tier::Operator).await.as_str());
    let before = running.get_with(EVENTS, &[("authorization", &partner)]).await;
    running.publish(&[report("new", Water)]).await;
    running.withdraw("new").await;
    let old = format!("after={}", before.json()["next"].as_str().unwrap());
    for (key, query, status) in [
        (&*partner, "", 200),
        (&partner, "limit=1&events=report.withdrawn", 200),
        (&partner, &old, 200),
        (&partner, "after=latest", 200),
        (&partner, "after=x", 400),
        (&partner, "events=x", 400),
        (&partner, "limit=x", 400),
        (&operator, "", 403),
        ("Bearer x", "", 401),
    ] {
        let path = format!("{EVENTS}?{query}");
        let answer = running.get_with(&path, &[("authorization", key)]).await;
        assert_eq!(answer.status, status, "{path}");
        description.holds("get", &path, &answer);
    }
    running.clock.advance(Duration::from_secs(86_400));
    while running.database.store.prune(running.clock.now()).await.unwrap() {}
    let path = format!("{EVENTS}?{old}");
    let gone = running.get_with(&path, &[("authorization", &partner)]).await;
    assert_eq!(gone.status, 410);
    description.holds("get", &path, &gone);
    description.names_every_problem_of(|path| path == EVENTS);
}
