//! Generated requests: each operation of the two OpenAPI documents, with parts of its examples replaced by values that
//! often break programs. Every response must be one that the document describes and never an internal error, and
//! afterwards the counters must match the reports.
//!
//! `PROPTEST_CASES` sets the number of requests, up to 20,000.

use domain::{scope::Scope, tier::Tier};
use model::ReportType::{Both, Spirit, Water};
use proptest::test_runner::Config;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use store::Mode;

use svc::{
    config::{ListenAddress, Serve, WebhookTargets},
    keys::ApiKey,
};

use crate::{
    description::Description,
    harness::{But, Running, START, report, settings},
    operator,
};

const TEXTS: [&str; 28] = [
    "",
    " ",
    "\0",
    "\r\nx-injected: 1",
    "'",
    "' OR 1=1 --",
    "\"",
    "\\",
    "%",
    "%00",
    "_",
    "*",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "{}",
    "[]",
    "null",
    "-1",
    "1e999",
    "9223372036854775808",
    "0x10",
    "\u{202e}abc",
    "\u{feff}",
    "e\u{301}",
    "💧",
    "2026-02-30",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999+14:00",
];

const HEADERS: [&str; 10] = [
    "accept",
    "accept-language",
    "cookie",
    "if-modified-since",
    "if-none-match",
    "idempotency-key",
    "last-event-id",
    "origin",
    "range",
    "traceparent",
];

/// Generator of requests from an OpenAPI document.
struct Requests {
    random: StdRng,
    /// Method, path and description of each operation.
    operations: Vec<(String, String, Value)>,
    /// Ids of existing reports, subscriptions and keys.
    ids: Vec<String>,
}

/// Generated request.
struct Generated {
    method: String,
    /// Path as in the document.
    path: String,
    /// Path with values filled in, and a query string.
    target: String,
    headers: Vec<(&'static str, String)>,
    body: Option<(String, Vec<u8>)>,
}

impl Requests {
    /// Generator for all operations except the endless stream.
    fn new(document: &Value, ids: &[String], seed: u64) -> Self {
        let mut operations = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                if path != "/api/v1/stream" {
                    operations.push((method.clone(), path.clone(), operation.clone()));
                }
            }
        }
        Self { random: StdRng::seed_from_u64(seed), operations, ids: ids.to_vec() }
    }

    fn next(&mut self) -> Generated {
        let (method, path, operation) = self.operations.choose(&mut self.random).unwrap().clone();
        let mut target = path.clone();
        let mut query = Vec::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let example = &parameter["example"];
            let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            match parameter["in"].as_str().unwrap() {
                "path" => {
                    let value = self.text(&example);
                    let value = match value.is_empty() || value.starts_with('.') {
                        true => "%FF".to_owned(),
                        false => encoded(&value),
                    };
                    target = target.replace(&format!("{{{name}}}"), &value);
                }
                "query" if self.random.random_ratio(1, 3) => {
                    let value = self.text(&example);
                    query.push(format!("{name}={}", encoded(&value)));
                    if self.random.random_ratio(1, 20) {
                        query.push(format!("{name}={}", encoded(&value)));
                    }
                }
                _ => {}
            }
        }
        if self.random.random_ratio(1, 20) {
            let (name, value) = (self.text("unknown"), self.text("1"));
            query.push(format!("{}={}", encoded(&name), encoded(&value)));
        }
        if !query.is_empty() {
            target = format!("{target}?{}", query.join("&"));
        }
        let mut headers = Vec::new();
        for name in HEADERS {
            if self.random.random_ratio(1, 8) {
                let value: String =
                    self.text("*").chars().filter(|letter| (' '..='~').contains(letter)).collect();
                headers.push((name, value));
            }
        }
        let body = self.body(&operation["requestBody"]["content"]);
        Generated { method, path, target, headers, body }
    }

    /// Returns the example, a replacement, or a mixture of both.
    fn text(&mut self, example: &str) -> String {
        let other = *TEXTS.choose(&mut self.random).unwrap();
        let id = self.ids.choose(&mut self.random).map_or(example, String::as_str);
        match self.random.random_range(0..8) {
            0..3 => example.to_owned(),
            3 => id.to_owned(),
            4 => format!("{id}{other}"),
            5 => other.to_owned(),
            6 => format!("{example}{other}"),
            // HTTP clients refuse to send longer URLs.
            _ => other.repeat(self.random.random_range(1..=1 + 4_000 / (1 + other.len()))),
        }
    }

    fn body(&mut self, content: &Value) -> Option<(String, Vec<u8>)> {
        let content = content.as_object()?;
        let kinds: Vec<(&String, &Value)> = content.iter().collect();
        let (kind, media) = *kinds.choose(&mut self.random)?;
        let mut kind = kind.clone();
        let examples = media["examples"].as_object().into_iter().flat_map(|all| all.values());
        let examples: Vec<&Value> =
            examples.map(|one| &one["value"]).chain(media.get("example")).collect();
        let mut example =
            examples.choose(&mut self.random).map_or(Value::Null, |one| (*one).clone());
        let mut bytes = if let Some(text) = example.as_str() {
            text.as_bytes().to_vec()
        } else {
            if self.random.random_ratio(2, 3) {
                self.change(&mut example);
            }
            example.to_string().into_bytes()
        };
        for _ in 0..[0, 0, 0, 1, 4].choose(&mut self.random).copied().unwrap() {
            let at = self.random.random_range(0..=bytes.len());
            let end = self.random.random_range(at..=bytes.len().min(at + 8));
            let other = *TEXTS.choose(&mut self.random).unwrap();
            let other =
                if self.random.random_ratio(1, 4) { b"\xff\xc3(" } else { other.as_bytes() };
            bytes.splice(at..end, other.iter().copied());
        }
        if self.random.random_ratio(1, 20) {
            kind = "text/html".to_owned();
        }
        Some((kind, bytes))
    }

    /// Changes one value inside `value`.
    fn change(&mut self, value: &mut Value) {
        let deeper = self.random.random_ratio(3, 4);
        match value {
            Value::Object(members) if deeper && !members.is_empty() => {
                let names: Vec<String> = members.keys().cloned().collect();
                let name = names.choose(&mut self.random).unwrap();
                match self.random.random_range(0..8) {
                    0 => drop(members.remove(name)),
                    1 => drop(members.insert(self.text("unknown"), Value::Null)),
                    _ => self.change(&mut members[name.as_str()]),
                }
            }
            Value::Array(items) if deeper && !items.is_empty() => {
                let at = self.random.random_range(0..items.len());
                self.change(&mut items[at]);
            }
            _ => {
                let example = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                *value = match self.random.random_range(0..8) {
                    0 => Value::Null,
                    1 => json!(true),
                    2 => json!(-1),
                    3 => json!(u64::MAX),
                    4 => json!(0.5),
                    5 => json!([value.clone(), value.clone()]),
                    6 => json!({ "a": value.clone() }),
                    _ => json!(self.text(&example)),
                };
            }
        }
    }
}

