use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use domain::{event::EventName, subscription::SubscriptionStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::{Change, Changed, Subscription};
use webhooks::url::WebhookUrl;

use super::{
    PARAMETERS, SubscriptionId,
    create::{Subscribing, checked_events},
    fault_of,
    filter::{FilterInput, warnings},
    unknown,
};
use crate::{
    api::{
        IfMatch, Partner, Warning,
        body::{self, given},
        tagged, unstored,
    },
    openapi::Operation,
    problem::{Code, Problem, Result},
};

/// A change of a subscription. Members that are not given stay as they are.
#[derive(Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(extend("minProperties" = 1))]
struct SubscriptionChange {
    /// An `https` URL without user info or fragment. Its host must have only public addresses.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "String", length(min = 1, max = 2048), extend("format" = "uri"))]
    url: Option<String>,
    /// Names of the events to send.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Vec<EventName>", length(min = 1))]
    events: Option<Vec<EventName>>,
    /// Replacement of the filter as a whole; `null` removes it.
    #[serde(default, deserialize_with = "given")]
    filter: Option<Option<FilterInput>>,
    /// Whether events are sent.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "SubscriptionStatus")]
    status: Option<SubscriptionStatus>,
}

#[derive(Serialize, JsonSchema)]
struct ChangedSubscription {
    subscription: Box<Subscription>,
    /// Possible mistakes in the request, which was accepted all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

/// `PATCH /api/v1/webhooks?id=sub_…`: changes a subscription.
pub async fn patch(
    State(mut subscribing): State<Subscribing>,
    partner: Partner,
    SubscriptionId(id): SubscriptionId,
    IfMatch(condition): IfMatch,
    request: Request,
) -> Result<Response> {
    subscribing.store = subscribing.store.provided(condition);
    let members = body::object(request).await?;
    let (subscription, warnings) = subscribing.change(&partner, &id, members).await?;
    let tag = subscription.tag();
    Ok(tagged(unstored(Json(ChangedSubscription { subscription, warnings })), &tag))
}

impl Subscribing {
    /// Changes a subscription as the members of a body describe.
    pub(crate) async fn change(
        self,
        partner: &Partner,
        id: &str,
        members: Map<String, Value>,
    ) -> Result<(Box<Subscription>, Vec<Warning>)> {
        let Self { store, resolver, endpoints, .. } = self;
        let store = partner.acting(store);
        let wanted: SubscriptionChange = body::parsed(members, fault_of)?;
        if wanted == SubscriptionChange::default() {
            return Err(Problem::invalid_parameter(
                "There is nothing to change: give \"url\", \"events\", \"filter\" or \"status\".",
            ));
        }
        let SubscriptionChange { url, events, filter, status } = wanted;
        let mut change = Change { status, ..Change::default() };
        if let Some(events) = events {
            change.events = Some(checked_events(partner, events)?);
        }
        if let Some(filter) = filter {
            change.filter = Some(filter.map_or(Ok(None), |filter| filter.checked())?);
        }
        let has_filter = change.filter.is_some();
        if let Some(text) = url {
            let url = WebhookUrl::parse(&text, &endpoints)?;
            // Before the DNS lookup: otherwise a request for someone else's subscription could make this service
            // resolve names.
            if store.subscription_of(partner.id, id).await?.is_none() {
                return Err(unknown(id));
            }
            url.check_reachable(&resolver, &endpoints).await?;
            change.url = Some(text);
        }
        match store.subscriptions().change(partner.id, id, &change).await? {
            Changed::Now(subscription) => {
                let warnings = match has_filter {
                    true => warnings(&store, partner, subscription.filter.as_ref()).await?,
                    false => Vec::new(),
                };
                Ok((subscription, warnings))
            }
            Changed::Held => Err(Problem::forbidden(
                "The operator has disabled this subscription, and only the operator can enable it.",
            )),
            Changed::Unknown => Err(unknown(id)),
        }
    }
}

pub(super) fn described() -> Operation {
    let example = json!({
        "subscription": {
            "id": "sub_7hQm2Z",
            "url": "https://partner.example.com/new",
            "events": ["report.created"],
            "filter": { "country": "BR", "types": ["water", "both"] },
            "createdAt": "2026-03-01T11:00:00.000Z",
            "status": "ACTIVE",
        },
    });
    Operation::partners("patch", "/api/v1/webhooks", "changeSubscription", "Change a subscription")
        .about(
            "Members that are not given stay unchanged. New values of `url`, `events` and `filter` also apply to \
                pending events. `filter` replaces the whole filter; `null` removes it. `ACTIVE` sends the events \
                missed while the subscription was `DISABLED`, as far as they are kept; only the operator can enable a \
                subscription that the operator disabled.",
        )
        .parameters(PARAMETERS)
        .takes::<SubscriptionChange>(json!({
            "url": "https://partner.example.com/new",
            "filter": { "country": "BR", "types": ["water", "both"] },
            "status": "ACTIVE",
        }))
        .responses::<ChangedSubscription>("The subscription after the change", example)
        .headers(&["ETag"])
        .conditional()
        .problems(&[
            Code::InvalidParameter,
            Code::InvalidUrl,
            Code::UrlNotAllowed,
            Code::InvalidEvents,
            Code::InvalidFilter,
            Code::NotFound,
        ])
}
