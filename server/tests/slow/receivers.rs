//! The receivers in `docs/webhooks.md`, and the other code and test vectors in `docs/webhooks-reference.md`, extracted and run:
//! they must work as documented. The Go one takes long to compile, so it has one test of its own.
//!
//! Receivers in languages that this machine lacks are skipped. With `SVC_TEST_RECEIVERS=all`, which `make test-long`
//! sets, a missing language is a failure.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use base::clock::Clock;
use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use standardwebhooks::Webhook;
use tempfile::TempDir;
use tokio::{io::AsyncWriteExt, net::TcpStream, sync::mpsc};

use crate::{
    harness::soon,
    programs::{is_installed, skipped},
};

/// The tutorial and the reference.
const DOCS: &str = concat!(
    include_str!("../../../docs/webhooks.md"),
    "\n",
    include_str!("../../../docs/webhooks-reference.md"),
);

/// Test vectors of the reference.
const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const ID: &str = "evt_2N9SyZbZ8yHkVwUe3rQ1Tg";
const TIMESTAMP: i64 = 1_772_366_400;
const SEQUENCE: i64 = 4711;
const BODY: &str = r#"{"event":"report.created","timestamp":"2026-03-01T12:00:00.000Z","data":{"id":"r-1","city":"São Paulo","country":"Brazil","peopleCount":3,"type":"spirit","createdAt":"2026-03-01T11:59:00.000Z","status":"APPROVED"}}"#;
const SIGNATURE: &str = "v1,ybT4ADNTUTKOEWB5KDGpE9tqFw5qMhXAgoOyrKR5G6U=";
const BODY_SIGNATURE: &str =
    "sha256=5213a8c017ca1ddcb5ff9111bda049fc35a3b469c17b4a5012a5a9049c03d01f";

/// Different secret: base64 of 32 bytes with the value 1.
const OTHER_SECRET: &str = "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

#[expect(dead_code, reason = "the tests bring a secret and a port of their own, not main")]
mod rust_receiver {
    // Documented from here.
    use std::{collections::HashMap, env, error::Error, sync::Arc};

    use axum::{
        Router,
        body::Bytes,
        extract::{DefaultBodyLimit, State},
        http::{HeaderMap, StatusCode},
        routing::post,
    };
    use serde_json::Value;
    use standardwebhooks::Webhook;
    use tokio::{net::TcpListener, sync::mpsc};

    type Event = (u64, Value);

    struct Receiver {
        webhook: Webhook,
        events: mpsc::UnboundedSender<Event>,
    }

