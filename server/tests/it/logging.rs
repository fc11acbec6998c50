//! Logs of requests: what must be in them, and what must not.

use model::ReportType::Spirit;
use reqwest::Method;
use scratch::log::Log;
use serde_json::{Value, json};

use crate::{
    engines::api::intake,
    harness::{Answer, Running, Svc, http, report},
    receiver::{Receiver, Reply},
    served::Served,
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: (&str, &str) =
    ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");

#[tokio::test]
async fn each_response_says_its_requests_id_which_is_that_of_a_trace_if_there_is_one() {
    let running = Running::new().await;
    for path in ["/api/v1/metrics", "/", "/embed.js", "/made-up", "/api/v1/reports?limit=x"] {
        let traced = running.get_with(path, &[PARENT]).await;
        assert_eq!(traced.header("x-request-id"), TRACE, "{path}");
        let malformed = running.get_with(path, &[("traceparent", "00-x-y-01")]).await;
        let [one, other] = [malformed, running.get(path).await]
            .map(|answer| answer.header("x-request-id").to_owned());
        assert!(one.len() == 32 && other.len() == 32 && one != other, "{path}: {one}, {other}");
    }
    let given = ("x-request-id", "8E03978E-40d5-43e8-bc93-6894a57f9324");
    for path in ["/api/v1/metrics", "/api/v1/reports?limit=x", "/made-up"] {
        let named = running.get_with(path, &[given]).await;
        assert_eq!(named.header("x-request-id"), "8e03978e40d543e8bc936894a57f9324");
        assert_eq!(running.get_with(path, &[given, PARENT]).await.header("x-request-id"), TRACE);
        let ignored = running.get_with(path, &[("x-request-id", "job-17")]).await;
        assert_eq!(ignored.header("x-request-id").len(), 32);
    }
    let preflight = running.http.request(http::Method::OPTIONS, running.url("/"));
    assert_eq!(running.ask(preflight, &[PARENT]).await.header("x-request-id"), TRACE);
}

#[tokio::test]
async fn a_problem_is_logged_with_the_id_that_the_client_has() {
    let (log, _listening) = Log::listen();
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    running.database.tamper("ALTER TABLE counts RENAME TO elsewhere").await;
    for headers in [&[PARENT][..], &[]] {
        let answer = running.get_with("/api/v1/metrics?city=campinas", headers).await;
        let id = answer.header("x-request-id");
        assert_eq!(answer.json()["requestId"], id);
        let lines = log.taken("request not answered");
        let named = format!("method=GET path=\"/api/v1/metrics\" request_id={id} cause=");
        assert!(matches!(&*lines, [line] if line.contains(&named)), "{lines:?}");
    }
}

const REPORT: &str = "type,city,country\nSPIRIT,Campinas,Brazil\n";

/// Log of a service without timestamps: as text, and parsed from JSON.
fn log(svc: &Svc) -> (String, Vec<Value>) {
    let text = std::fs::read_to_string(svc.path("log")).unwrap();
    let lines = text.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        assert!(line["timestamp"].take().is_string());
        line
    });
    let lines = lines.collect();
    (text, lines)
}

#[tokio::test]
async fn without_a_terminal_the_log_is_json_with_a_line_for_each_request_if_wanted() {
    let svc = Svc::new();
    let mut served = Served::start_with(&svc, &["--log=svc=debug", "--log-format=auto"]);
    for path in ["/api/v1/metrics?key=secret", "/api/v1/reports?limit=x"] {
        let request = http().get(format!("{}{path}", served.url)).header(PARENT.0, PARENT.1);
        request.send().await.unwrap();
    }
    served.stop();
    let (_, lines) = log(&svc);
    let mut requests: Vec<Value> =
        lines.into_iter().filter(|line| line["message"] == "request").collect();
    for request in &mut requests {
        assert!(request["ms"].take().as_f64().unwrap() > 0.0);
    }
    let of = |path, status| {
        json!({
            "timestamp": null,
            "level": "DEBUG",
            "message": "request",
            "method": "GET",
            "path": path,
            "status": status,
            "ms": null,
            "request_id": TRACE,
            "target": "edge::boundary",
        })
    };
    assert_eq!(requests, [of("/api/v1/metrics", 200), of("/api/v1/reports", 400)]);
}

#[tokio::test]
async fn whom_a_limit_refuses_is_logged_if_wanted_by_address_or_by_the_prefix_of_the_key() {
    let svc = Svc::migrated();
    let key = svc.json(&["keys", "create", "--partner", "Aid", "--json"]);
    let (key, prefix) = (key["key"].as_str().unwrap(), key["prefix"].as_str().unwrap());
    let mut served = Served::start_with(&svc, &["--log=svc=debug", "--log-format=json"]);
    let url = format!("{}/api/v1/metrics", served.url);
    let stream = format!("{}/api/v1/stream", served.url);
    while http().get(&url).send().await.unwrap().status() == 200 {}
    let mut streams = Vec::new();
    loop {
        let opened = http().get(&stream).bearer_auth(key).send().await.unwrap();
        if opened.status() != 200 {
            break;
        }
        streams.push(opened);
    }
    drop(streams);
    served.stop();
    let (text, lines) = log(&svc);
    let refused: Vec<_> =
        lines.iter().filter(|line| line["message"] == "refused by a limit").collect();
    let [by_address, by_key] = refused.as_slice() else { panic!("{text}") };
    assert_eq!(
        [&by_address["tier"], &by_address["code"], &by_address["address"]],
        ["public", "RATE_LIMITED", "127.0.0.1"]
    );
    assert_eq!(
        [&by_key["tier"], &by_key["code"], &by_key["key"]],
        ["partner", "TOO_MANY_STREAMS", prefix]
    );
    assert!(!text.contains(key));
}

