//! Imported history that has no event yet.
//!
//! A large import takes many transactions, and a mirror should page through its reports once. So each transaction only
//! extends one row, and the end of the import turns that row into one event. If the import dies before its end, the
//! service writes the event a minute later.

use base::time::instant_of_millis;
use chrono::{DateTime, Utc};
use domain::event::{Event, ImportedHistory};

use super::outbox;
use crate::{
    areas,
    engine::sql::{self, Connection},
    error::Result,
};

impl areas::EventLog<'_> {
    /// Writes `reports.imported` for the history imported since the last such event, if there is some and nothing was
    /// added to it after `quiet_since`. Returns whether it wrote the event.
    pub async fn announce_history(self, quiet_since: DateTime<Utc>) -> Result<bool> {
        let quiet_since = quiet_since.timestamp_millis();
        let is_due = "SELECT EXISTS (SELECT 1 FROM unannounced_history WHERE changed_at <= $1)";
        let is_due: bool =
            sql::query_scalar(is_due).bind(quiet_since).fetch_one(&self.store.readers).await?;
        if !is_due {
            return Ok(false);
        }
        let random = &self.store.random;
        self.store
            .write(move |tx, now| {
                Box::pin(async move {
                    // Another node may have been faster.
                    let Some(history) = take(tx, quiet_since).await? else { return Ok(false) };
                    let event = Event::reports_imported(&history, now, random);
                    outbox::insert(tx, &[event], now).await?;
                    Ok(true)
                })
            })
            .await
    }
}

async fn take(tx: &mut Connection, quiet_since: i64) -> Result<Option<ImportedHistory>> {
    let sql = "DELETE FROM unannounced_history WHERE changed_at <= $1
               RETURNING reports, since, until";
    let row: Option<(i64, i64, i64)> =
        sql::query_as(sql).bind(quiet_since).fetch_optional(tx).await?;
    Ok(row.map(|(reports, since, until)| ImportedHistory {
        reports: reports.unsigned_abs(),
        since: instant_of_millis(since),
        until: instant_of_millis(until),
    }))
}

/// Records imported reports, given their times of publication.
pub(crate) async fn add(
    tx: &mut Connection,
    published: impl Iterator<Item = DateTime<Utc>> + Clone,
    now: DateTime<Utc>,
) -> Result<()> {
    let (Some(since), Some(until)) = (published.clone().min(), published.clone().max()) else {
        return Ok(());
    };
    let sql = "INSERT INTO unannounced_history (id, reports, since, until, changed_at)
               VALUES (1, $1, $2, $3, $4)
               ON CONFLICT (id) DO UPDATE SET
                   reports = unannounced_history.reports + excluded.reports,
                   since = CASE WHEN unannounced_history.since < excluded.since
                                THEN unannounced_history.since ELSE excluded.since END,
                   until = CASE WHEN unannounced_history.until > excluded.until
                                THEN unannounced_history.until ELSE excluded.until END,
                   changed_at = excluded.changed_at";
    sql::query(sql)
        .bind(published.count() as i64)
        .bind(since.timestamp_millis())
        .bind(until.timestamp_millis())
        .bind(now.timestamp_millis())
        .execute(tx)
        .await?;
    Ok(())
}
