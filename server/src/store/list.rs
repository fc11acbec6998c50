use sqlx::Row;

use super::{Store, error::Result, report::Status};
use crate::time::{date_of_day, format_instant, instant_of_millis};

/// A report as the operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedReport {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub status: Status,
    pub city: String,
    pub region: String,
    pub country: String,
    pub people_count: i64,
    pub event_date: String,
    pub created_at: String,
    pub published_at: Option<String>,
}

impl Store {
    /// The newest reports by creation, of one status or of all.
    pub async fn list(&self, status: Option<Status>, limit: u32) -> Result<Vec<ListedReport>> {
        let rows = sqlx::query(
            "SELECT id, type, status, city, region, country, people_count, event_day, created_at,
                    published_at
             FROM reports WHERE $1 IS NULL OR status = $1
             ORDER BY created_at DESC, id LIMIT $2",
        )
        .bind(status.map(Status::as_str))
        .bind(i64::from(limit))
        .fetch_all(&self.readers)
        .await?;
        let listed = |row: &sqlx::sqlite::SqliteRow| {
            let published_at: Option<i64> = row.try_get(9)?;
            Ok(ListedReport {
                id: row.try_get(0)?,
                kind: row.try_get(1)?,
                status: Status::from_stored(row.try_get(2)?)?,
                city: row.try_get(3)?,
                region: row.try_get(4)?,
                country: row.try_get(5)?,
                people_count: row.try_get(6)?,
                event_date: date_of_day(row.try_get(7)?).to_string(),
                created_at: format_instant(instant_of_millis(row.try_get(8)?)),
                published_at: published_at.map(|at| format_instant(instant_of_millis(at))),
            })
        };
        rows.iter().map(listed).collect()
    }

    /// The ids of up to `limit` pending reports, oldest first.
    pub async fn pending(&self, limit: u32) -> Result<Vec<String>> {
        Ok(sqlx::query_scalar(
            "SELECT id FROM reports WHERE status = 'PENDING' ORDER BY created_at, id LIMIT $1",
        )
        .bind(i64::from(limit))
        .fetch_all(&self.readers)
        .await?)
    }

    /// Whether there is no report at all.
    pub async fn is_empty(&self) -> Result<bool> {
        let any: Option<i64> = sqlx::query_scalar("SELECT seq FROM reports LIMIT 1")
            .fetch_optional(&self.readers)
            .await?;
        Ok(any.is_none())
    }
}
