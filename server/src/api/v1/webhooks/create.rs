use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    api::{Partner, body, unstored},
    config::Endpoints,
    domain::{
        event::EventName,
        signature::Secret,
        subscription::{MAX_SUBSCRIPTIONS, NewSubscription},
    },
    http::problem::{Code, Problem, Result},
    openapi::{Operation, reference},
    random::Random,
    store::Store,
    time::format_instant,
    webhooks::{
        resolver::Resolver,
        url::{Refusal, WebhookUrl},
    },
};

#[derive(Serialize)]
struct Created<'a> {
    subscription: Shown<'a>,
}

/// The subscription with its secret, which is shown this once.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    id: &'a str,
    url: &'a str,
    events: &'a [EventName],
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

/// `POST /api/v1/webhooks`: subscribes.
pub async fn post(
    State(subscribing): State<Subscribing>,
    partner: Partner,
    request: Request,
) -> Result<Response> {
    let Subscribing { store, random, resolver, endpoints } = subscribing;
    let members = body::json_object(request).await?;
    let text = url(&members)?;
    let url = WebhookUrl::parse(text, &endpoints)?;
    let events = events(&members)?;
    // Before the lookup: a partner at its limit cannot make this service resolve names.
    if store.has_subscriptions(partner.id, MAX_SUBSCRIPTIONS).await? {
        return Err(at_limit());
    }
    url.check_reachable(&resolver, &endpoints).await?;
    let secret = Secret::generate(&random);
    let new = NewSubscription {
        id: format!("sub_{}", random.base62(22)),
        partner_id: partner.id,
        // As given: it is parsed again before each attempt.
        url: text.to_owned(),
        events,
        secret: secret.as_str().to_owned(),
    };
    let Some(created_at) = store.subscribe(&new, MAX_SUBSCRIPTIONS).await? else {
        return Err(at_limit());
    };
    let subscription = Shown {
        id: &new.id,
        url: &new.url,
        events: &new.events,
        secret: &new.secret,
        created_at: format_instant(created_at),
    };
    Ok(unstored((StatusCode::CREATED, Json(Created { subscription }))))
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
            let shown: String = name.to_string().chars().take(60).collect();
            invalid(format!("{shown} is not a known event"))
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
        .about("Only this response contains the secret.")
        .takes("NewSubscription", json!({ "url": url, "events": events }))
        .answers("The subscription", reference("CreatedSubscription"), Some(answered))
        .creates()
        .problems(&[
            Code::InvalidJson,
            Code::InvalidUrl,
            Code::UrlNotAllowed,
            Code::InvalidEvents,
            Code::UnsupportedMediaType,
            Code::PayloadTooLarge,
            Code::SubscriptionLimit,
        ])
}

#[cfg(test)]
mod tests;
