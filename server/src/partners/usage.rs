use std::collections::BTreeMap;

use base::time::Timestamp;
use desk::portal::usage::{Usage, Used};
use limits::Client;
use store::{HourOfUse, hour_of};

use super::visit::PartnersVisit;
use crate::{
    keys::{CallerKey, HeldKey},
    problem::Result,
};

/// Number of hours that a page shows, with the current one.
const HOURS: i64 = 24;
/// Number of days that a page shows, with the current one.
const DAYS: i64 = 30;
const HOURS_OF_A_DAY: i64 = 24;
const MILLIS_OF_AN_HOUR: i64 = 60 * 60 * 1_000;

impl PartnersVisit {
    /// Use of the partner's key with this prefix, or else of the key of the session. The requests of the last minute are
    /// those that `GET /api/v1/me` counts.
    pub(super) async fn usage(&self, prefix: &str) -> Result<Usage> {
        let app = &self.visit.app;
        let keys = self.keys();
        let own = &self.session.prefix;
        let shown = keys.get_key_value(prefix).or_else(|| keys.get_key_value(own));
        let Some((prefix, HeldKey { key, expires_at })) = shown else {
            return Ok(Usage::default());
        };
        let quota = key.quota();
        let decision = app.limits.peek(Client::Key(key.id), &quota).await;
        let used = |limit: u32| (limit.saturating_sub(decision.remaining), limit);
        let hour = hour_of(app.clock.now().timestamp_millis());
        // The first of the days begins at midnight.
        let since = (hour.div_euclid(HOURS_OF_A_DAY) + 1 - DAYS) * HOURS_OF_A_DAY;
        let hours = app.store.keys().requests_by_hour(key.id, since).await?;
        Ok(Usage {
            prefix: prefix.clone(),
            tier: key.tier.to_string(),
            expires_at: expires_at.map(|end| Timestamp(end).to_string()),
            requests: quota.requests.map(used),
            hours: in_periods(&hours, hour, 1, HOURS),
            days: in_periods(&hours, hour, HOURS_OF_A_DAY, DAYS),
            keys: keys.keys().cloned().collect(),
        })
    }

    /// Valid keys of the partner by their prefixes. The key of the session is one of them, even if this node has not read
    /// it yet.
    fn keys(&self) -> BTreeMap<String, HeldKey> {
        let session = &self.session;
        let mut keys = self.visit.app.keys.of_partner(session.partner_id);
        keys.entry(session.prefix.clone()).or_insert_with(|| HeldKey {
            key: CallerKey {
                id: session.key_id,
                partner_id: session.partner_id,
                tier: session.tier,
                scope: None,
                rate: None,
                is_of_pages: false,
            },
            expires_at: session.key_expires_at.map(|end| end.0),
        });
        keys
    }
}

/// Requests in the last `count` periods of some hours each, of which the last contains `hour`.
fn in_periods(hours: &[HourOfUse], hour: i64, length: i64, count: i64) -> Vec<Used> {
    let last = hour.div_euclid(length);
    let used = |period: i64| {
        let from = Timestamp::from_millis(period * length * MILLIS_OF_AN_HOUR).to_string();
        let within = hours.iter().filter(|used| used.hour.div_euclid(length) == period);
        let none = Used { from, requests: 0, refused: 0 };
        within.fold(none, |sum, hour| Used {
            requests: sum.requests + hour.requests,
            refused: sum.refused + hour.refused,
            ..sum
        })
    };
    (last + 1 - count..=last).map(used).collect()
}
