//! Whether a database has changed.

use crate::store::{
    engine::sql::{self, Target},
    error::Result,
};

/// What changes with whatever happens in a database.
#[derive(Debug, PartialEq, sqlx::FromRow)]
pub(super) struct Moment {
    version: i64,
    revision: i64,
    keys: i64,
    reports: i64,
    /// Rejected and withdrawn ones: rejecting moves no version.
    decided: i64,
    events: i64,
    subscriptions: i64,
}

impl Moment {
    pub(super) async fn of<'c>(target: impl Into<Target<'c>>) -> Result<Self> {
        let moment = sql::query_as(
            "SELECT version, revision,
                    (SELECT version FROM keys_version) AS keys,
                    (SELECT coalesce(max(seq), 0) FROM reports) AS reports,
                    (SELECT CAST(coalesce(sum(seq), 0) AS BIGINT) FROM reports
                     WHERE status <> 'APPROVED' AND status <> 'PENDING') AS decided,
                    (SELECT coalesce(max(seq), 0) FROM events) AS events,
                    (SELECT CAST(coalesce(sum(cursor + revision + rewinds), 0) AS BIGINT)
                     FROM subscriptions) AS subscriptions
             FROM data_version WHERE id = 1",
        );
        Ok(moment.fetch_one(target).await?)
    }
}