    async fn receive(
        State(receiver): State<Arc<Receiver>>,
        headers: HeaderMap,
        body: Bytes,
    ) -> StatusCode {
        if receiver.webhook.verify(&body, &headers).is_err() {
            return StatusCode::UNAUTHORIZED;
        }
        let sequence =
            headers.get("x-svc-sequence").and_then(|given| given.to_str().ok()?.parse().ok());
        let (Some(sequence), Ok(event)) = (sequence, serde_json::from_slice(&body)) else {
            return StatusCode::BAD_REQUEST;
        };
        match receiver.events.send((sequence, event)) {
            Ok(()) => StatusCode::NO_CONTENT,
            Err(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    async fn work(mut events: mpsc::UnboundedReceiver<Event>, mut on_report: impl FnMut(&str)) {
        // By the id of a report: the sequence of its last event, and the report; `None` once it is withdrawn.
        let mut reports: HashMap<String, (u64, Option<Value>)> = HashMap::new();
        while let Some((sequence, event)) = events.recv().await {
            let (name, data) = (event["event"].as_str().unwrap_or_default(), &event["data"]);
            let Some(id) = data["id"].as_str().filter(|_| name.starts_with("report.")) else {
                continue;
            };
            // A repetition, or older than the report's last event.
            if reports.get(id).is_some_and(|(last, _)| sequence <= *last) {
                continue;
            }
            let report = (name != "report.withdrawn").then(|| data.clone());
            reports.insert(id.to_owned(), (sequence, report));
            if name == "report.created" {
                on_report(id);
            }
        }
    }

    fn app(webhook: Webhook, events: mpsc::UnboundedSender<Event>) -> Router {
        Router::new()
            .route("/svc", post(receive))
            .layer(DefaultBodyLimit::max(65_536)) // No event is that large.
            .with_state(Arc::new(Receiver { webhook, events }))
    }

    fn webhook(secret: &str) -> Result<Webhook, &'static str> {
        // With an empty key, anyone could sign.
        let key = secret.strip_prefix("whsec_").filter(|key| !key.is_empty());
        key.and_then(|_| Webhook::new(secret).ok())
            .ok_or("SVC_WEBHOOK_SECRET must be a webhook secret: whsec_ followed by base64.")
    }

    #[tokio::main]
    async fn main() -> Result<(), Box<dyn Error>> {
        let webhook = webhook(&env::var("SVC_WEBHOOK_SECRET").unwrap_or_default())?;
        let (sender, events) = mpsc::unbounded_channel();
        tokio::spawn(work(events, |report| println!("new report {report}")));
        let listener = TcpListener::bind(format!("127.0.0.1:{}", env::var("PORT")?)).await?;
        println!("listening on http://{}", listener.local_addr()?);
        axum::serve(listener, app(webhook, sender)).await?;
        Ok(())
    }
    // Documented to here.

    /// Message that the receiver prints instead of starting.
    pub(super) fn refusal(secret: &str) -> Option<&'static str> {
        webhook(secret).err()
    }

    /// Serves on a free port, and returns the URL. Sends a line for each processed report, as the other receivers print
    /// it.
    pub(super) async fn start(secret: &str, lines: mpsc::UnboundedSender<String>) -> String {
        let (sender, events) = mpsc::unbounded_channel();
        tokio::spawn(work(events, move |report| {
            // A finished test no longer reads the lines.
            let _ = lines.send(format!("new report {report}"));
        }));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let app = app(webhook(secret).unwrap(), sender);
        tokio::spawn(async move { axum::serve(listener, app).await });
        format!("http://{addr}")
    }
}

mod rust_body_signature {
    use hmac::{Hmac, KeyInit, Mac};
    use sha2::Sha256;

    // Documented from here.
    /// With the crates `hex`, `hmac` and `sha2`.
    fn verify_body(secret: &str, header: &str, body: &[u8]) -> bool {
        let given = header.strip_prefix("sha256=").and_then(|given| hex::decode(given).ok());
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
        let (Some(given), Ok(mac)) = (given, mac) else { return false };
        mac.chain_update(body).verify_slice(&given).is_ok()
    }
    // Documented to here.

    pub(super) fn verifies(secret: &str, header: &str, body: &[u8]) -> bool {
        verify_body(secret, header, body)
    }
}

/// Child process; killed on drop, also if the test fails.
struct Process {
    child: Child,
    _folder: TempDir,
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may already have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether receivers in this program's language can be tested.
fn can_run(program: &str) -> bool {
    let is_installed = is_installed(program);
    if !is_installed {
        let reason = format!("receivers of webhooks that need {program}, which is not installed");
        assert!(std::env::var("SVC_TEST_RECEIVERS").as_deref() != Ok("all"), "{reason}");
        skipped(&reason);
    }
    is_installed
}

/// Running receiver, and its output lines about processed reports.
struct Receiver {
    name: &'static str,
    url: String,
    lines: mpsc::UnboundedReceiver<String>,
    http: reqwest::Client,
    _process: Option<Process>,
}

impl Receiver {
    /// Starts all receivers in the docs that can run here, except the one in Go.
    async fn all() -> Vec<Self> {
        let node = block("js", "// receiver.mjs");
        let python = block("python", "# receiver.py");
        let mut all = Self::installed(&node, &python).await;
        all.push(Self::rust().await);
        all
    }

