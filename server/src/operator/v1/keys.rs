use axum::{
    Json,
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use super::items;
use crate::{
    api::{body, unstored},
    clock::Clock,
    domain::{scope::Scope, tier::Tier},
    http::problem::{Problem, Result, quoted},
    keys::{
        PREFIX_LENGTH,
        issue::{self, Wanted, holder_name, issue, last_day},
    },
    operator::access::{Administrator, Reader},
    random::Random,
    store::Revoked,
};

/// What a key is to be.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct New {
    partner: String,
    #[serde(default)]
    tier: Tier,
    scope: Option<Scope>,
    /// Its last day.
    expires: Option<String>,
}

/// `GET /operator/v1/keys`: all keys, newest first, without what makes them work.
pub async fn list(Reader(store): Reader) -> Result<Response> {
    Ok(items(store.list_keys().await?, None))
}

/// `POST /operator/v1/keys`: makes a key. Only this response contains it.
pub async fn create(
    State(clock): State<Clock>,
    State(random): State<Random>,
    Administrator(store): Administrator,
    request: Request,
) -> Result<Response> {
    let members = body::json_object(request).await?;
    let new: New = serde_json::from_value(members.into()).map_err(|error| {
        Problem::invalid_json(format!(
            "Give \"partner\", a name, and if need be \"tier\", \"scope\" and \"expires\": {error}."
        ))
    })?;
    let wrong = |name: &str, why: &str| Problem::invalid_parameter(format!("\"{name}\": {why}."));
    let wanted = Wanted {
        partner: holder_name(&new.partner).map_err(|why| wrong("partner", &why))?,
        tier: new.tier,
        scope: new.scope,
        last_day: new
            .expires
            .map(|day| last_day(&day).map_err(|why| wrong("expires", why)))
            .transpose()?,
    };
    let issued = issue(&store, &random, &clock, wanted).await.map_err(|error| match error {
        issue::Error::ScopeOfPartner => {
            wrong("scope", "only the keys of operators have one: add \"tier\": \"operator\"")
        }
        issue::Error::Past { .. } => wrong("expires", &error.to_string()),
        issue::Error::PrefixesTaken => Problem::busy("Several prefixes were taken. Try again."),
        issue::Error::Store(error) => error.into(),
    })?;
    Ok(unstored((StatusCode::CREATED, Json(issued)).into_response()))
}

/// `DELETE /operator/v1/keys/{prefix}`: revokes a key. If it was the last one of a partner, its subscriptions are
/// disabled.
pub async fn revoke(
    Administrator(store): Administrator,
    Path(prefix): Path<String>,
) -> Result<Response> {
    let disabled = match store.revoke_key(&prefix).await? {
        Revoked::Now { disabled } => disabled,
        Revoked::Before => Vec::new(),
        Revoked::Unknown => {
            // It may be a whole key, which no response repeats.
            let first: String = quoted(&prefix).chars().take(PREFIX_LENGTH).collect();
            return Err(Problem::not_found(format!(
                "There is no key {first:?}: give the {PREFIX_LENGTH} characters that the list of keys shows."
            )));
        }
    };
    let revoked = json!({ "prefix": prefix, "revoked": true, "disabledSubscriptions": disabled });
    Ok(unstored(Json(revoked)))
}
