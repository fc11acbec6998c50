use axum::{
    extract::{Request, State},
    response::Response,
};
use base::{random::Random, time::Timestamp};
use chrono::{DateTime, Utc};
use domain::{
    event::EventName,
    event_filter::EventFilter,
    signature::Secret,
    subscription::{MAX_SUBSCRIPTIONS, NewSubscription},
};
use http::{StatusCode, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::Store;
use webhooks::{
    resolver::Resolver,
    url::{Refusal, WebhookUrl},
};

use super::{
    fault_of,
    filter::{FilterInput, warnings},
};
use crate::{
    api::{Partner, Warning, body, confidential},
    config::WebhookTargets,
    openapi::Operation,
    problem::{Code, Problem, Result},
};

/// A subscription to create.
#[derive(Deserialize, JsonSchema)]
struct SubscriptionInput {
    /// An `https` URL without user info or fragment. Its host must have only public addresses.
    #[schemars(length(min = 1, max = 2048), extend("format" = "uri"))]
    url: String,
    /// Names of the events to send.
    #[schemars(length(min = 1))]
    events: Vec<EventName>,
    filter: Option<FilterInput>,
}

#[derive(Serialize, JsonSchema)]
struct CreatedSubscription<'a> {
    subscription: SubscriptionWithSecret<'a>,
    /// Possible mistakes in the request, which was accepted all the same.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'a [Warning],
}

/// A subscription with its secret, which only this response contains.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SubscriptionWithSecret<'a> {
    /// Id of the subscription.
    #[schemars(extend("pattern" = "^sub_"))]
    id: &'a str,
    /// URL that events are sent to.
    url: &'a str,
    /// Names of the events that are sent.
    #[schemars(length(min = 1))]
    events: &'a [EventName],
    #[serde(skip_serializing_if = "Option::is_none")]
    filter: Option<&'a EventFilter>,
    /// Key of the signatures. Only this response contains it.
    #[schemars(extend("pattern" = "^whsec_"))]
    secret: &'a str,
    /// Time of creation.
    created_at: Timestamp,
}

/// Parts of the service that handlers of subscriptions need.
#[derive(Clone, Debug)]
pub struct Subscribing {
    pub store: Store,
    pub random: Random,
    /// Resolves the hosts of webhooks.
    pub resolver: Resolver,
    pub endpoints: WebhookTargets,
}

/// `POST /api/v1/webhooks`: subscribes.
pub async fn post(
    State(subscribing): State<Subscribing>,
    partner: Partner,
    request: Request,
) -> Result<Response> {
    let members = body::object(request).await?;
    let Created { body, .. } = subscribing.subscribe(&partner, members).await?;
    let media_type = [(header::CONTENT_TYPE, "application/json")];
    Ok(confidential((StatusCode::CREATED, media_type, body)))
}

/// A created subscription, and the body of the response.
pub(crate) struct Created {
    pub(crate) new: NewSubscription,
    body: String,
}

impl Subscribing {
    /// Creates a subscription from the members of a body.
    pub(crate) async fn subscribe(
        mut self,
        partner: &Partner,
        members: Map<String, Value>,
    ) -> Result<Created> {
        self.store = partner.acting(self.store);
        let store = &self.store;
        let wanted: SubscriptionInput = body::parsed(members, fault_of)?;
        let new = self.checked(partner, wanted).await?;
        let warnings = warnings(store, partner, new.filter.as_ref()).await?;
        let respond = |created_at| created(&new, created_at, &warnings);
        let subscriptions = store.subscriptions();
        let subscribed = subscriptions.create_with(&new, MAX_SUBSCRIPTIONS, respond).await?;
        let body = respond(subscribed.ok_or_else(at_limit)?);
        Ok(Created { new, body })
    }

    /// Checks the request, and returns the subscription with a new id and secret.
    async fn checked(
        &self,
        partner: &Partner,
        wanted: SubscriptionInput,
    ) -> Result<NewSubscription> {
        let url = WebhookUrl::parse(&wanted.url, &self.endpoints)?;
        let events = checked_events(partner, wanted.events)?;
        let filter = wanted.filter.map_or(Ok(None), |filter| filter.checked())?;
        // Before the DNS lookup: a partner at its limit cannot make this service resolve names.
        if self.store.subscriptions().any(partner.id, MAX_SUBSCRIPTIONS).await? {
            return Err(at_limit());
        }
        url.check_reachable(&self.resolver, &self.endpoints).await?;
        Ok(NewSubscription {
            id: format!("sub_{}", self.random.base62(22)),
            partner_id: partner.id,
            // As given: it is parsed again before each attempt.
            url: wanted.url,
            events,
            filter,
            secret: Secret::generate(&self.random).as_str().to_owned(),
        })
    }
}

/// Returns the body of the response.
fn created(new: &NewSubscription, created_at: DateTime<Utc>, warnings: &[Warning]) -> String {
    let subscription = SubscriptionWithSecret {
        id: &new.id,
        url: &new.url,
        events: &new.events,
        filter: new.filter.as_ref(),
        secret: &new.secret,
        created_at: Timestamp(created_at),
    };
    json!(CreatedSubscription { subscription, warnings }).to_string()
}

fn at_limit() -> Problem {
    Problem::subscription_limit(format!(
        "There are already {MAX_SUBSCRIPTIONS} subscriptions: delete one first."
    ))
}

/// Returns the requested events, each once.
pub(super) fn checked_events(
    partner: &Partner,
    mut events: Vec<EventName>,
) -> Result<Vec<EventName>> {
    events.sort_unstable();
    events.dedup();
    let fault = if events.is_empty() {
        "empty"
    } else if events.contains(&EventName::ReportPending) && !partner.is_operator() {
        "not for partners, because it has report.pending, which only the operator's own subscriptions list"
    } else {
        return Ok(events);
    };
    let known = EventName::NAMES.join(", ");
    Err(Problem::invalid_events(format!(
        "\"events\" is {fault}: give a list with one or more of {known}."
    )))
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
    let events = EventName::PUBLIC;
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
             same `Idempotency-Key` for 24 hours: it subscribes once, and each response is the same.",
        )
        .takes::<SubscriptionInput>(json!({ "url": url, "events": events }))
        .responses::<CreatedSubscription>("The subscription", answered)
        .creates()
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
