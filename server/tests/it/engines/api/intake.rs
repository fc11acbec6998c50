//! Reports from the public.

mod private;
mod refused;

use std::time::Duration;

use base::random::Random;
use domain::{scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use svc::{keys::ApiKey, service::Service};

use crate::{
    desk::running,
    harness::{Answer, Running, open, report},
    operator::{START, key},
};

const PATH: &str = "/api/v1/reports";
const CHALLENGE: &str = "/api/v1/challenge";

/// Service that takes reports from the public.
struct Open {
    running: Running,
    moderator: ApiKey,
}

impl Open {
    async fn new() -> Self {
        let running = running().await;
        let moderator = key(&running, "Maria", Tier::Operator, Some(Scope::Moderate)).await;
        Self { running, moderator }
    }

    /// Returns the solution of a new challenge.
    async fn proof(&self) -> Value {
        solved(&self.running.json(CHALLENGE).await)
    }

    /// Submits a report from this address.
    async fn send(&self, body: &Value, address: &str) -> Answer {
        let request = self.running.http.post(self.running.url(PATH)).json(body);
        self.running.ask(request, &[("x-forwarded-for", address)]).await
    }

    /// Submits a report with a proof.
    async fn submit(&self, body: Value, address: &str) -> Answer {
        let mut body = body;
        body["proof"] = self.proof().await;
        self.send(&body, address).await
    }

    /// Submits a report that is accepted, and returns its id.
    async fn accepted(&self, body: Value, address: &str) -> String {
        let answer = self.submit(body, address).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        let answer = answer.json();
        assert_eq!(answer["status"], "PENDING");
        answer["id"].as_str().unwrap().to_owned()
    }

    async fn by_key(&self, key: &ApiKey, method: Method, path: &str, body: &Value) -> Answer {
        let request = self.running.http.request(method, self.running.url(path)).json(body);
        let bearer = format!("Bearer {}", key.as_str());
        self.running.ask(request, &[("authorization", &bearer)]).await
    }

    /// Response of the operator API to a moderator.
    async fn moderated(&self, path: &str) -> Value {
        self.by_key(&self.moderator, Method::GET, path, &json!({})).await.json()
    }

    async fn pending(&self) -> Vec<Value> {
        let list = self.moderated("/operator/v1/reports?status=PENDING").await;
        list["items"].as_array().unwrap().clone()
    }

    async fn approve(&self, id: &str) {
        let path = "/operator/v1/reports/approve";
        let done =
            self.by_key(&self.moderator, Method::POST, path, &json!({ "ids": [id] })).await.json();
        assert_eq!(done["changed"], 1, "{done}");
        self.running.service.app.snapshots.refresh().await;
    }
}

/// Returns the proof for a challenge.
pub(crate) fn solved(answer: &Value) -> Value {
    let challenge = answer["challenge"].as_str().unwrap();
    let nonce = nonce(challenge, answer["difficulty"].as_u64().unwrap());
    json!({ "challenge": challenge, "nonce": nonce })
}

fn nonce(challenge: &str, difficulty: u64) -> String {
    let solves = |nonce: &String| {
        let hash = Sha256::digest(format!("{challenge}:{nonce}"));
        let first = u64::from_be_bytes(hash[..8].try_into().unwrap());
        u64::from(first.leading_zeros()) >= difficulty
    };
    (0_u32..).map(|nonce| nonce.to_string()).find(solves).unwrap()
}

/// A report in Lyon.
fn lyon() -> Value {
    json!({ "type": "water", "city": "Lyon", "country": "France" })
}

#[tokio::test]
async fn a_report_waits_in_the_queue_and_is_published_like_any_other() {
    let open = Open::new().await;
    let body = json!({
        "type": "spirit", "city": "  Lyon ", "region": "Auvergne-Rhône-Alpes", "country": "France",
        "peopleCount": 12, "eventDate": "2026-02-28",
    });
    let id = open.accepted(body, "192.0.2.1").await;
    let pending = open.pending().await;
    let expected = json!([{
        "id": id, "type": "spirit", "status": "PENDING", "city": "Lyon",
        "region": "Auvergne-Rhône-Alpes", "country": "France", "peopleCount": 12,
        "eventDate": "2026-02-28", "createdAt": START, "publishedAt": null,
    }]);
    assert_eq!(json!(pending), expected);
    assert_eq!(open.running.json(PATH).await, json!({ "reports": [] }));
    open.approve(&id).await;
    let public = json!({ "reports": [{
        "id": id, "city": "Lyon", "country": "France", "peopleCount": 12, "type": "spirit",
        "createdAt": START,
    }] });
    assert_eq!(open.running.json(PATH).await, public);
    assert_eq!(open.running.json("/api/v1/metrics").await["spirit"], 1);
}

#[tokio::test]
async fn what_is_left_out_has_defaults() {
    let open = Open::new().await;
    let id = open.accepted(lyon(), "192.0.2.1").await;
    let report = &open.pending().await[0];
    assert_eq!(report["id"], id);
    assert_eq!((&report["peopleCount"], &report["eventDate"]), (&json!(1), &json!("2026-03-01")));
    let mut empty = lyon();
    for member in ["region", "peopleCount", "eventDate", "note", "contact", "website"] {
        empty[member] = Value::Null;
    }
    // From another network, because the content is the same.
    open.accepted(empty, "192.0.2.2").await;
    assert_eq!(open.pending().await.len(), 2);
}

#[tokio::test]
async fn a_key_takes_the_place_of_the_proof_and_is_named_as_the_source() {
    let open = Open::new().await;
    let key = open.running.key("Aid", Tier::Partner).await;
    let answer = open.by_key(&key, Method::POST, PATH, &lyon()).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("cache-control"), "no-store");
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    let report = open.moderated(&format!("/operator/v1/reports/{id}")).await;
    let source = format!("api:{}", key.prefix());
    assert_eq!(report["submission"], json!({ "source": source, "submittedAt": START }));
    // The quota of networks is not that of keys, and a repeated report adds nothing.
    for _ in 0..6 {
        let again = open.by_key(&key, Method::POST, PATH, &lyon()).await;
        assert_eq!((again.status, again.json()["id"].as_str()), (202, Some(&*id)));
    }
    for people in 2..10 {
        let mut body = lyon();
        body["peopleCount"] = json!(people);
        assert_eq!(open.by_key(&key, Method::POST, PATH, &body).await.status, 202);
    }
    assert_eq!(open.pending().await.len(), 9);
}

