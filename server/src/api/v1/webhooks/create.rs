use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use base::{random::Random, time::Timestamp};
use chrono::{DateTime, Utc};
use domain::{
    event::EventName,
    event_filter::EventFilter,
    idempotency::IdempotentRequest,
    signature::Secret,
    subscription::{MAX_SUBSCRIPTIONS, NewSubscription},
};
use http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::{Earlier, Store};
use webhooks::{
    resolver::Resolver,
    url::{Refusal, WebhookUrl},
};

use super::{
    fault_of,
    filter::{FilterInput, warnings},
};
use crate::{
    api::{Partner, Warning, body, idempotency, unstored},
    config::WebhookTargets,
    openapi::Operation,
    problem::{Code, Problem, Result},
};

/// A subscription to create.
#[derive(Deserialize, JsonSchema)]
struct SubscriptionInput {
    /// An `https` URL without user info or fragment. Its host must have only public addresses.
    #[schemars(length(max = 2048), extend("format" = "uri"))]
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
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

/// `POST /api/v1/webhooks`: subscribes. With an `Idempotency-Key`, repeated requests subscribe once.
pub async fn post(
    State(subscribing): State<Subscribing>,
    partner: Partner,
    headers: HeaderMap,
    request: Request,
) -> Result<Response> {
    let members = body::object(request).await?;
    let once = idempotency::request(&headers, &members)?;
    let created = subscribing.subscribe(&partner, members, once).await?;
    let Created { new, created_at, warnings } = created;
    let subscription = SubscriptionWithSecret {
        id: &new.id,
        url: &new.url,
        events: &new.events,
        filter: new.filter.as_ref(),
        secret: &new.secret,
        created_at: Timestamp(created_at),
    };
    Ok(unstored((StatusCode::CREATED, Json(CreatedSubscription { subscription, warnings }))))
}

/// A created subscription.
pub(crate) struct Created {
    pub(crate) new: NewSubscription,
    created_at: DateTime<Utc>,
    warnings: Vec<Warning>,
}

impl Subscribing {
    /// Creates a subscription from the members of a body. Repeated requests create it once.
    pub(crate) async fn subscribe(
        mut self,
        partner: &Partner,
        members: Map<String, Value>,
        once: Option<IdempotentRequest>,
    ) -> Result<Created> {
        self.store = partner.acting(self.store);
        let store = &self.store;
        let wanted: SubscriptionInput = body::parsed(members, fault_of)?;
        // Before all checks that may have another result by now.
        if let Some(once) = &once
            && let Some(earlier) = store.subscriptions().earlier(partner.id, once).await?
        {
            return repeated(store, earlier).await;
        }
        let new = self.checked(partner, wanted).await?;
        let subscribed = match &once {
            None => store.subscriptions().create(&new, MAX_SUBSCRIPTIONS).await?,
            Some(once) => {
                match store.subscriptions().create_once(&new, MAX_SUBSCRIPTIONS, once).await? {
                    Ok(subscribed) => subscribed,
                    Err(earlier) => return repeated(store, earlier).await,
                }
            }
        };
        let Some(created_at) = subscribed else {
            return Err(at_limit());
        };
        created(store, new, created_at).await
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

async fn created(
    store: &Store,
    new: NewSubscription,
    created_at: DateTime<Utc>,
) -> Result<Created> {
    let warnings = warnings(store, new.filter.as_ref()).await?;
    Ok(Created { new, created_at, warnings })
}

/// Result of a request with the key of an earlier one.
async fn repeated(store: &Store, earlier: Earlier) -> Result<Created> {
    match earlier {
        Earlier::Created(new, created_at) => created(store, *new, created_at).await,
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
             same `Idempotency-Key` for 24 hours: it subscribes once, and each response has the same subscription, with its present secret.",
        )
        .takes::<SubscriptionInput>(json!({ "url": url, "events": events }))
        .responses::<CreatedSubscription>("The subscription", answered)
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