    /// Starts the receivers that verify `X-SVC-Signature`. As documented, they call a different function of the page to
    /// verify.
    async fn all_by_body_signature() -> Vec<Self> {
        let with = |sample: String, from: &str, to: &str| {
            assert_eq!(sample.matches(from).count(), 1, "{from}");
            sample.replace(from, to)
        };
        let node = block("js", "// receiver.mjs") + &block("js", "function verifyBody(");
        let node = with(node, "!verify(request", "!verifyBody(request");
        let python = block("python", "# receiver.py");
        let python = with(python, "= verify(self", "= verify_body(self");
        let function = block("python", "def verify_body(");
        let python = with(python, "class Receiver", &format!("{function}\n\nclass Receiver"));
        Self::installed(&node, &python).await
    }

    /// Starts those of the two receivers that can run here.
    async fn installed(node: &str, python: &str) -> Vec<Self> {
        let mut all = Vec::new();
        for (program, file, text) in
            [("node", "receiver.mjs", node), ("python3", "receiver.py", python)]
        {
            if can_run(program) {
                all.push(Self::run(program, file, text).await);
            }
        }
        all
    }

    async fn run(program: &'static str, file: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(file), text).unwrap();
        Self::started(program, Command::new(program).arg(file), folder).await
    }

    async fn started(program: &'static str, command: &mut Command, folder: TempDir) -> Self {
        let mut child = command
            .current_dir(folder.path())
            .envs([("SVC_WEBHOOK_SECRET", SECRET), ("PORT", "0")])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(folder.path().join("stderr")).unwrap())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start: {error}"));
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let stderr = folder.path().join("stderr");
        let process = Process { child, _folder: folder };
        let (sender, mut lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            // The loop ends with the process or the test.
            stdout.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
        });
        let first = soon("the address of the receiver", lines.recv()).await;
        let url = first.as_deref().and_then(|line| line.strip_prefix("listening on "));
        let Some(url) = url else { panic!("{program}: {first:?} {}", read(&stderr)) };
        Self::at(program, url.to_owned(), lines, Some(process))
    }

    async fn rust() -> Self {
        let (sender, lines) = mpsc::unbounded_channel();
        let url = rust_receiver::start(SECRET, sender).await;
        Self::at("rust", url, lines, None)
    }

    fn at(
        name: &'static str,
        url: String,
        lines: mpsc::UnboundedReceiver<String>,
        process: Option<Process>,
    ) -> Self {
        // Creating a client requires a provider, although nothing here is encrypted. An earlier test may have installed
        // it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Each request uses a new connection, because a receiver may close one at any time.
        let http = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap();
        Self { name, url, lines, http, _process: process }
    }

    async fn try_send(&self, delivery: &Delivery) -> reqwest::Result<u16> {
        let request = self.http.post(format!("{}/svc", self.url)).body(delivery.body.clone());
        let headers = delivery.headers.iter();
        let request =
            headers.fold(request, |request, (name, value)| request.header(*name, &value[..]));
        Ok(request.send().await?.status().as_u16())
    }

    async fn send(&self, delivery: &Delivery) -> u16 {
        self.try_send(delivery).await.unwrap()
    }

    async fn accepts(&self, delivery: &Delivery) {
        assert_eq!(self.send(delivery).await, 204, "{}", self.name);
    }

    async fn refuses(&self, what: &str, delivery: &Delivery) {
        assert_eq!(self.send(delivery).await, 401, "{} takes {what}", self.name);
    }

    /// Checks that this report is the next one processed.
    async fn works_on(&mut self, report: &str) {
        let line = soon("the receiver's work", self.lines.recv()).await;
        assert_eq!(line, Some(format!("new report {report}")), "{}", self.name);
    }

    /// Checks that the receiver has processed nothing so far, and still works.
    async fn has_done_nothing_and_goes_on(&mut self) {
        self.accepts(&Delivery::of_report("evt_next", "next")).await;
        self.works_on("next").await;
    }
}

