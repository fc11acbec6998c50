use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use base::{random::Random, time::format_instant};
use chrono::{DateTime, Utc};
use domain::{
    event::EventName,
    event_filter::EventFilter,
    signature::Secret,
    subscription::{MAX_SUBSCRIPTIONS, NewSubscription},
};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::{Earlier, Store};
use webhooks::{
    resolver::Resolver,
    url::{Refusal, WebhookUrl},
};

use super::filter::{FILTER, filter, shortened, warnings};
use crate::{
    api::{
        Partner, Warning,
        body::{self, Member},
        idempotency, unstored,
    },
    config::Endpoints,
    openapi::{Operation, reference},
    problem::{Code, Problem, Result},
};

const MEMBERS: &[Member] = &[Member::new("url"), Member::new("events"), FILTER];

#[derive(Serialize)]
struct Created<'a> {
    subscription: Shown<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

/// The subscription with its secret, which is shown this once.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    id: &'a str,
    url: &'a str,
    events: &'a [EventName],
    #[serde(skip_serializing_if = "Option::is_none")]
    filter: Option<&'a EventFilter>,
    secret: &'a str,
    created_at: String,
}

/// What subscribing takes.
#[derive(Clone, Debug)]
pub struct Subscribing {
    pub store: Store,
    pub random: Random,
    /// Finds the addresses of webhooks' hosts.
    pub resolver: Resolver,
    pub endpoints: Endpoints,
}

/// `POST /api/v1/webhooks`: subscribes. A request with an `Idempotency-Key` does so once, however often it is
/// repeated.
pub async fn post(
    State(subscribing): State<Subscribing>,
    partner: Partner,
    headers: HeaderMap,
    request: Request,
) -> Result<Response> {
    let store = &subscribing.store;
    let members = body::json_object(request, MEMBERS).await?;
    let once = idempotency::request(&headers, &members)?;
    // Before anything is checked that may have changed since.
    if let Some(once) = &once
        && let Some(earlier) = store.earlier_subscription(partner.id, once).await?
    {
        return repeated(store, earlier).await;
    }
    let new = subscribing.checked(partner, &members).await?;
    let subscribed = match &once {
        None => store.subscribe(&new, MAX_SUBSCRIPTIONS).await?,
        Some(once) => match store.subscribe_once(&new, MAX_SUBSCRIPTIONS, once).await? {
            Ok(subscribed) => subscribed,
            Err(earlier) => return repeated(store, earlier).await,
        },
    };
    let Some(created_at) = subscribed else {
        return Err(at_limit());
    };
    created(store, &new, created_at).await
}

impl Subscribing {
    /// A subscription as asked for, with a new id and secret.
    async fn checked(
        &self,
        partner: Partner,
        members: &Map<String, Value>,
    ) -> Result<NewSubscription> {
        let text = url(members)?;
        let url = WebhookUrl::parse(text, &self.endpoints)?;
        let (events, filter) = (events(members)?, filter(members)?);
        // Before the lookup: a partner at its limit cannot make this service resolve names.
        if self.store.has_subscriptions(partner.id, MAX_SUBSCRIPTIONS).await? {
            return Err(at_limit());
        }
        url.check_reachable(&self.resolver, &self.endpoints).await?;
        Ok(NewSubscription {
            id: format!("sub_{}", self.random.base62(22)),
            partner_id: partner.id,
            // As given: it is parsed again before each attempt.
            url: text.to_owned(),
            events,
            filter,
            secret: Secret::generate(&self.random).as_str().to_owned(),
        })
    }
}

async fn created(
    store: &Store,
    new: &NewSubscription,
    created_at: DateTime<Utc>,
) -> Result<Response> {
    let subscription = Shown {
        id: &new.id,
        url: &new.url,
        events: &new.events,
        filter: new.filter.as_ref(),
        secret: &new.secret,
        created_at: format_instant(created_at),
    };
    let warnings = warnings(store, new.filter.as_ref()).await?;
    Ok(unstored((StatusCode::CREATED, Json(Created { subscription, warnings }))))
}

/// The response to a request with the key of an earlier one.
async fn repeated(store: &Store, earlier: Earlier) -> Result<Response> {
    match earlier {
        Earlier::Created(new, created_at) => created(store, &new, created_at).await,
        Earlier::Deleted => Err(Problem::idempotency_conflict(
            "The subscription that was created with this Idempotency-Key has been deleted: use a new key to \
             subscribe again.",
        )),
        Earlier::Other => Err(Problem::idempotency_conflict(
            "This Idempotency-Key was used with another body less than 24 hours ago: use a new key for each \
             subscription.",
        )),
    }
}

fn at_limit() -> Problem {
    Problem::subscription_limit(format!(
        "There are already {MAX_SUBSCRIPTIONS} subscriptions: delete one first."
    ))
}

pub(super) fn url(members: &Map<String, Value>) -> Result<&str> {
    match members.get("url") {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(Problem::invalid_url("\"url\" must be a string.")),
        None => {
            Err(Problem::invalid_url("\"url\" is missing: give the https URL of the endpoint."))
        }
    }
}

/// The events asked for, each once.
pub(super) fn events(members: &Map<String, Value>) -> Result<Vec<EventName>> {
    let known = EventName::ALL.map(EventName::as_str).join(", ");
    let invalid = |what: String| {
        Problem::invalid_events(format!("{what}: give a list with one or more of {known}."))
    };
    let names = match members.get("events") {
        Some(Value::Array(names)) if !names.is_empty() => names,
        Some(Value::Array(_)) => return Err(invalid("\"events\" is empty".to_owned())),
        Some(_) => return Err(invalid("\"events\" is not a list".to_owned())),
        None => return Err(invalid("\"events\" is missing".to_owned())),
    };
    let mut events = Vec::new();
    for name in names {
        let event = name.as_str().and_then(EventName::from_name).ok_or_else(|| {
            invalid(format!("{} is not a known event", shortened(&name.to_string())))
        })?;
        if !events.contains(&event) {
            events.push(event);
        }
    }
    events.sort_unstable();
    Ok(events)
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Invalid(why) => Problem::invalid_url(why),
            Refusal::NotAllowed(why) => Problem::url_not_allowed(why),
        }
    }
}

pub(super) fn described() -> Operation {
    let url = "https://partner.example.com/svc";
    let events = EventName::ALL.map(EventName::as_str);
    let answered = json!({
        "subscription": {
            "id": "sub_7hQm2Z",
            "url": url,
            "events": events,
            "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "createdAt": "2026-03-01T11:00:00.000Z",
        },
    });
    Operation::partners("post", "/api/v1/webhooks", "subscribe", "Subscribe an endpoint to events")
        .about(
            "Only this response contains the secret. A request that may have been lost can be repeated with the \
             same `Idempotency-Key` for 24 hours: it subscribes once, and each response has the same subscription, with its present secret.",
        )
        .takes("NewSubscription", json!({ "url": url, "events": events }))
        .answers("The subscription", reference("CreatedSubscription"), Some(answered))
        .creates()
        .idempotent()
        .problems(&[
            Code::InvalidUrl,
            Code::UrlNotAllowed,
            Code::InvalidEvents,
            Code::InvalidFilter,
            Code::SubscriptionLimit,
        ])
}

#[cfg(test)]
mod tests;
