use axum::{
    Json,
    extract::{RawQuery, Request, State},
    response::Response,
};
use domain::subscription::SubscriptionStatus;
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::{Change, Changed, Subscription};
use webhooks::url::WebhookUrl;

use super::{
    SUBSCRIPTION,
    create::{Subscribing, events, url},
    filter::{FILTER, filter, shortened, warnings},
    subscription_id, unknown,
};
use crate::{
    api::{
        Parameters, Partner, Warning,
        body::{self, Member},
        unstored,
    },
    openapi::{Operation, Parameter, reference},
    problem::{Code, Problem, Result},
};

const PARAMETERS: &[Parameter] = &[SUBSCRIPTION];
const MEMBERS: &[Member] =
    &[Member::new("url"), Member::new("events"), FILTER, Member::new("status")];

#[derive(Serialize)]
struct Shown {
    subscription: Box<Subscription>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

/// `PATCH /api/v1/webhooks?id=sub_…`: changes a subscription.
pub async fn patch(
    State(subscribing): State<Subscribing>,
    partner: Partner,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response> {
    let Subscribing { store, resolver, endpoints, .. } = subscribing;
    let parameters = Parameters::of(query.as_deref(), PARAMETERS);
    let id = subscription_id(&parameters)?;
    let members = body::json_object(request, MEMBERS).await?;
    let given = |name: &str| members.contains_key(name);
    if members.is_empty() {
        return Err(Problem::invalid_parameter(
            "There is nothing to change: give \"url\", \"events\", \"filter\" or \"status\".",
        ));
    }
    let mut change = Change { status: status(&members)?, ..Change::default() };
    if given("events") {
        change.events = Some(events(&members)?);
    }
    if given("filter") {
        change.filter = Some(filter(&members)?);
    }
    if given("url") {
        let text = url(&members)?;
        let url = WebhookUrl::parse(text, &endpoints)?;
        // Before the lookup: nobody can make this service resolve names for a subscription that is not theirs.
        if store.subscription_of(partner.id, &id).await?.is_none() {
            return Err(unknown(&id));
        }
        url.check_reachable(&resolver, &endpoints).await?;
        change.url = Some(text.to_owned());
    }
    match store.change_subscription(partner.id, &id, &change).await? {
        Changed::Now(subscription) => {
            let warnings = match given("filter") {
                true => warnings(&store, subscription.filter.as_ref()).await?,
                false => Vec::new(),
            };
            Ok(unstored(Json(Shown { subscription, warnings })))
        }
        Changed::Held => Err(Problem::forbidden(
            "The operator has disabled this subscription, and only the operator can enable it.",
        )),
        Changed::Unknown => Err(unknown(&id)),
    }
}

fn status(members: &Map<String, Value>) -> Result<Option<SubscriptionStatus>> {
    let Some(given) = members.get("status") else { return Ok(None) };
    given.as_str().and_then(SubscriptionStatus::from_name).map(Some).ok_or_else(|| {
        let shown = shortened(&given.to_string());
        Problem::invalid_parameter(format!("\"status\" is {shown}: give ACTIVE or DISABLED."))
    })
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
            "Members that are not given stay as they are. What has not been sent yet goes to a new `url`, \
             and is what the new `events` and `filter` say. `filter` replaces the filter as a whole; `null` \
             removes it. `ACTIVE` sends what was missed while the \
             subscription was `DISABLED`, as far as it is kept; a subscription that the operator has \
             disabled stays so.",
        )
        .parameters(PARAMETERS)
        .takes(
            "SubscriptionChange",
            json!({
                "url": "https://partner.example.com/new",
                "filter": { "country": "BR", "types": ["water", "both"] },
                "status": "ACTIVE",
            }),
        )
        .answers("The subscription as it is now", reference("ChangedSubscription"), Some(example))
        .problems(&[
            Code::InvalidParameter,
            Code::InvalidUrl,
            Code::UrlNotAllowed,
            Code::InvalidEvents,
            Code::InvalidFilter,
            Code::NotFound,
        ])
}
