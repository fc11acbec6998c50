//! Secret rotation: for 24 hours webhooks are signed with the old secret as well.

use std::time::Duration;

use axum::{body::Bytes, http::HeaderMap};
use base::random::Random;
use domain::tier::Tier;
use hmac::{Hmac, KeyInit, Mac};
use model::ReportType::Water;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use standardwebhooks::Webhook;

use svc::{
    config::{Serve, WebhookTargets},
    keys::ApiKey,
};

use tokio::{net::TcpListener, sync::mpsc};
use webhooks::{client::Client, dispatcher::Dispatcher, resolver::Resolver};

use super::{PATH, ask, list, patch, post, running};
use crate::harness::{Answer, Running, report, settings, soon};

const DAY: Duration = Duration::from_secs(86_400);
const SECOND: Duration = Duration::from_secs(1);

async fn rotate(running: &Running, key: &ApiKey, id: &str) -> Answer {
    ask(running, Method::POST, &format!("{PATH}/rotate?id={id}"), key).await
}

/// Rotates the secret and returns the new one.
async fn rotated(running: &Running, key: &ApiKey, id: &str) -> String {
    let answer = rotate(running, key, id).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["subscription"]["secret"].as_str().unwrap().to_owned()
}

/// Webhook as received by an endpoint.
struct Received {
    headers: HeaderMap,
    body: Bytes,
}

impl Received {
    fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// Checks that the webhook is signed with exactly these secrets, in this order, both with the published library of
    /// Standard Webhooks and as the docs describe.
    fn assert_signed_with(&self, secrets: &[&str]) {
        let timestamp = self.header("webhook-timestamp").parse().unwrap();
        let signatures = secrets.iter().map(|secret| {
            let library = Webhook::new(secret).unwrap();
            library.sign(self.header("webhook-id"), timestamp, &self.body).unwrap()
        });
        let signatures = signatures.collect::<Vec<_>>().join(" ");
        assert_eq!(self.header("webhook-signature"), signatures);
        let mut mac = Hmac::<Sha256>::new_from_slice(secrets[0].as_bytes()).unwrap();
        mac.update(&self.body);
        let own = format!("sha256={}", hex::encode(mac.finalize().into_bytes()));
        assert_eq!(self.header("x-svc-signature"), own);
    }
}

/// Partner with an endpoint on this machine that is subscribed to new reports.
struct Scene {
    running: Running,
    key: ApiKey,
    id: String,
    secret: String,
    received: mpsc::UnboundedReceiver<Received>,
    published: u32,
}

impl Scene {
    async fn new() -> Self {
        Self::on(running().await).await
    }

    async fn on(running: Running) -> Self {
        let (sender, received) = mpsc::unbounded_channel();
        let receive = async move |headers: HeaderMap, body: Bytes| {
            sender.send(Received { headers, body }).unwrap_or_default();
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let receiver = axum::Router::new().route("/", axum::routing::post(receive));
        tokio::spawn(async move { axum::serve(listener, receiver).await });
        let key = running.key("Aid", Tier::Partner).await;
        let body = json!({ "url": url, "events": ["report.created"] });
        let created = post(&running, &key, body.to_string()).await.json()["subscription"].clone();
        let text = |name: &str| created[name].as_str().unwrap().to_owned();
        let (id, secret) = (text("id"), text("secret"));
        Self { running, key, id, secret, received, published: 0 }
    }

    async fn rotated(&self) -> String {
        rotated(&self.running, &self.key, &self.id).await
    }

    /// Publishes a report and returns its webhook.
    async fn webhook(&mut self) -> Received {
        self.published += 1;
        self.running.publish(&[report(&format!("r-{}", self.published), Water)]).await;
        let store = self.running.database.elsewhere().await;
        let endpoints = self.running.service.app.settings.endpoints.clone();
        let client = Client::new(endpoints, Resolver::system()).unwrap();
        let clock = self.running.clock.clone();
        let mut dispatcher = Dispatcher::new(store, clock, Random::seeded(2), client);
        dispatcher.dispatch_due().await.unwrap();
        soon("the webhook", self.received.recv()).await.unwrap()
    }
}

#[tokio::test]
async fn a_new_secret_is_shown_once_with_the_subscription() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let body = json!({
        "url": "http://127.0.0.1:9/",
        "events": ["report.created"],
        "filter": { "types": ["water"] },
    });
    let created = post(&running, &key, body.to_string()).await.json()["subscription"].clone();
    let id = created["id"].as_str().unwrap();
    // Disabled subscriptions can be rotated too.
    for status in ["ACTIVE", "DISABLED"] {
        patch(&running, &key, id, &json!({ "status": status })).await;
        let listed = list(&running, &key).await;
        let answer = rotate(&running, &key, id).await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
        let body = answer.json();
        let secret = body["subscription"]["secret"].as_str().unwrap();
        assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
        assert_ne!(secret, created["secret"]);
        let mut expected = listed[0].clone();
        expected["secret"] = json!(secret);
        assert_eq!(body, json!({ "subscription": expected }));
        assert_eq!(list(&running, &key).await, listed);
    }
}

