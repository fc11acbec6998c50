//! The operator API.

mod access;
mod docs;
mod keys;
mod openapi;
mod webhooks;

use base::random::Random;
use domain::{scope::Scope, tier::Tier};
use reqwest::Method;
use serde_json::Value;
use store::{KeySettings, NewKey};

use svc::{
    config::{self, ListenAddress, WebhookTargets},
    keys::ApiKey,
};

use crate::harness::{Answer, Running, open};

pub(crate) const START: &str = "2026-03-01T12:00:00.000Z";

/// Service with the operator API on the public address, and a key for it.
pub(crate) struct Desk {
    pub(crate) running: Running,
    pub(crate) key: ApiKey,
}

impl Desk {
    /// Creates a desk with the key of a moderator called Maria.
    pub(crate) async fn new() -> Self {
        Self::of("Maria", Scope::Moderate).await
    }

    /// Creates a desk with a key of this scope.
    pub(crate) async fn of(name: &str, scope: Scope) -> Self {
        let endpoints = WebhookTargets::lenient();
        let settings = config::Serve { operator_on: ListenAddress::Public, endpoints, ..open() };
        let running = Running::with(settings, START).await;
        let key = key(&running, name, Tier::Operator, Some(scope)).await;
        Self { running, key }
    }

    pub(crate) async fn ask(
        &self,
        key: &ApiKey,
        method: Method,
        path: &str,
        body: Option<(&str, String)>,
    ) -> Answer {
        let mut request = self.running.http.request(method, self.running.url(path));
        if let Some((kind, body)) = body {
            request = request.header("content-type", kind).body(body);
        }
        let bearer = format!("Bearer {}", key.as_str());
        self.running.ask(request, &[("authorization", &bearer)]).await
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let answer = self.ask(&self.key, Method::GET, path, None).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        assert_eq!(answer.header("cache-control"), "no-store");
        answer.json()
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.ask(&self.key, Method::DELETE, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, kind: &str, body: impl Into<String>) -> Answer {
        self.ask(&self.key, Method::POST, path, Some((kind, body.into()))).await
    }

    pub(crate) async fn decide(&self, step: &str, which: Value) -> Value {
        let path = format!("/operator/v1/reports/{step}");
        let answer = self.post(&path, "application/json", which.to_string()).await;
        assert_eq!(answer.status, 200, "{step} {which}: {}", answer.text());
        answer.json()
    }

    /// Ids of the items in a list.
    pub(crate) async fn ids(&self, query: &str) -> Vec<String> {
        let list = self.get(&format!("/operator/v1/reports{query}")).await;
        let items = list["items"].as_array().unwrap().iter();
        items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// Creates a valid key for the partner or operator of this name.
pub(crate) async fn key(running: &Running, name: &str, tier: Tier, scope: Option<Scope>) -> ApiKey {
    let key = ApiKey::generate(&Random::system());
    let (prefix, hash) = (key.prefix().to_owned(), key.hash());
    let new =
        NewKey { prefix, hash, tier, scope, expires_at: None, settings: KeySettings::default() };
    assert!(running.database.store.keys().create(name, &new).await.unwrap().is_some());
    key
}
