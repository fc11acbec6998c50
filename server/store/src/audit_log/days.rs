//! Number of reports that people have decided on and corrected, by day. Written with each entry of the
//! audit log, so that reading it does not count entries.

use base::time::{date_of_day, day_number};
use chrono::{DateTime, NaiveDate, Utc};
use domain::{action::Action, actor::Actor};

use super::Entry;
use crate::{
    areas,
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// Number of reports on which a person has done the same thing on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayCount {
    /// Day in UTC.
    pub day: NaiveDate,
    pub actor: String,
    pub action: Action,
    pub reports: u64,
}

/// Counts the reports of a new entry.
pub(super) async fn count(
    tx: &mut Connection,
    at: DateTime<Utc>,
    actor: &Actor,
    entry: &Entry<'_>,
) -> Result<()> {
    if entry.reports.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO moderation_days (day, actor, action, reports) VALUES ($1, $2, $3, $4)
               ON CONFLICT (day, actor, action)
               DO UPDATE SET reports = moderation_days.reports + excluded.reports";
    sql::query(sql)
        .bind(day_number(at.date_naive()))
        .bind(actor.name.to_string())
        .bind(entry.action.as_str())
        .bind(entry.reports.len() as i64)
        .execute(tx)
        .await?;
    Ok(())
}

impl areas::AuditLog<'_> {
    /// Returns the numbers since a day, newest day first, then by name.
    pub async fn days(self, since: NaiveDate) -> Result<Vec<DayCount>> {
        let sql = "SELECT day, actor, action, reports FROM moderation_days WHERE day >= $1
                   ORDER BY day DESC, actor, action";
        let rows: Vec<(i64, String, String, i64)> =
            sql::query_as(sql).bind(day_number(since)).fetch_all(&self.store.readers).await?;
        let counted = |(day, actor, action, reports): (i64, String, String, i64)| {
            let action = Action::from_name(&action)
                .ok_or_else(|| Error::Damaged(format!("action {action:?} of moderation_days")))?;
            Ok(DayCount { day: date_of_day(day), actor, action, reports: reports.unsigned_abs() })
        };
        rows.into_iter().map(counted).collect()
    }
}
