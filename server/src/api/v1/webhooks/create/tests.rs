use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::SeqCst},
};

use axum::body::Body;
use domain::tier::Tier;
use http::header;
use store::{KeySettings, Missing, NewKey, open_url};

use super::*;

/// Returns a partner, and a service whose resolver counts its lookups.
async fn partner(url: &str, lookups: Arc<AtomicU32>) -> (Subscribing, Partner) {
    let store = open_url(url, Missing::Create).await.unwrap();
    let key = NewKey {
        prefix: "svc_AAAAAAAA".to_owned(),
        hash: [0; 32],
        tier: Tier::Partner,
        scope: None,
        expires_at: None,
        settings: KeySettings::default(),
    };
    store.keys().create("Acme", &key).await.unwrap().unwrap();
    let id = store.keys().in_force().await.unwrap()[0].partner_id;
    let partner = Partner { id, is_sandbox: false, operator: None, claim: None };
    let resolver = Resolver::scripted(move |_| {
        lookups.fetch_add(1, SeqCst);
        Ok(vec!["8.8.8.8".parse().unwrap()])
    });
    let (random, endpoints) = (Random::seeded(1), WebhookTargets::default());
    (Subscribing { store, random, resolver, endpoints }, partner)
}

fn request() -> Request {
    let body = r#"{"url":"https://partner.example/hook","events":["report.created"]}"#;
    let json = (header::CONTENT_TYPE, "application/json");
    Request::post("/").header(json.0, json.1).body(Body::from(body)).unwrap()
}

#[tokio::test]
async fn a_partner_at_its_limit_cannot_make_the_service_resolve_names() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("svc.db").display());
    let lookups = Arc::new(AtomicU32::new(0));
    let (subscribing, partner) = partner(&url, lookups.clone()).await;
    for _ in 0..MAX_SUBSCRIPTIONS {
        let answer = post(State(subscribing.clone()), partner.clone(), request()).await.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED);
    }
    assert_eq!(lookups.load(SeqCst), MAX_SUBSCRIPTIONS);
    for _ in 0..3 {
        let refused =
            post(State(subscribing.clone()), partner.clone(), request()).await.unwrap_err();
        assert_eq!(refused.0.kind, Code::SubscriptionLimit.kind());
    }
    assert_eq!(lookups.load(SeqCst), MAX_SUBSCRIPTIONS);
}