#[tokio::test]
async fn for_24_hours_webhooks_are_signed_with_both_secrets() {
    let mut scene = Scene::new().await;
    let old = scene.secret.clone();
    scene.webhook().await.assert_signed_with(&[&old]);
    let new = scene.rotated().await;
    scene.webhook().await.assert_signed_with(&[&new, &old]);
    // The operator rotates the master key that encrypts both secrets.
    let changed =
        scene.running.database.store.subscriptions().rotate_master().await.unwrap().unwrap();
    assert_eq!(changed.secrets, 2);
    scene.running.clock.advance(DAY - SECOND);
    scene.webhook().await.assert_signed_with(&[&new, &old]);
    scene.running.clock.advance(SECOND);
    scene.webhook().await.assert_signed_with(&[&new]);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the library compares with the machine's time")]
async fn a_ready_made_library_accepts_a_webhook_by_either_secret() {
    let endpoints = WebhookTargets::lenient();
    let now = base::time::format_instant(chrono::Utc::now());
    let mut scene = Scene::on(Running::with(Serve { endpoints, ..settings() }, &now).await).await;
    let new = scene.rotated().await;
    let webhook = scene.webhook().await;
    for secret in [&new, &scene.secret] {
        let library = Webhook::new(secret).unwrap();
        library.verify(&webhook.body, &webhook.headers).unwrap();
        library.verify(&webhook.body[1..], &webhook.headers).unwrap_err();
    }
}

#[tokio::test]
async fn of_several_rotations_the_two_newest_secrets_count() {
    let mut scene = Scene::new().await;
    let second = scene.rotated().await;
    scene.running.clock.advance(DAY / 2);
    let third = scene.rotated().await;
    scene.webhook().await.assert_signed_with(&[&third, &second]);
    // The 24 hours start again.
    scene.running.clock.advance(DAY - SECOND);
    scene.webhook().await.assert_signed_with(&[&third, &second]);
    scene.running.clock.advance(SECOND);
    scene.webhook().await.assert_signed_with(&[&third]);
}

#[tokio::test]
async fn only_the_own_secrets_can_be_replaced() {
    let mut scene = Scene::new().await;
    let rival = scene.running.key("Rivals", Tier::Partner).await;
    let refused = rotate(&scene.running, &rival, &scene.id).await;
    assert_eq!((refused.status, refused.json()["code"].clone()), (404, json!("NOT_FOUND")));
    let secret = scene.secret.clone();
    scene.webhook().await.assert_signed_with(&[&secret]);
    let path = format!("{PATH}?id={}", scene.id);
    assert_eq!(ask(&scene.running, Method::DELETE, &path, &scene.key).await.status, 204);
    assert_eq!(rotate(&scene.running, &scene.key, &scene.id).await.status, 404);
}

#[tokio::test]
async fn a_repeated_request_to_subscribe_has_the_response_of_the_first() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let bearer = format!("Bearer {}", key.as_str());
    let subscribe = async || {
        let body = r#"{"url":"http://127.0.0.1:9/","events":["report.created"]}"#;
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", "application/json"),
            ("idempotency-key", "k-1"),
        ];
        let answer = running.ask(running.http.post(running.url(PATH)).body(body), &headers).await;
        assert_eq!(answer.status, 201);
        answer.json()
    };
    let first: Value = subscribe().await;
    rotated(&running, &key, first["subscription"]["id"].as_str().unwrap()).await;
    assert_eq!(subscribe().await, first);
}

#[tokio::test]
async fn the_service_forgets_an_old_secret_by_itself() {
    let scene = Scene::new().await;
    scene.rotated().await;
    let old = "SELECT count(*) FROM subscriptions WHERE old_secret IS NOT NULL";
    let database = &scene.running.database;
    assert_eq!(database.count(old).await, 1);
    scene.running.clock.advance(DAY);
    let forgotten = async {
        while database.count(old).await > 0 {
            tokio::task::yield_now().await;
        }
    };
    soon("the old secret to be forgotten", forgotten).await;
}
