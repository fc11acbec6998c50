use std::sync::Arc;

use axum::{Json, extract::State, response::Response};
use base::time::Timestamp;
use domain::{scope::Scope, subscription::MAX_SUBSCRIPTIONS};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::{
    api::{Caller, unstored},
    keys::{Holder, Keys},
    openapi::Operation,
    problem::Result,
};

/// The caller, as the service sees it.
#[derive(Serialize, JsonSchema)]
struct Me {
    /// `public` without a key, or else the tier of the key.
    tier: &'static str,
    /// The key of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<MyKey>,
    limits: MyLimits,
}

/// The key of a request.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MyKey {
    /// First characters of the key, which identify it.
    prefix: Arc<str>,
    /// Name of the partner, or of the operator's person or tool.
    holder: Arc<str>,
    /// Scope of an operator's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<Scope>,
    /// End of validity; left out if the key does not expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    /// Origins of the pages that may use the key. Left out if it is not for pages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    origins: Vec<String>,
}

/// Limits of the caller. A limit that is left out does not exist for it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MyLimits {
    /// Maximum number of requests in any 60 seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    requests_per_minute: Option<u32>,
    /// Number of requests that are left after this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    requests_left: Option<u32>,
    /// Seconds until the oldest counted request no longer counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    reset_seconds: Option<u64>,
    /// Maximum number of open streams: 0 if the caller can open none.
    #[serde(skip_serializing_if = "Option::is_none")]
    streams: Option<u32>,
    /// Maximum number of webhook subscriptions: 0 if the caller can have none.
    subscriptions: u32,
}

/// `GET /api/v1/me`: key and limits of the caller.
pub async fn get(State(keys): State<Keys>, caller: Caller) -> Result<Response> {
    let key = caller.key.and_then(|key| {
        let Holder { prefix, name, expires_at, origins } = keys.holder(key.id)?;
        let expires_at = expires_at.map(Timestamp);
        Some(MyKey {
            prefix,
            holder: name,
            scope: key.scope,
            expires_at,
            origins: origins.to_vec(),
        })
    });
    let decision = caller.decision;
    let requests = decision.quota.requests;
    let may_subscribe = caller.key.is_some_and(|key| key.may_subscribe());
    let is_sandbox = caller.key.is_some_and(|key| key.tier.is_sandbox());
    let limits = MyLimits {
        requests_per_minute: requests,
        requests_left: requests.map(|_| decision.remaining),
        reset_seconds: requests.map(|_| decision.reset_seconds()),
        streams: if is_sandbox { Some(0) } else { requests.map(|_| caller.streams) },
        subscriptions: if may_subscribe { MAX_SUBSCRIPTIONS } else { 0 },
    };
    Ok(unstored(Json(Me { tier: decision.quota.name, key, limits })))
}

pub(super) fn described() -> Operation {
    let example = json!({
        "tier": "partner",
        "key": {
            "prefix": "svc_4kPz81Qw",
            "holder": "Aid",
            "expiresAt": "2027-01-01T00:00:00.000Z",
        },
        "limits": {
            "requestsPerMinute": 1000,
            "requestsLeft": 996,
            "resetSeconds": 42,
            "streams": 20,
            "subscriptions": 25,
        },
    });
    Operation::read("/api/v1/me", "getMe", "Your key and limits")
        .about(
            "Tier, scope and expiry of the key, and the limits of the caller, with the requests left; without a key, \
                those of the address. The request counts.",
        )
        .cache("no-store")
        .responses::<Me>("The caller", example)
}
