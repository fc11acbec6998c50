use std::collections::HashMap;

use desk::portal::deliveries::{Attempt, Deliveries, Delivery};
use domain::{
    cursor::Cursor,
    event::TEST,
    subscription::{DeliveryId, DeliveryStatus},
};
use store::{History, HistoryQuery, PastAttempt, PastDelivery};

use super::{fields::Fields, visit::PartnersVisit};
use crate::{api::cursor_after, problem::Result};

/// Number of deliveries on a page.
const SHOWN: usize = 20;

impl PartnersVisit {
    /// A page of the deliveries of a subscription, as the parameters `status` and `after` select it; `None` if the
    /// partner has no such subscription.
    pub(super) async fn deliveries(&self, id: &str, asked: &Fields) -> Result<Option<Deliveries>> {
        let store = self.visit.app.store.deliveries();
        let status = DeliveryStatus::from_name(asked.text("status"));
        let before = asked.text("after").parse::<Cursor>().ok().map(Cursor::seq);
        let query = HistoryQuery {
            partner_id: self.session.partner_id,
            subscription: id.to_owned(),
            status,
            before,
            limit: SHOWN,
        };
        let Some(History { deliveries, next, more }) = store.history(&query).await? else {
            return Ok(None);
        };
        let seq = |delivery: &PastDelivery| Some(delivery.id.parse::<DeliveryId>().ok()?.event);
        let seqs: Vec<i64> = deliveries.iter().filter_map(seq).collect();
        let events = store.events_numbered(&seqs).await?;
        let mut bodies: HashMap<String, String> = events
            .into_iter()
            .map(|event| (event.id, String::from_utf8_lossy(&event.body).into_owned()))
            .collect();
        let shown = |delivery: PastDelivery| {
            let body = bodies.remove(&delivery.event_id).unwrap_or_default();
            shown(delivery, body)
        };
        Ok(Some(Deliveries {
            deliveries: deliveries.into_iter().map(shown).collect(),
            status: status.map(|status| status.to_string()).unwrap_or_default(),
            next: more.then(|| cursor_after(next)).transpose()?,
            is_first: before.is_none(),
            may_replay: !self.is_sandbox(),
        }))
    }
}

fn shown(delivery: PastDelivery, body: String) -> Delivery {
    let attempt = |PastAttempt { started_at, duration_ms, status, error, response }| Attempt {
        at: started_at.to_string(),
        duration_ms: duration_ms.unsigned_abs(),
        result: status.ok_or_else(|| error.unwrap_or_default()),
        response,
    };
    Delivery {
        // A test is sent once.
        may_resend: delivery.event != TEST,
        id: delivery.id,
        event: delivery.event,
        status: delivery.status.as_str(),
        at: delivery.created_at.to_string(),
        attempts: delivery.attempts.into_iter().map(attempt).collect(),
        body,
    }
}