/// Request as the service sends it.
struct Delivery {
    headers: Vec<(&'static str, Vec<u8>)>,
    body: Vec<u8>,
}

impl Delivery {
    fn new(secret: &str, id: &str, timestamp: i64, body: &str) -> Self {
        let signature = signature(secret, id, timestamp, body);
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", timestamp.to_string()),
            ("webhook-signature", signature),
            ("x-svc-signature", body_signature(secret, body)),
            ("x-svc-sequence", SEQUENCE.to_string()),
        ];
        let headers = headers.map(|(name, value)| (name, value.into_bytes()));
        Self { headers: headers.into(), body: body.as_bytes().to_vec() }
    }

    /// Delivery of the body in the docs, signed now.
    fn now() -> Self {
        Self::aged(0)
    }

    /// Delivery of the body in the docs, signed `seconds` seconds ago.
    fn aged(seconds: i64) -> Self {
        Self::new(SECRET, ID, now() - seconds, BODY)
    }

    fn numbered(self, sequence: i64) -> Self {
        self.with("x-svc-sequence", sequence.to_string())
    }

    fn of_report(id: &str, report: &str) -> Self {
        Self::of("report.created", id, &json!({ "id": report, "city": "São Paulo" }))
    }

    fn of(event: &str, id: &str, data: &Value) -> Self {
        let body = json!({ "event": event, "timestamp": "2026-03-01T12:00:00.000Z", "data": data });
        Self::new(SECRET, id, now(), &body.to_string())
    }

    fn with(mut self, name: &'static str, value: impl Into<Vec<u8>>) -> Self {
        self = self.without(name);
        self.headers.push((name, value.into()));
        self
    }

    fn without(mut self, name: &str) -> Self {
        let before = self.headers.len();
        self.headers.retain(|(other, _)| *other != name);
        assert_eq!(self.headers.len(), before - 1, "{name}");
        self
    }
}

/// System time in seconds, with which receivers compare the timestamp.
fn now() -> i64 {
    Clock::system().now().timestamp()
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    Hmac::<Sha256>::new_from_slice(key)
        .unwrap()
        .chain_update(message)
        .finalize()
        .as_bytes()
        .to_vec()
}

fn signature(secret: &str, id: &str, timestamp: i64, body: &str) -> String {
    let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mac = hmac(&key, format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(mac))
}

fn body_signature(secret: &str, body: &str) -> String {
    format!("sha256={}", hex::encode(hmac(secret.as_bytes(), body.as_bytes())))
}

