use crate::{
    domain::report::Status,
    store::{Store, error::Result, reports::report},
    time::{date_of_day, format_instant, instant_of_millis},
};

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

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    kind: String,
    status: String,
    city: String,
    region: String,
    country: String,
    people_count: i64,
    event_day: i64,
    created_at: i64,
    published_at: Option<i64>,
}

impl Store {
    /// The newest reports by creation, of one status or of all.
    pub async fn list(&self, status: Option<Status>, limit: u32) -> Result<Vec<ListedReport>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT id, type AS kind, status, city, region, country, people_count, event_day,
                    created_at, published_at
             FROM reports WHERE $1 IS NULL OR status = $1
             ORDER BY created_at DESC, id LIMIT $2",
        )
        .bind(status.map(Status::as_str))
        .bind(i64::from(limit))
        .fetch_all(&self.readers)
        .await?;
        let listed = |row: Row| {
            Ok(ListedReport {
                status: report::status(&row.status)?,
                event_date: date_of_day(row.event_day).to_string(),
                created_at: format_instant(instant_of_millis(row.created_at)),
                published_at: row.published_at.map(|at| format_instant(instant_of_millis(at))),
                id: row.id,
                kind: row.kind,
                city: row.city,
                region: row.region,
                country: row.country,
                people_count: row.people_count,
            })
        };
        rows.into_iter().map(listed).collect()
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
