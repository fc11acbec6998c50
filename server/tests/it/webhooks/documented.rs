//! The requests of `docs/webhooks.md` and `docs/webhooks-reference.md`, sent as documented, in their order.

use std::{collections::BTreeSet, process::Command};

use domain::tier::Tier;
use model::ReportType::Water;
use reqwest::Method;
use serde_json::json;

use svc::config::{Serve, WebhookTargets};

use crate::harness::{Running, START, report, settings};

const DOCS: &str = concat!(
    include_str!("../../../../docs/webhooks.md"),
    "\n",
    include_str!("../../../../docs/webhooks-reference.md"),
);

/// Request of a `curl` command.
struct Documented {
    method: Method,
    url: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Documented {
    /// Parses the arguments of `curl`, separated by NUL.
    fn of(arguments: &str) -> Self {
        let mut method = None;
        let (mut url, mut headers, mut body) = (String::new(), Vec::new(), String::new());
        let mut arguments = arguments.split('\0');
        while let Some(argument) = arguments.next().filter(|argument| !argument.is_empty()) {
            match argument {
                "--request" => method = Some(arguments.next().unwrap().parse().unwrap()),
                "--header" => {
                    let (name, value) = arguments.next().unwrap().split_once(": ").unwrap();
                    headers.push((name.to_owned(), value.to_owned()));
                }
                "--json" => {
                    body = arguments.next().unwrap().to_owned();
                    headers.push(("content-type".to_owned(), "application/json".to_owned()));
                }
                other => url = other.to_owned(),
            }
        }
        let default = if body.is_empty() { Method::GET } else { Method::POST };
        Self { method: method.unwrap_or(default), url, headers, body }
    }

    fn path(&self) -> &str {
        self.url.strip_prefix("https://svc.example.org").unwrap().split('?').next().unwrap()
    }
}

/// The requests of both pages, as a shell parses them.
fn documented() -> Vec<Documented> {
    let blocks = DOCS.split("\n```sh\n").skip(1).map(|rest| rest.split("\n```\n").next().unwrap());
    let commands: Vec<&str> = blocks.filter(|block| block.starts_with("curl ")).collect();
    let script = r#"curl() { printf '%s\0' "$@"; printf '\n\n'; }"#;
    let script = format!("{script}\nSVC_KEY=the-key\n{}", commands.join("\n"));
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let output = String::from_utf8(output.stdout).unwrap();
    let requests: Vec<_> = output.split_terminator("\0\n\n").map(Documented::of).collect();
    assert_eq!(requests.len(), commands.len());
    requests
}

#[tokio::test]
async fn every_documented_request_works_and_every_operation_has_one() {
    let serve = Serve { endpoints: WebhookTargets::lenient(), ..settings() };
    let running = Running::with(serve, START).await;
    let key = running.key("Aid", Tier::Partner).await;
    let bearer = format!("Bearer {}", key.as_str());
    running.publish(&[report("r-1", Water)]).await;
    let log = running.get_with("/api/v1/events", &[("authorization", &bearer)]).await.json();
    let mut id = String::new();
    let mut done = Vec::new();
    for documented in documented() {
        let here = |text: &str| {
            text.replace("https://svc.example.org", &running.url(""))
                .replace("https://partner.example.com", "http://127.0.0.1:9")
                .replace("sub_…", &id)
                .replace("c_…", log["next"].as_str().unwrap())
                .replace("the-key", key.as_str())
        };
        // A subscription is tested once every 5 seconds.
        running.clock.advance(std::time::Duration::from_secs(5));
        let request = running.http.request(documented.method.clone(), here(&documented.url));
        let headers: Vec<(&str, String)> =
            documented.headers.iter().map(|(name, value)| (&**name, here(value))).collect();
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, &**value)).collect();
        let answer = running.ask(request.body(here(&documented.body)), &headers).await;
        let name = format!("{} {}", documented.method, documented.path());
        if name == "POST /api/v1/webhooks" {
            id = answer.json()["subscription"]["id"].as_str().unwrap().to_owned();
        }
        done.push((name, answer.status));
    }
    let expected = [
        ("POST /api/v1/webhooks", 201),
        ("POST /api/v1/webhooks/test", 200),
        ("GET /api/v1/webhooks/subscription", 200),
        ("GET /api/v1/webhooks", 200),
        ("PATCH /api/v1/webhooks", 200),
        ("PATCH /api/v1/webhooks", 200),
        ("POST /api/v1/webhooks/test", 200),
        ("GET /api/v1/webhooks/deliveries", 200),
        ("POST /api/v1/webhooks/replay", 202),
        ("POST /api/v1/webhooks/replay", 202),
        ("POST /api/v1/webhooks/replay", 202),
        ("GET /api/v1/events", 200),
        ("POST /api/v1/webhooks/rotate", 200),
        ("PATCH /api/v1/webhooks", 200),
        ("PATCH /api/v1/me", 200),
        ("DELETE /api/v1/webhooks", 204),
    ];
    assert_eq!(done, expected.map(|(name, status)| (name.to_owned(), status)));

    let description = running.json("/api/v1/openapi.json").await;
    let mut operations = BTreeSet::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if operation["tags"] == json!(["Webhooks"]) {
                operations.insert(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    let shown: BTreeSet<String> = done.into_iter().map(|(name, _)| name).collect();
    assert_eq!(shown, operations);
}
