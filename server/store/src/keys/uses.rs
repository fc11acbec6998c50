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
    /// Number of those that a limit refused.
    pub refused: u64,
}

/// Requests with a key in an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HourOfUse {
    /// Number of the hour since 1970.
    pub hour: i64,
    /// Number of requests.
    pub requests: u64,
    /// Number of those that a limit refused.
    pub refused: u64,
}

impl areas::Keys<'_> {
    /// Adds up the uses of keys. Numbers of requests are stored by the hour, and for [`DAYS_KEPT`].
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
                        "INSERT INTO key_requests (key_id, hour, requests, refused) ",
                        " ON CONFLICT (key_id, hour)
                          DO UPDATE SET requests = key_requests.requests + excluded.requests,
                                        refused = key_requests.refused + excluded.refused",
                        uses,
                        |query, KeyUse { id, used_at, requests, refused }| {
                            query
                                .bind(*id)
                                .bind(hour_of(*used_at))
                                .bind(requests.cast_signed())
                                .bind(refused.cast_signed())
                        },
                    )
                    .await?;
                    let prune = sql::query("DELETE FROM key_requests WHERE hour <= $1");
                    prune.bind(hour_before(now, 24 * DAYS_KEPT)).execute(&mut **tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns the numbers of requests with a key, the oldest hour first, from the hour with the number `from` on. Hours
    /// without requests are left out.
    pub async fn requests_by_hour(self, key_id: i64, from: i64) -> Result<Vec<HourOfUse>> {
        let sql = "SELECT hour, requests, refused FROM key_requests
             WHERE key_id = $1 AND hour >= $2 ORDER BY hour";
        let rows: Vec<(i64, i64, i64)> =
            sql::query_as(sql).bind(key_id).bind(from).fetch_all(&self.store.readers).await?;
        let hour = |(hour, requests, refused): (i64, i64, i64)| HourOfUse {
            hour,
            requests: requests.unsigned_abs(),
            refused: refused.unsigned_abs(),
        };
        Ok(rows.into_iter().map(hour).collect())
    }
}

/// Days for which numbers of requests are kept: 30 whole ones and the current one.
const DAYS_KEPT: i64 = 31;

/// Number of the hour since 1970 that contains an instant in milliseconds.
pub const fn hour_of(millis: i64) -> i64 {
    millis.div_euclid(60 * 60 * 1_000)
}

/// Number of the hour that was `hours` before the current one.
pub(super) fn hour_before(now: DateTime<Utc>, hours: i64) -> i64 {
    hour_of(now.timestamp_millis()) - hours
}
