//! Checks that real responses match an OpenAPI document: their schema, their headers, and that each operation lists
//! exactly the problems that it returns.

use std::collections::{BTreeMap, BTreeSet};

use domain::idempotency::IdempotentRequest;
use reqwest::Method;
use serde_json::Value;

use crate::{
    harness::{Answer, Running},
    schema::faults,
};

/// Problems common to all operations, which not every operation has to return in tests.
const ANYWHERE: [&str; 4] = ["ORIGIN_NOT_ALLOWED", "RATE_LIMITED", "UNAVAILABLE", "INTERNAL"];

/// OpenAPI document, with the problems returned so far by method and path.
pub(crate) struct Description {
    pub document: Value,
    answered: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Description {
    pub(crate) fn of(document: Value) -> Self {
        Self { document, answered: BTreeMap::new() }
    }

    /// Checks a response to a method and a path of the document. A query string in the path is ignored.
    pub(crate) fn holds(&mut self, method: &str, path: &str, answer: &Answer) {
        let at = format!("{method} {path}: {} {}", answer.status, answer.text());
        let path = path.split('?').next().unwrap();
        let document = &self.document;
        let responses = &document["paths"][path][method]["responses"];
        let response = &responses[answer.status.to_string()];
        assert!(response.is_object(), "{at} is not described");
        for (name, header) in response["headers"].as_object().unwrap() {
            // Only sent if the list has more pages, to a repeated request, or while the first one is being handled.
            let is_optional = name == "Link"
                || name == "Idempotent-Replayed"
                || (name == "Retry-After" && answer.status == 409);
            assert!(is_optional || !answer.header(name).is_empty(), "{name} is missing in {at}");
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
                let body = match kind == "application/json" || kind.ends_with("+json") {
                    true => answer.json(),
                    false => answer.text().into(),
                };
                assert_eq!(faults(document, &media["schema"], &body), [""; 0], "{at}")
            }
            None => assert!(response["content"].is_null() && answer.body.is_empty(), "{at}"),
        }
        let answered = self.answered.entry((method.to_owned(), path.to_owned())).or_default();
        if kind == "application/problem+json" {
            answered.insert(answer.json()["code"].as_str().unwrap().to_owned());
        }
    }

    /// Sends each POST of these paths with a key that is invalid, and with one that another request has used.
    pub(crate) async fn refuses_idempotency_keys(
        &mut self,
        running: &Running,
        (bearer, owner): (&str, &str),
        has_path: impl Fn(&str) -> bool,
    ) {
        let other = IdempotentRequest::new("used", "POST", "/other", b"").unwrap();
        running.database.store.idempotent_requests().claim(owner, &other).await.unwrap();
        let paths: Vec<String> = self.document["paths"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(path, methods)| methods["post"].is_object() && has_path(path))
            .map(|(path, _)| path.clone())
            .collect();
        for path in paths {
            for (key, status) in [("a b", 400), ("used", 409)] {
                let real = path.replace(['{', '}'], "");
                let headers = [("authorization", bearer), ("idempotency-key", key)];
                let answer = running.ask(running.http.post(running.url(&real)), &headers).await;
                assert_eq!(answer.status, status, "{path}: {}", answer.text());
                self.holds("post", &path, &answer);
            }
        }
    }

    /// Sends a change with an `If-Match` that is malformed, and with one that no state has.
    pub(crate) async fn refuses_other_states(
        &mut self,
        running: &Running,
        bearer: &str,
        (method, path, real): (&str, &str, &str),
        body: Option<&str>,
    ) {
        for (tag, status) in [("x", 400), ("\"x\"", 412)] {
            let named = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let mut request = running.http.request(named, running.url(real));
            if let Some(body) = body {
                request = request.header("content-type", "application/json").body(body.to_owned());
            }
            let headers = [("authorization", bearer), ("if-match", tag)];
            let answer = running.ask(request, &headers).await;
            assert_eq!(answer.status, status, "{method} {real}: {}", answer.text());
            self.holds(method, path, &answer);
        }
    }

    /// Checks that the operations of these paths list exactly the problems that they returned.
    pub(crate) fn names_every_problem_of(&self, has_path: impl Fn(&str) -> bool) {
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