/// The only code block in this language that contains this text, including its last newline.
fn block(language: &str, with: &str) -> String {
    let fence = format!("\n```{language}\n");
    let blocks = DOCS.split(fence.as_str()).skip(1);
    let blocks = blocks.map(|rest| rest.split_once("\n```\n").unwrap().0);
    let found: Vec<&str> = blocks.filter(|block| block.contains(with)).collect();
    assert_eq!(found.len(), 1, "blocks of {language} with {with}");
    format!("{}\n", found[0])
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_test_vectors_are_what_hmac_gives() {
    assert_eq!(signature(SECRET, ID, TIMESTAMP, BODY), SIGNATURE);
    assert_eq!(body_signature(SECRET, BODY), BODY_SIGNATURE);
    let library = Webhook::new(SECRET).unwrap();
    assert_eq!(library.sign(ID, TIMESTAMP, BODY.as_bytes()).unwrap(), SIGNATURE);
    let key: Vec<u8> = (0..32).collect();
    assert_eq!(SECRET, format!("whsec_{}", BASE64_STANDARD.encode(key)));
}

#[test]
fn the_page_shows_the_test_vectors_and_a_request_made_of_them() {
    assert_eq!(block("json", "São Paulo"), format!("{BODY}\n"));
    for (name, value) in [
        ("secret", SECRET),
        ("`webhook-id`", ID),
        ("`webhook-timestamp`", &TIMESTAMP.to_string()),
        ("`webhook-signature`", SIGNATURE),
        ("`X-SVC-Signature`", BODY_SIGNATURE),
    ] {
        let row = format!("\n| {name} | `{value}`");
        assert!(DOCS.contains(&row), "{row}");
    }
    assert!(DOCS.contains(&format!("The body, {} bytes of UTF-8", BODY.len())));
    assert_eq!(
        block("http", "POST"),
        format!(
            "POST /svc HTTP/1.1\nhost: partner.example.com\ncontent-type: application/json\n\
             content-length: {}\nwebhook-id: {ID}\nwebhook-timestamp: {TIMESTAMP}\n\
             webhook-signature: {SIGNATURE}\nx-svc-signature: {BODY_SIGNATURE}\n\
             x-svc-sequence: {SEQUENCE}\n\n{BODY}\n",
            BODY.len()
        )
    );
}

#[test]
fn the_rust_samples_are_the_ones_compiled_here() {
    let here = include_str!("receivers.rs");
    let (from, to) = ("    // Documented from here.\n", "    // Documented to here.\n");
    let compiled: Vec<String> = here
        .split(&format!("\n{from}"))
        .skip(1)
        .map(|rest| {
            let lines = rest.split_once(to).unwrap().0.lines();
            lines.map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n").collect()
        })
        .collect();
    assert_eq!(compiled, [block("rust", "fn main("), block("rust", "fn verify_body(")]);
}

#[tokio::test]
async fn a_signed_delivery_is_taken_and_worked_on() {
    for mut receiver in Receiver::all().await {
        receiver.accepts(&Delivery::now()).await;
        receiver.works_on("r-1").await;
    }
}

#[tokio::test]
async fn a_delivery_that_comes_again_is_taken_and_not_worked_on_again() {
    for mut receiver in Receiver::all().await {
        receiver.accepts(&Delivery::aged(5)).await;
        receiver.works_on("r-1").await;
        receiver.accepts(&Delivery::now()).await;
        receiver.has_done_nothing_and_goes_on().await;
    }
}

async fn keeps_what_is_later(receiver: &mut Receiver) {
    let told = |event: &str, report: &str, sequence: i64| {
        let id = format!("evt_{sequence}");
        Delivery::of(event, &id, &json!({ "id": report })).numbered(sequence)
    };
    receiver.accepts(&told("report.created", "a", 10)).await;
    receiver.works_on("a").await;
    // A repeated attempt, and a withdrawal that overtakes earlier events.
    receiver.accepts(&told("report.created", "a", 10)).await;
    receiver.accepts(&told("report.withdrawn", "b", 12)).await;
    receiver.accepts(&told("report.updated", "b", 11)).await;
    receiver.accepts(&told("report.created", "b", 9)).await;
    // The report is published again.
    receiver.accepts(&told("report.created", "b", 13)).await;
    receiver.works_on("b").await;
}

#[tokio::test]
async fn an_event_that_is_older_than_the_last_one_of_its_report_changes_nothing() {
    for mut receiver in Receiver::all().await {
        keeps_what_is_later(&mut receiver).await;
    }
}

#[tokio::test]
async fn an_event_that_a_receiver_does_not_know_is_taken_and_passed_over() {
    for mut receiver in Receiver::all().await {
        receiver.accepts(&Delivery::of("webhook.test", "evt_test", &json!({}))).await;
        receiver.has_done_nothing_and_goes_on().await;
    }
}

#[tokio::test]
async fn one_changed_byte_of_the_body_is_refused() {
    for mut receiver in Receiver::all().await {
        for place in [0, 10, BODY.find('ã').unwrap(), BODY.len() - 1] {
            let mut delivery = Delivery::now();
            delivery.body[place] ^= 1;
            receiver.refuses(&format!("another byte at {place}"), &delivery).await;
        }
        let mut delivery = Delivery::now();
        delivery.body.push(b'\n');
        receiver.refuses("one more byte", &delivery).await;
        delivery.body.truncate(BODY.len() - 1);
        receiver.refuses("one byte less", &delivery).await;
        receiver.has_done_nothing_and_goes_on().await;
    }
}

#[tokio::test]
async fn another_id_or_time_than_the_signed_one_is_refused() {
    for mut receiver in Receiver::all().await {
        receiver.refuses("another id", &Delivery::now().with("webhook-id", "evt_other")).await;
        let later = (now() + 1).to_string();
        let delivery = Delivery::aged(1).with("webhook-timestamp", later);
        receiver.refuses("another time", &delivery).await;
        receiver.has_done_nothing_and_goes_on().await;
    }
}

#[tokio::test]
async fn what_another_secret_signed_is_refused() {
    for mut receiver in Receiver::all().await {
        let delivery = Delivery::new(OTHER_SECRET, ID, now(), BODY);
        receiver.refuses("another secret", &delivery).await;
        receiver.has_done_nothing_and_goes_on().await;
    }
}

#[tokio::test]
async fn a_time_more_than_five_minutes_away_is_refused_although_it_is_signed() {
    for mut receiver in Receiver::all().await {
        for seconds in [3_600, 360, -360, -3_600] {
            receiver.refuses(&format!("{seconds} s"), &Delivery::aged(seconds)).await;
        }
        receiver.accepts(&Delivery::aged(240)).await;
        receiver.works_on("r-1").await;
    }
}

#[tokio::test]
async fn a_request_without_one_of_the_headers_is_refused() {
    for mut receiver in Receiver::all().await {
        for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
            receiver.refuses(&format!("no {name}"), &Delivery::now().without(name)).await;
        }
        let none = Delivery { headers: Vec::new(), body: BODY.into() };
        receiver.refuses("no header at all", &none).await;
        receiver.has_done_nothing_and_goes_on().await;
    }
}

