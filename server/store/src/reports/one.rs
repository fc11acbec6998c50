//! Approved reports by id.

use std::collections::HashMap;

use base::time::date_of_day;
use chrono::NaiveDate;
use sqlx::AssertSqlSafe;

use super::report::{PUBLIC, PublicReport, PublicRow};
use crate::{
    areas,
    engine::{bulk, sql},
    error::{Error, Result},
    version::Versioned,
};

/// Region and event date of a report, which events about it do not contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionAndDate {
    /// Region as reported; empty if none was.
    pub region: String,
    pub event_date: NaiveDate,
}

impl areas::Reports<'_> {
    /// Returns the approved report with this id.
    pub async fn approved(self, id: &str) -> Result<Versioned<Option<PublicReport>>> {
        self.store
            .read_shown(move |tx| {
                Box::pin(async move {
                    let columns = tx.engine().json_array(PUBLIC);
                    let sql = format!(
                        "SELECT CAST({columns} AS TEXT) FROM reports r WHERE r.id = $1 AND r.status = 'APPROVED'"
                    );
                    let row = sql::query_scalar(AssertSqlSafe(sql)).bind(id);
                    let row: Option<String> = row.fetch_optional(&mut **tx).await?;
                    let report = |row: String| {
                        let row: PublicRow = serde_json::from_str(&row)
                            .map_err(|error| Error::Damaged(format!("a report ({error})")))?;
                        row.try_into()
                    };
                    row.map(report).transpose()
                })
            })
            .await
    }

    /// Returns the regions and event dates of reports of any status, by id.
    pub async fn regions_and_dates(self, ids: &[String]) -> Result<HashMap<String, RegionAndDate>> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let head = "SELECT id, region, event_day FROM reports WHERE (id)";
                    let rows: Vec<(String, String, i64)> =
                        bulk::select_matching(tx, head, ids, |query, id| query.bind(id.as_str()))
                            .await?;
                    let known = |(id, region, day)| {
                        (id, RegionAndDate { region, event_date: date_of_day(day) })
                    };
                    Ok(rows.into_iter().map(known).collect())
                })
            })
            .await
    }
}