#[tokio::test]
async fn the_same_report_from_the_same_network_is_one_for_a_day() {
    let open = Open::new().await;
    let first = open.accepted(lyon(), "192.0.2.1").await;
    let other_spelling = json!({ "type": "water", "city": "LYON", "country": "FR" });
    assert_eq!(open.accepted(other_spelling, "192.0.2.1").await, first);
    assert_eq!(open.pending().await.len(), 1);
    for (member, value) in [
        ("type", json!("both")),
        ("peopleCount", json!(2)),
        ("eventDate", json!("2026-02-01")),
        ("note", json!("At the river")),
    ] {
        let mut other = lyon();
        other[member] = value;
        assert_ne!(open.accepted(other, "192.0.2.1").await, first, "{member}");
    }
    assert_ne!(open.accepted(lyon(), "192.0.2.2").await, first);
    assert_eq!(open.pending().await.len(), 6);
    open.running.clock.advance(Duration::from_secs(24 * 3_600));
    let mut of_that_day = lyon();
    of_that_day["eventDate"] = json!("2026-03-01");
    assert_ne!(open.accepted(of_that_day, "192.0.2.1").await, first);
}

#[tokio::test]
async fn two_nodes_share_challenges_and_proofs() {
    let one = Open::new().await;
    let proof = one.proof().await;
    let Running { database, clock, .. } = &one.running;
    let (store, clock, random) = (database.elsewhere().await, clock.clone(), Random::seeded(2));
    let other = Service::start(open(), store, clock, random).await.unwrap();
    let mut body = lyon();
    body["proof"] = proof;
    let url = format!("http://{}{PATH}", other.addr);
    let answer = one.running.ask(one.running.http.post(url).json(&body), &[]).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    body["city"] = json!("Nice");
    assert_eq!(one.send(&body, "192.0.2.9").await.json()["code"], "INVALID_PROOF");
    other.stop().await;
}

#[tokio::test]
async fn a_program_that_fills_in_every_field_gets_an_id_without_a_report() {
    let open = Open::new().await;
    let mut body = lyon();
    body["website"] = json!("https://spam.example");
    let answer = open.send(&body, "192.0.2.1").await;
    assert_eq!((answer.status, &answer.json()["status"]), (202, &json!("PENDING")));
    assert!(answer.json()["id"].as_str().unwrap().starts_with("rep_"));
    assert_eq!(open.pending().await, Vec::<Value>::new());
}

#[tokio::test]
async fn off_is_a_404_that_names_the_setting() {
    let running = Running::new().await;
    let body = json!({ "type": "water", "city": "Lyon", "country": "France" });
    let posted = running.ask(running.http.post(running.url(PATH)).json(&body), &[]).await;
    for answer in [posted, running.get(CHALLENGE).await] {
        assert_eq!((answer.status, &answer.json()["code"]), (404, &json!("NOT_FOUND")));
        assert!(answer.text().contains("--intake on"), "{}", answer.text());
    }
    let reports = running.database.store.reports().pending().await.unwrap();
    assert_eq!(reports, 0);
    running.publish(&[report("a", Spirit)]).await;
    assert_eq!(running.json(PATH).await["reports"][0]["id"], "a");
}

/// Sends requests of each kind to the operations about submitted reports, and passes each response to `holds`.
pub(crate) async fn answers(mut holds: impl FnMut(&str, &str, &Answer)) {
    let open = Open::new().await;
    let closed = Running::new().await;
    let wrong_key = [("authorization", "Bearer x")];
    holds("get", CHALLENGE, &open.running.get(CHALLENGE).await);
    holds("get", CHALLENGE, &open.running.get_with(CHALLENGE, &wrong_key).await);
    holds("get", CHALLENGE, &closed.get(CHALLENGE).await);
    holds("post", PATH, &open.submit(lyon(), "192.0.2.1").await);
    let mut future = lyon();
    future["eventDate"] = json!("2999-01-01");
    let refused = [
        (422, future.to_string()),
        (400, lyon().to_string()),
        (400, json!({ "type": 7 }).to_string()),
        (400, "{".to_owned()),
        (413, " ".repeat(17 << 10)),
    ];
    for (status, body) in refused {
        let request = open.running.http.post(open.running.url(PATH)).body(body);
        let answer = open.running.ask(request, &[("content-type", "application/json")]).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        holds("post", PATH, &answer);
    }
    let post = |running: &Running| running.http.post(running.url(PATH));
    holds("post", PATH, &open.running.ask(post(&open.running).body("x"), &[]).await);
    let with_key = post(&open.running).json(&lyon());
    holds("post", PATH, &open.running.ask(with_key, &wrong_key).await);
    holds("post", PATH, &closed.ask(post(&closed).json(&lyon()), &[]).await);
}
