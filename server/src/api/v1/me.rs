use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use base::time::Timestamp;
use domain::{scope::Scope, subscription::MAX_SUBSCRIPTIONS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::Store;

use crate::{
    api::{
        Caller,
        body::{self, given},
        unstored,
    },
    keys::{Holder, Keys},
    mail::bare_address,
    openapi::Operation,
    problem::{Code, Problem, Result},
};

/// The caller, as the service sees it.
#[derive(Serialize, JsonSchema)]
struct Me {
    /// `public` without a key, or else the tier of the key.
    tier: &'static str,
    /// The key of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<MyKey>,
    /// Address for mails about the partner's endpoints, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "email"))]
    email: Option<String>,
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

/// A change of the caller's partner.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("minProperties" = 1))]
struct MyChange {
    /// Address for mails about endpoints that were paused or disabled, such as `ada@example.org`; `null` removes it.
    #[serde(default, deserialize_with = "given")]
    #[schemars(length(min = 1, max = 254), extend("format" = "email"))]
    email: Option<Option<String>>,
}

/// `GET /api/v1/me`: key and limits of the caller.
pub async fn get(
    State(keys): State<Keys>,
    State(store): State<Store>,
    caller: Caller,
) -> Result<Response> {
    Ok(unstored(Json(me(&keys, &store, caller).await?)))
}

/// `PATCH /api/v1/me`: changes the address of the caller's partner.
pub async fn patch(
    State(keys): State<Keys>,
    State(store): State<Store>,
    caller: Caller,
    request: Request,
) -> Result<Response> {
    let partner_id = partner_of(&caller).ok_or_else(|| match caller.key {
        None => Problem::unauthenticated(
            "Only partners have an address: send a key as Authorization: Bearer svc_….",
        ),
        Some(_) => Problem::forbidden(
            "Only partners have an address, and this key is the operator's own, or for pages, where everybody can read \
             it: use another key.",
        ),
    })?;
    change(&store, partner_id, body::object(request).await?).await?;
    Ok(unstored(Json(me(&keys, &store, caller).await?)))
}

/// Changes a partner as the members of a body describe.
pub(crate) async fn change(
    store: &Store,
    partner_id: i64,
    members: Map<String, Value>,
) -> Result<()> {
    let MyChange { email } = body::parsed(members, |_| Code::InvalidBody)?;
    let email = email
        .ok_or_else(|| Problem::invalid_parameter("There is nothing to change: give \"email\"."))?;
    let email = email.map(|email| bare_address(&email)).transpose().map_err(|remedy| {
        let detail = format!("\"email\" is not an address: {remedy}.");
        Problem::new(Code::InvalidBody, detail).at("/email".to_owned())
    })?;
    let email = email.map(|email| email.to_string());
    Ok(store.partner_mails().set_address(partner_id, email.as_deref()).await?)
}

/// The partner of the caller, unless its key is one that others can read.
fn partner_of(caller: &Caller) -> Option<i64> {
    let key = caller.key.filter(|key| key.tier.may_subscribe() && !key.is_of_pages)?;
    Some(key.partner_id)
}

async fn me(keys: &Keys, store: &Store, caller: Caller) -> Result<Me> {
    let email = match partner_of(&caller) {
        Some(partner_id) => store.partner_mails().address(partner_id).await?,
        None => None,
    };
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
    Ok(Me { tier: decision.quota.name, key, email, limits })
}

pub(super) fn described() -> [Operation; 2] {
    let example = json!({
        "tier": "partner",
        "key": {
            "prefix": "svc_4kPz81Qw",
            "holder": "Aid",
            "expiresAt": "2027-01-01T00:00:00.000Z",
        },
        "email": "ada@example.org",
        "limits": {
            "requestsPerMinute": 1000,
            "requestsLeft": 996,
            "resetSeconds": 42,
            "streams": 20,
            "subscriptions": 25,
        },
    });
    let read = Operation::read("/api/v1/me", "getMe", "Your key and limits")
        .about(
            "Tier, scope and expiry of the key, and the limits of the caller, with the requests left; without a key, \
                those of the address. The request counts.",
        )
        .cache("no-store")
        .responses::<Me>("The caller", example.clone());
    let change = Operation::partners("patch", "/api/v1/me", "changeMe", "Change your address for mails")
        .about(
            "If the operator has configured mails, a partner with an address gets one when an endpoint is paused or \
                disabled, at most one in ten minutes. `null` removes the address.",
        )
        .takes::<MyChange>(json!({ "email": "ada@example.org" }))
        .responses::<Me>("The caller after the change", example)
        .problems(&[Code::InvalidParameter]);
    [read, change]
}
