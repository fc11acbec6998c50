use chrono::{DateTime, Utc};

use super::{
    Store, bulk,
    error::Result,
    outbox::{Outbox, Published},
    place::{self, Spelling},
    report::{self, Status},
    rollup::{Counted, Tally},
    transition::{Candidate, Decisions, candidates},
    version,
};
use crate::time::{date_of_day, instant_of_millis};

impl Store {
    /// Publishes the pending reports among `ids`: status, `publishedAt`, place, rollups, presence,
    /// data version and what partners are to be told, in one transaction. The others are refused by
    /// name and nothing of them changes.
    ///
    /// A report is never published before it was created, so that a client which polls with the
    /// largest `createdAt` it has seen misses nothing.
    pub async fn publish(&self, ids: &[String], now: DateTime<Utc>) -> Result<Decisions> {
        let mut tx = self.write().await?;
        let (reports, decisions) =
            candidates(&mut tx, ids, Status::Pending, Status::Approved).await?;
        if reports.is_empty() {
            return Ok(decisions);
        }
        let spellings: Vec<Spelling<'_>> = reports.iter().map(Candidate::spelling).collect();
        let lineages = place::resolve(&mut tx, &spellings).await?;
        let approved: Vec<(i64, Counted)> = reports
            .iter()
            .zip(lineages)
            .map(|(report, lineage)| {
                let counted = Counted {
                    lineage,
                    kind: report.kind,
                    event_date: date_of_day(report.event_day),
                    published_at: now.max(instant_of_millis(report.created_at)),
                };
                (report.seq, counted)
            })
            .collect();
        bulk::insert(
            &mut tx,
            "WITH approved (seq, published_at, place_id) AS (",
            3,
            ") UPDATE reports
               SET status = 'APPROVED',
                   published_at = approved.published_at,
                   place_id = approved.place_id
               FROM approved WHERE reports.seq = approved.seq",
            &approved,
            |query, (seq, counted)| {
                query
                    .bind(*seq)
                    .bind(counted.published_at.timestamp_millis())
                    .bind(counted.lineage.city)
            },
        )
        .await?;
        let counted: Vec<Counted> = approved.into_iter().map(|(_, counted)| counted).collect();
        let outbox = Outbox::open(&mut tx, &counted, now.date_naive()).await?;
        Tally::of(&counted)?.count_in(&mut tx).await?;
        let published =
            reports.iter().zip(counted).map(|(report, counted)| published(report, counted));
        let published = published.collect::<Result<Vec<_>>>()?;
        outbox.write(&mut tx, &published, now, &self.random).await?;
        version::move_on(&mut tx).await?;
        tx.commit().await?;
        Ok(decisions)
    }
}

fn published(report: &Candidate, counted: Counted) -> Result<Published<'_>> {
    Ok(Published {
        id: &report.id,
        city: &report.city,
        country: &report.country,
        people_count: report::people_count(report.people_count)?,
        created_at: report.created_at,
        counted,
    })
}
