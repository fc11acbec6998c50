//! Listing reports again: when small segments are merged, and when a segment is damaged.

use std::collections::BTreeMap;

use base::time::{date_of_day, instant_of_millis};
use sqlx::{AssertSqlSafe, FromRow};

use super::{
    calendar, postings,
    segments::{Entry, add_apart, position, segment_and_slot},
};
use crate::{
    counters::rollup::Counted,
    engine::{
        bulk,
        sql::{self, Connection, RowValues},
    },
    error::Result,
    places::place::Lineage,
    reports::report,
};

/// Size below which segments are merged. An index in the migrations contains the number too.
const SMALL: i64 = if cfg!(test) { 8 } else { 4_096 };
/// Number of segments of similar size that are merged, and the ratio between consecutive size
/// classes.
const FAN: i64 = if cfg!(test) { 3 } else { 8 };

#[derive(FromRow)]
struct Small {
    id: i64,
    size: i64,
}

/// Merges small segments if there are enough of similar size.
pub(crate) async fn merge_small(tx: &mut Connection) -> Result<()> {
    loop {
        let small: Vec<Small> =
            sql::query_as("SELECT id, size FROM segments WHERE size < $1 AND size < 4096")
                .bind(SMALL)
                .fetch_all(&mut *tx)
                .await?;
        let mut by_size: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
        for Small { id, size } in small {
            by_size.entry(magnitude(size)).or_default().push(id);
        }
        let several = by_size.into_values().find(|segments| segments.len() as i64 >= FAN);
        let Some(segments) = several else { return Ok(()) };
        merge(tx, &segments).await?;
    }
}

/// Returns the size class of a segment.
pub(super) fn magnitude(size: impl Into<i64>) -> u32 {
    size.into().max(1).ilog(FAN)
}

/// Approved report to list again.
#[derive(FromRow)]
pub(super) struct Row {
    seq: i64,
    position: Option<i64>,
    id: String,
    kind: String,
    event_day: i64,
    published_at: i64,
    city_id: i64,
    region_id: i64,
    country_id: i64,
}

/// Head of a statement that selects [`Row`]s; conditions on `r` follow.
const ROWS: &str = "SELECT r.seq, r.position, r.id, r.type AS kind, r.event_day, r.published_at,
            c.id AS city_id, c.parent_id AS region_id, g.parent_id AS country_id
     FROM reports r CROSS JOIN places c CROSS JOIN places g
     WHERE c.id = r.place_id AND g.id = c.parent_id AND r.status = 'APPROVED'";

impl Row {
    pub(super) fn entry(&self) -> Result<Entry<'_>> {
        let lineage =
            Lineage { city: self.city_id, region: self.region_id, country: self.country_id };
        let counted = Counted {
            lineage,
            kind: report::kind(&self.kind)?,
            event_date: date_of_day(self.event_day),
            published_at: instant_of_millis(self.published_at),
        };
        Ok(Entry { id: &self.id, counted })
    }
}

async fn merge(tx: &mut Connection, segments: &[i64]) -> Result<()> {
    let mut rows: Vec<Row> = Vec::new();
    for segment in segments {
        rows.extend(rows_of(tx, *segment).await?);
        remove(tx, *segment).await?;
    }
    list_again(tx, &rows).await
}

/// Removes the stored data of `segment`, except the positions of its reports.
async fn remove(tx: &mut Connection, segment: i64) -> Result<()> {
    postings::remove(tx, segment).await?;
    calendar::remove(tx, segment).await?;
    sql::query("DELETE FROM segments WHERE id = $1").bind(segment).execute(tx).await?;
    Ok(())
}

/// Returns the reports of `segment`, in the order of slots.
async fn rows_of(tx: &mut Connection, segment: i64) -> Result<Vec<Row>> {
    let sql = format!("{ROWS} AND r.position BETWEEN $1 AND $2 ORDER BY r.position");
    let rows = sql::query_as(AssertSqlSafe(sql))
        .bind(position(segment, 0))
        .bind(position(segment, u32::from(u16::MAX)))
        .fetch_all(tx);
    Ok(rows.await?)
}

/// Report in a segment.
pub(super) struct Listed {
    pub slot: u32,
    pub row: Row,
}

/// Returns the reports of `segment`, in the order of slots.
pub(super) async fn listed(tx: &mut Connection, segment: i64) -> Result<Vec<Listed>> {
    let rows = rows_of(tx, segment).await?.into_iter();
    let listed = rows.map(|row| {
        let (_, slot) = segment_and_slot(row.position.unwrap_or_default());
        Listed { slot, row }
    });
    Ok(listed.collect())
}

/// Assigns new positions to `rows`, in new segments.
async fn list_again(tx: &mut Connection, rows: &[Row]) -> Result<()> {
    let entries = rows.iter().map(Row::entry).collect::<Result<Vec<_>>>()?;
    let positions = add_apart(tx, &entries).await?;
    let moved: Vec<(i64, i64)> = rows.iter().map(|row| row.seq).zip(positions).collect();
    bulk::insert(
        tx,
        "WITH moved (seq, position) AS (",
        ") UPDATE reports SET position = moved.position FROM moved WHERE reports.seq = moved.seq",
        &moved,
        |query, (seq, position)| query.bind(*seq).bind(*position),
    )
    .await
}

/// Lists the reports of `segment` again, without using its sets and times, which may be damaged.
pub(super) async fn relist_segment(tx: &mut Connection, segment: i64) -> Result<()> {
    let rows = rows_of(tx, segment).await?;
    sql::query("UPDATE reports SET position = NULL WHERE position BETWEEN $1 AND $2")
        .bind(position(segment, 0))
        .bind(position(segment, u32::from(u16::MAX)))
        .execute(&mut *tx)
        .await?;
    remove(tx, segment).await?;
    list_again(tx, &rows).await
}

/// Lists the approved reports among these numbers that have no position, and removes the positions
/// of those that are not approved. Returns the number of listed reports.
pub(super) async fn list_missing(tx: &mut Connection, seqs: &[i64]) -> Result<u64> {
    let keys = |query: RowValues, seq: &i64| query.bind(*seq);
    let unlist = "UPDATE reports SET position = NULL WHERE status <> 'APPROVED' AND (seq)";
    bulk::execute_matching(&mut *tx, unlist, seqs, keys).await?;
    let head = format!("{ROWS} AND r.position IS NULL AND (r.seq)");
    let rows = bulk::select_matching(&mut *tx, &head, seqs, keys).await?;
    list_again(tx, &rows).await?;
    merge_small(tx).await?;
    Ok(rows.len() as u64)
}