#[tokio::test]
async fn one_right_signature_among_several_is_enough() {
    for mut receiver in Receiver::all().await {
        let other = signature(OTHER_SECRET, ID, now(), BODY);
        let delivery = Delivery::now();
        let (_, right) = delivery.headers[3].clone();
        let both = [other.as_bytes(), b" ", &right].concat();
        receiver.accepts(&delivery.with("webhook-signature", both)).await;
        receiver.works_on("r-1").await;
    }
}

#[tokio::test]
async fn rubbish_is_refused_and_stops_no_receiver() {
    for mut receiver in Receiver::all().await {
        for rubbish in ["", " ", "v1", "v1,", "v1,ä", "v2,x v1,=", &"x".repeat(44)] {
            for name in ["webhook-signature", "webhook-timestamp", "webhook-id"] {
                let delivery = Delivery::now().with(name, rubbish);
                receiver.refuses(&format!("{rubbish:?} as {name}"), &delivery).await;
            }
        }
        let data = json!({ "id": "large", "city": "x".repeat(1_000_000) });
        let large = Delivery::of("report.created", "evt_large", &data);
        // The receiver may also close the connection without a response.
        if let Ok(status) = receiver.try_send(&large).await {
            assert!((400..500).contains(&status), "{}: {status}", receiver.name);
        }
        let addr = receiver.url.strip_prefix("http://").unwrap();
        let mut broken = TcpStream::connect(addr).await.unwrap();
        broken
            .write_all(b"POST /svc HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{")
            .await
            .unwrap();
        drop(broken);
        receiver.has_done_nothing_and_goes_on().await;
    }
}

#[tokio::test]
async fn the_signature_of_the_body_alone_verifies_too() {
    for mut receiver in Receiver::all_by_body_signature().await {
        let mut changed = Delivery::now();
        changed.body[10] ^= 1;
        receiver.refuses("another byte", &changed).await;
        let other = Delivery::new(OTHER_SECRET, ID, now(), BODY);
        receiver.refuses("another secret", &other).await;
        receiver.refuses("no header", &Delivery::now().without("x-svc-signature")).await;
        for rubbish in ["", "sha256=", "sha256=ä", &BODY_SIGNATURE[7..]] {
            let delivery = Delivery::now().with("x-svc-signature", rubbish);
            receiver.refuses(&format!("{rubbish:?}"), &delivery).await;
        }
        receiver.has_done_nothing_and_goes_on().await;
        // Headers that are not verified, including the timestamp, may have any value.
        receiver.accepts(&Delivery::aged(3_600).with("webhook-signature", "v1,other")).await;
        receiver.works_on("r-1").await;
    }
}

