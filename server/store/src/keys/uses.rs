//! Times of last use, and numbers of requests by the hour.

use chrono::{DateTime, Utc};

use crate::{
    areas,
    engine::{bulk, sql},
    error::Result,
};

/// Use of a key since the last time that it was noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// Id of the key.
    pub id: i64,
    /// Time of the last use in milliseconds since 1970.
    pub used_at: i64,
    /// Number of requests.
    pub requests: u64,
}

impl areas::Keys<'_> {
    /// Adds up the uses of keys. Numbers of requests are stored by the hour, and for a day.
    pub async fn note_uses(self, uses: &[KeyUse]) -> Result<()> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    bulk::insert(
                        &mut **tx,
                        "WITH used (id, used_at) AS (",
                        ") UPDATE keys SET last_used_at = used.used_at
                           FROM used
                           WHERE keys.id = used.id AND coalesce(last_used_at, 0) < used.used_at",
                        uses,
                        |query, KeyUse { id, used_at, .. }| query.bind(*id).bind(*used_at),
                    )
                    .await?;
                    bulk::insert(
                        &mut **tx,
                        "INSERT INTO key_requests (key_id, hour, requests) ",
                        " ON CONFLICT (key_id, hour)
                          DO UPDATE SET requests = key_requests.requests + excluded.requests",
                        uses,
                        |query, KeyUse { id, used_at, requests }| {
                            query.bind(*id).bind(hour_of(*used_at)).bind(requests.cast_signed())
                        },
                    )
                    .await?;
                    let prune = sql::query("DELETE FROM key_requests WHERE hour <= $1");
                    prune.bind(oldest_hour(now)).execute(&mut **tx).await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Hours for which numbers of requests are kept.
const HOURS_KEPT: i64 = 24;

/// Number of the hour since 1970 that contains an instant in milliseconds.
const fn hour_of(millis: i64) -> i64 {
    millis.div_euclid(60 * 60 * 1_000)
}

/// Number of the newest hour that is no longer counted.
pub(super) fn oldest_hour(now: DateTime<Utc>) -> i64 {
    hour_of(now.timestamp_millis()) - HOURS_KEPT
}
