use std::iter;

use desk::{
    backend::SubscriptionState,
    portal::subscription::{Failure, Selection, Subscription, SubscriptionPage, TestForm},
};
use domain::{
    event::{EventName, TEST},
    event_filter::EventFilter,
    subscription::EndpointState,
};
use kit::lang::Lang;
use store::{Health, SubscriptionWithHealth};

use super::{
    fields::{Fields, known_events},
    visit::PartnersVisit,
};
use crate::{api::v1::webhooks::warnings, desk::reason_in, problem::Result};

/// Start of the store's reason for a failure that was a response.
const RESPONSE: &str = "the response was ";

impl PartnersVisit {
    /// The partner's subscriptions, newest first.
    pub(super) async fn subscriptions(&self) -> Result<Vec<Subscription>> {
        let store = &self.visit.app.store;
        let subscriptions = store.subscriptions().with_health(self.session.partner_id).await?;
        let shown = |subscription| shown(subscription, self.visit.lang);
        Ok(subscriptions.into_iter().map(shown).collect())
    }

    /// Content of the page of a subscription; `None` if the partner has no such subscription.
    pub(super) async fn subscription(
        &self,
        id: &str,
        asked: &Fields,
    ) -> Result<Option<SubscriptionPage>> {
        let store = &self.visit.app.store;
        let all = store.subscriptions().with_health(self.session.partner_id).await?;
        let Some(found) = all.into_iter().find(|one| one.subscription.id == id) else {
            return Ok(None);
        };
        let Some(deliveries) = self.deliveries(id, asked).await? else { return Ok(None) };
        let warnings = warnings(store, &self.partner(), found.subscription.filter.as_ref()).await?;
        Ok(Some(SubscriptionPage {
            subscription: shown(found, self.visit.lang),
            warnings: warnings.into_iter().map(|warning| warning.detail).collect(),
            deliveries,
            test: TestForm {
                events: iter::once(TEST.to_owned()).chain(known_events()).collect(),
                chosen: asked.text("event").to_owned(),
            },
        }))
    }
}

fn shown(
    SubscriptionWithHealth { subscription, health }: SubscriptionWithHealth,
    lang: Lang,
) -> Subscription {
    let Health { state, since, reason, next_attempt_at, backlog } = health;
    let [since, next_attempt_at] = [since, next_attempt_at].map(|at| at.map(|at| at.to_string()));
    let known = |at: &Option<String>| at.clone().unwrap_or_default();
    let (state, reason) = match state {
        EndpointState::Healthy => (SubscriptionState::Active, None),
        EndpointState::Failing => (SubscriptionState::Failing { since: known(&since) }, reason),
        EndpointState::Paused => {
            (SubscriptionState::Paused { until: known(&next_attempt_at) }, reason)
        }
        EndpointState::Disabled => {
            let reason = reason_in(reason.unwrap_or_default(), lang);
            (SubscriptionState::Disabled { reason }, None)
        }
    };
    Subscription {
        id: subscription.id,
        url: subscription.url,
        created_at: subscription.created_at.to_string(),
        selection: selection(&subscription.events, subscription.filter.as_ref()),
        state,
        since,
        failure: reason.map(failure),
        next_attempt_at,
        backlog: backlog.unsigned_abs(),
    }
}

fn failure(reason: String) -> Failure {
    match reason.strip_prefix(RESPONSE) {
        Some(status) => Failure::Status(status.to_owned()),
        None => Failure::Error(reason),
    }
}

fn selection(events: &[EventName], filter: Option<&EventFilter>) -> Selection {
    let part = |part: fn(&EventFilter) -> Option<&str>| {
        filter.and_then(part).unwrap_or_default().to_owned()
    };
    Selection {
        events: events.iter().map(ToString::to_string).collect(),
        country: part(EventFilter::country),
        region: part(EventFilter::region),
        city: part(EventFilter::city),
        types: filter.map(|filter| filter.types().to_vec()).unwrap_or_default(),
    }
}