#[tokio::test]
async fn requests_are_not_logged_by_default() {
    let svc = Svc::new();
    let mut served = Served::start_with(&svc, &["--log-format=json"]);
    http().get(format!("{}/api/v1/metrics", served.url)).send().await.unwrap();
    served.stop();
    let (text, lines) = log(&svc);
    assert!(lines.iter().any(|line| line["message"] == "stopping"), "{text}");
    assert!(lines.iter().all(|line| line["message"] != "request"), "{text}");
}

#[tokio::test]
async fn commands_log_text_whoever_reads_it() {
    let svc = Svc::migrated();
    svc.change("UPDATE data_version SET changed_at = 4000000000000").await;
    std::fs::write(svc.path("a.csv"), REPORT).unwrap();
    let ran = svc.run(&["reports", "import", "a.csv", "--approve", "--log-format=auto"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains(" WARN store::"), "{}", ran.err);
}

#[tokio::test]
async fn no_secret_is_logged_whatever_is_logged() {
    let svc = Svc::migrated();
    let key = svc.json(&["keys", "create", "--partner", "Aid", "--json"]);
    let key = key["key"].as_str().unwrap().to_owned();
    let mut served = Served::start_with(&svc, &["--log=trace", "--log-format=json"]);
    let receiver = Receiver::with(Reply::Status(204)).await;
    let target = format!("{}/path-with-a-token?and=another", receiver.url());
    let url = format!("{}/api/v1/webhooks", served.url);
    let body = json!({ "url": target, "events": ["report.created"] }).to_string();
    let created = http()
        .post(format!("{url}?key={key}"))
        .bearer_auth(&key)
        .header("content-type", "application/json")
        .body(body);
    let created = Answer::of(created.send().await.unwrap()).await;
    assert_eq!(created.status, 201, "{}", created.text());
    let secret = created.json()["subscription"]["secret"].as_str().unwrap().to_owned();
    // The first request has a malformed header, the second a valid key.
    for (word, status) in [("Token", 401), ("Bearer", 200)] {
        let asked = http().get(&url).header("authorization", format!("{word} {key}"));
        assert_eq!(asked.send().await.unwrap().status(), status);
    }
    // Secrets in the wrong places: paths and queries, also percent-encoded.
    for text in [&key, &secret, &key.replace('_', "%5F")] {
        for path in ["/operator/v1/keys/", "/api/v1/metrics?city=", "/api/v1/reports?limit=", "/"] {
            for (base, method) in [(&served.url, Method::GET), (&served.ops, Method::DELETE)] {
                let asked = http().request(method, format!("{base}{path}{text}")).bearer_auth(&key);
                let answer = Answer::of(asked.send().await.unwrap()).await.text();
                let is_repeated = answer.contains(&key[12..]) || answer.contains(&secret[6..]);
                assert!(!is_repeated, "{base}{path}: {answer}");
            }
        }
    }
    std::fs::write(svc.path("a.csv"), REPORT).unwrap();
    svc.out(&["reports", "import", "a.csv", "--approve"]);
    receiver.until(1).await;
    served.stop();
    let (text, lines) = log(&svc);
    let is_logged = |message: &str| lines.iter().any(|line| line["message"] == message);
    assert!(is_logged("request") && is_logged("stopping"), "{text}");
    let stored = std::fs::read_to_string(svc.key_file()).unwrap_or_default();
    let keys = stored.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let signature = receiver.requests()[0].headers["webhook-signature"].clone();
    let signature = signature.to_str().unwrap();
    for hidden in [&key[12..], &secret[6..], signature].into_iter().chain(keys) {
        assert!(!text.contains(hidden), "{hidden}");
    }
}

#[tokio::test]
async fn no_log_contains_the_note_or_the_contact_of_a_report() {
    let svc = Svc::new();
    let mut served = Served::start_with(&svc, &["--intake=on", "--log=trace"]);
    let client = http();
    let challenge = client.get(format!("{}/api/v1/challenge", served.url)).send().await;
    let challenge: Value = challenge.unwrap().json().await.unwrap();
    let mut body = json!({
        "type": "water", "city": "Lyon", "country": "France",
        "note": "CANARY-NOTE", "contact": "CANARY-CONTACT", "proof": intake::solved(&challenge),
    });
    let url = format!("{}/api/v1/reports", served.url);
    for status in [202, 400] {
        let answer = client.post(&url).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), status);
        body["city"] = json!("Nice");
    }
    let form = client.post(format!("{}/embed/report", served.url));
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    let answer = form.body("note=CANARY-NOTE&contact=CANARY-CONTACT").send().await.unwrap();
    assert_eq!(answer.status(), 422);
    served.stop();
    let text = std::fs::read_to_string(svc.path("log")).unwrap();
    assert!(text.contains("/api/v1/reports"), "{text}");
    assert!(!text.contains("CANARY"), "{text}");
}