#[test]
fn the_signature_of_the_body_alone_verifies_in_rust_too() {
    let verifies =
        |header: &str, body: &str| rust_body_signature::verifies(SECRET, header, body.as_bytes());
    assert!(verifies(BODY_SIGNATURE, BODY));
    assert!(!verifies(BODY_SIGNATURE, &BODY.replace("\"r-1\"", "\"r-2\"")));
    assert!(!verifies(&body_signature(OTHER_SECRET, BODY), BODY));
    assert!(!verifies("", BODY));
    assert!(!verifies("sha256=", BODY));
    assert!(!verifies(&BODY_SIGNATURE[7..], BODY));
}

/// Invalid secrets: empty, only the prefix, blanks, no prefix, invalid base64.
const NO_SECRETS: [&str; 7] =
    ["", "whsec_", "   ", "whsec_   ", "AAECAwQFBgcICQoLDA0ODw==", "whsec_AAE*", "whsec_AAECA"];
const REFUSAL: &str = "SVC_WEBHOOK_SECRET must be a webhook secret: whsec_ followed by base64.";

/// Runs a receiver that must exit with an error message. The port is invalid, so that a receiver that does start exits
/// too.
fn assert_refuses_to_start(program: &Path, arguments: &[&str], folder: &Path) {
    for secret in NO_SECRETS.map(Some).into_iter().chain([None]) {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).env("PORT", "99999");
        command.env_remove("SVC_WEBHOOK_SECRET").envs(secret.map(|s| ("SVC_WEBHOOK_SECRET", s)));
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{program:?} with {secret:?}");
        assert!(said.trim_end().ends_with(REFUSAL), "{program:?} with {secret:?}: {said}");
    }
}

#[test]
fn no_receiver_starts_without_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (program, file, text) in [
        ("node", "receiver.mjs", block("js", "// receiver.mjs")),
        ("python3", "receiver.py", block("python", "# receiver.py")),
    ] {
        std::fs::write(folder.join(file), text).unwrap();
        if can_run(program) {
            assert_refuses_to_start(Path::new(program), &[file], folder);
        }
    }
    for secret in NO_SECRETS {
        assert_eq!(rust_receiver::refusal(secret), Some(REFUSAL), "rust with {secret:?}");
    }
}

#[tokio::test]
async fn the_receiver_in_go_takes_what_is_signed_once_and_nothing_else() {
    if !can_run("go") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("receiver.go"), block("go", "// receiver.go")).unwrap();
    let build = ["build", "-o", "receiver", "receiver.go"];
    let built = Command::new("go").args(build).current_dir(&folder).status().unwrap();
    assert!(built.success());
    let program = folder.path().join("receiver");
    assert_refuses_to_start(&program, &[], folder.path());
    let mut receiver = Receiver::started("go", &mut Command::new(program), folder).await;
    receiver.accepts(&Delivery::aged(5)).await;
    receiver.works_on("r-1").await;
    receiver.accepts(&Delivery::now()).await;
    let other = signature(OTHER_SECRET, ID, now(), BODY);
    let again = Delivery::of_report("evt_other", "r-2");
    let both = [other.as_bytes(), b" ", &again.headers[3].1.clone()].concat();
    receiver.accepts(&again.with("webhook-signature", both)).await;
    receiver.works_on("r-2").await;
    let mut changed = Delivery::now();
    changed.body[10] ^= 1;
    let forged = Delivery::new(OTHER_SECRET, ID, now(), BODY);
    receiver.refuses("another byte", &changed).await;
    receiver.refuses("another secret", &forged).await;
    receiver.refuses("another id", &Delivery::now().with("webhook-id", "evt_other")).await;
    for seconds in [360, -360] {
        receiver.refuses(&format!("{seconds} s"), &Delivery::aged(seconds)).await;
    }
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        receiver.refuses(&format!("no {name}"), &Delivery::now().without(name)).await;
    }
    receiver.accepts(&Delivery::of("webhook.test", "evt_test", &json!({}))).await;
    receiver.has_done_nothing_and_goes_on().await;
    keeps_what_is_later(&mut receiver).await;
}
