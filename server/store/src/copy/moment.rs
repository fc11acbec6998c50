//! Whether a database has changed.

use crate::{
    engine::sql::{self, Target},
    error::Result,
};

/// What changes with whatever happens in a database.
#[derive(Debug, PartialEq, sqlx::FromRow)]
pub(super) struct Moment {
    /// Of every transaction, except those that write results of deliveries.
    changes: i64,
    /// Each result is an attempt.
    attempts: i64,
    /// What is done with an endpoint besides: leases, cursors, pauses.
    subscriptions: i64,
}

impl Moment {
    pub(super) async fn of<'c>(target: impl Into<Target<'c>>) -> Result<Self> {
        let moment = sql::query_as(
            "SELECT (SELECT CAST(sum(number) AS BIGINT) FROM changes) AS changes,
                    (SELECT count(*) FROM attempts) AS attempts,
                    (SELECT CAST(coalesce(sum(cursor + revision + rewinds + failures + probes
                                              + coalesce(lease_until, 0)), 0) AS BIGINT)
                     FROM subscriptions) AS subscriptions",
        );
        Ok(moment.fetch_one(target).await?)
    }
}