fn encoded(value: &str) -> String {
    value.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

impl Generated {
    fn of(&self, running: &Running, key: Option<&str>) -> RequestBuilder {
        let method = Method::from_bytes(self.method.to_uppercase().as_bytes()).unwrap();
        let mut request = running.http.request(method, running.url(&self.target));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if let Some((kind, body)) = &self.body {
            request = request.header("content-type", kind).body(body.clone());
        }
        key.into_iter()
            .fold(request, |request, key| request.header("authorization", format!("Bearer {key}")))
    }
}

/// Sends generated requests, and checks each response against the document.
async fn sent(running: &Running, path: &str, key: &str, ids: &[String]) {
    let mut description = Description::of(running.json(path).await);
    let seed = rand::rng().random();
    let mut requests = Requests::new(&description.document, ids, seed);
    let (mut taken, mut refused) = (0_u32, 0_u32);
    for number in 0..Config::default().cases.min(20_000) {
        let generated = requests.next();
        let key = Some(key).filter(|_| number % 8 != 0);
        let answer = running.ask(generated.of(running, key), &[]).await;
        let said = format!(
            "number {number} of seed {seed}, {} {} {:?}: {} {}",
            generated.method,
            generated.target,
            generated.body.as_ref().map(|(kind, body)| (kind, String::from_utf8_lossy(body))),
            answer.status,
            answer.text()
        );
        assert!(answer.status < 500, "{said}");
        assert_eq!(answer.header("x-injected"), "", "{said}");
        // The request was refused before it reached an operation.
        if answer.status == 431 {
            continue;
        }
        match answer.status {
            200..400 => taken += 1,
            _ => refused += 1,
        }
        description.holds(&generated.method, &generated.path, &answer);
        if number % 16 == 0 {
            running.clock.advance(std::time::Duration::from_secs(61));
            running.service.app.snapshots.refresh().await;
        }
    }
    assert!(taken > 20 && refused > 20, "{taken} were taken and {refused} refused");
    let checked = running.database.store.check().await.unwrap();
    assert_eq!(checked.differences, [], "of seed {seed}");
}

/// Starts a service with three published reports, a pending one, and a partner with a subscription. Also returns the
/// partner's key and all ids.
async fn running() -> (Running, ApiKey, Vec<String>) {
    let endpoints = WebhookTargets::lenient();
    let running =
        Running::with(Serve { operator_on: ListenAddress::Public, endpoints, ..settings() }, START)
            .await;
    let reports =
        [Spirit, Water, Both].map(|kind| report(kind.as_str(), kind).at("Lyon", "", "FR"));
    running.publish(&reports).await;
    let waiting = report("waiting", Water);
    running.database.store.reports().import(&[waiting], Mode::Pending).await.unwrap();
    let key = running.key("Aid", Tier::Partner).await;
    let new = json!({ "url": "https://127.0.0.1:9/", "events": ["report.created"] });
    let request = running.http.post(running.url("/api/v1/webhooks")).body(new.to_string());
    let request = request.header("content-type", "application/json").bearer_auth(key.as_str());
    let subscribed = running.ask(request, &[]).await.json();
    let subscription = subscribed["subscription"]["id"].as_str().unwrap();
    let ids = ["spirit", "water", "both", "waiting", subscription];
    (running, key, ids.map(str::to_owned).to_vec())
}

#[tokio::test]
async fn whatever_is_asked_of_the_public_api_the_answer_is_one_that_is_described() {
    let (running, key, ids) = running().await;
    sent(&running, "/api/v1/openapi.json", key.as_str(), &ids).await;
}

#[tokio::test]
async fn whatever_is_asked_of_the_operators_api_the_answer_is_one_that_is_described() {
    let (running, key, mut ids) = running().await;
    ids.push(key.prefix().to_owned());
    let key = operator::key(&running, "Maria", Tier::Operator, Some(Scope::Admin)).await;
    sent(&running, "/operator/v1/openapi.json", key.as_str(), &ids).await;
}
