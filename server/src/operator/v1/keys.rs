use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use base::{clock::Clock, random::Random};
use domain::{scope::Scope, tier::Tier};
use http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{KeySettings, ListedKey, Revoked};

use super::{Items, items, tags::KEYS};
use crate::{
    api::{Segment, body, confidential, unstored},
    keys::{
        PREFIX_LENGTH,
        issue::{self, Issued, KeyRequest, MAX_NAME, holder_name, issue, last_day},
        prefix_of,
        settings::{self, MAX_NOTE, MAX_ORIGINS, MAX_RATE},
    },
    openapi::{Operation, Parameter},
    operator::{
        access::{Administrator, Reader},
        parameters,
    },
    problem::{Code, Problem, Result},
};

const PREFIX: &[Parameter] = &[parameters::PREFIX];

/// A key to create.
#[derive(Deserialize, JsonSchema)]
struct KeyInput {
    /// Name of the partner, or of the person or tool that uses an operator's key.
    #[schemars(length(min = 1, max = MAX_NAME))]
    partner: String,
    /// Tier of the key, which decides what it allows.
    #[serde(default)]
    tier: Tier,
    /// Scope of an operator's key.
    scope: Option<Scope>,
    /// Last day of validity (UTC).
    #[schemars(extend("format" = "date"))]
    expires: Option<String>,
    /// Note for the list of keys.
    #[schemars(length(max = MAX_NOTE))]
    note: Option<String>,
    /// Maximum number of requests per minute, instead of the tier's.
    #[serde(rename = "requestsPerMinute")]
    #[schemars(range(min = 1, max = MAX_RATE))]
    rate: Option<u32>,
    /// Origins of the pages that use the key, such as `https://example.org`. Pages of other sites cannot use it, and it is
    /// only for reading.
    #[serde(default)]
    #[schemars(length(max = MAX_ORIGINS))]
    origins: Vec<String>,
}

/// A revoked key.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RevokedKey<'a> {
    /// First characters of the key, which identify it.
    prefix: &'a str,
    #[schemars(extend("const" = true))]
    revoked: bool,
    /// Subscriptions that were disabled because their partner has no other key.
    disabled_subscriptions: Vec<String>,
}

/// `GET /operator/v1/keys`: all keys, newest first, without their secrets.
pub async fn list(Reader(store): Reader) -> Result<Response> {
    Ok(items(store.keys().list().await?, None))
}

/// `POST /operator/v1/keys`: creates a key. Only this response contains it.
pub async fn create(
    State(clock): State<Clock>,
    State(random): State<Random>,
    Administrator(store): Administrator,
    request: Request,
) -> Result<Response> {
    let new: KeyInput = body::read(request, |_| Code::InvalidBody).await?;
    let wrong = |name: &str, why: &str| Problem::invalid_parameter(format!("\"{name}\": {why}."));
    let wanted = KeyRequest {
        partner: holder_name(&new.partner).map_err(|why| wrong("partner", &why.to_string()))?,
        tier: new.tier,
        scope: new.scope,
        last_day: new
            .expires
            .map(|day| last_day(&day).map_err(|why| wrong("expires", &why.to_string())))
            .transpose()?,
        settings: KeySettings {
            note: settings::note(new.note.as_deref().unwrap_or_default())
                .map_err(|why| wrong("note", &why.to_string()))?,
            rate: new.rate,
            origins: settings::origins(new.origins.iter().map(String::as_str))
                .map_err(|why| wrong("origins", &why.to_string()))?,
        },
    };
    let issued = issue(&store, &random, &clock, wanted).await.map_err(|error| match error {
        issue::IssueError::ScopeOfPartner => {
            wrong("scope", "only the keys of operators have one: add \"tier\": \"operator\"")
        }
        issue::IssueError::OperatorsName => wrong("partner", &error.to_string()),
        issue::IssueError::OriginsOfOperator => wrong("origins", &error.to_string()),
        issue::IssueError::Past { .. } => wrong("expires", &error.to_string()),
        issue::IssueError::PrefixesTaken => {
            Problem::busy("Several prefixes already existed. Try again.")
        }
        issue::IssueError::Store(error) => error.into(),
    })?;
    Ok(confidential((StatusCode::CREATED, Json(issued))))
}

/// `DELETE /operator/v1/keys/{prefix}`: revokes a key. If it was the last one of a partner, its subscriptions are
/// disabled. Accepts the whole key, too, like `svc keys revoke`: a key that was put into a path should be revoked
/// anyway.
pub async fn revoke(
    Administrator(store): Administrator,
    Segment(given): Segment,
) -> Result<Response> {
    let unknown = || {
        let first: String = given.chars().take(PREFIX_LENGTH).collect();
        Problem::not_found(format!(
            "There is no key {first:?}: give the {PREFIX_LENGTH} characters in the list of keys."
        ))
    };
    let prefix = prefix_of(&given).ok_or_else(unknown)?;
    let disabled = match store.keys().revoke(prefix).await? {
        Revoked::Now { disabled } => disabled,
        Revoked::Before => Vec::new(),
        Revoked::Unknown => return Err(unknown()),
    };
    let revoked = RevokedKey { prefix, revoked: true, disabled_subscriptions: disabled };
    Ok(unstored(Json(revoked)))
}

pub(super) fn described() -> [Operation; 3] {
    let (path, one) = ("/operator/v1/keys", "/operator/v1/keys/{prefix}");
    let (prefix, partner) = ("svc_4fT0aQx9", "Example Org");
    let created = "2026-03-01T12:00:00.000Z";
    let listed = json!({
        "items": [{
            "prefix": prefix,
            "partner": partner,
            "tier": "partner",
            "createdAt": created,
            "expiresAt": null,
            "revokedAt": null,
            "lastUsedAt": null,
            "requestsLastDay": 0,
            "note": "their wiki",
            "origins": ["https://wiki.example.org"],
        }],
        "more": false,
    });
    let issued = json!({
        "key": "svc_4fT0aQx9…",
        "prefix": prefix,
        "partner": partner,
        "tier": "partner",
        "createdAt": created,
        "expiresAt": "2027-03-02T00:00:00.000Z",
    });
    let revoked = json!({ "prefix": prefix, "revoked": true, "disabledSubscriptions": [] });
    [
        Operation::operators(Scope::Read, "get", path, "listKeys", "All keys")
            .about("Newest first, without the keys themselves.")
            .tag(KEYS)
            .responses::<Items<ListedKey>>("Keys", listed),
        Operation::operators(Scope::Admin, "post", path, "createKey", "Create a key")
            .about("Only this response contains the key. A new name creates a new partner.")
            .tag(KEYS)
            .takes::<KeyInput>(json!({ "partner": partner, "expires": "2027-03-01" }))
            .responses::<Issued>("The key", issued)
            .creates()
            .problems(&[Code::InvalidParameter]),
        Operation::operators(Scope::Admin, "delete", one, "revokeKey", "Revoke a key")
        .about(
            "All nodes refuse it within 5 seconds. If it was the partner\u{2019}s last one, the partner\u{2019}s \
                subscriptions are disabled.",
        )
        .tag(KEYS)
        .segments(PREFIX)
        .responses::<RevokedKey>("The key is revoked", revoked),
    ]
}
