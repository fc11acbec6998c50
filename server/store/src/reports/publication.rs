//! Publication of stored and imported reports.

use std::{future::ready, panic::resume_unwind};

use base::{random::Random, time::instant_of_millis};
use chrono::{DateTime, Utc};
use domain::report::NewReport;
use futures_util::future::Either;
use tokio::task::spawn_blocking;

use super::transition::Candidate;
use crate::{
    counters::rollup::{Counted, Tally},
    engine::{sql::Connection, transaction::Times, writes::Writes},
    error::Result,
    events::{
        imported_history,
        outbox::{Outbox, Publication},
    },
    list_index::{self, Entry},
    places::place::{self, Spelling},
    version,
};

/// Maximum number of reports for which another thread would take longer than it saves.
const FEW: usize = 16;

/// Source of the reports' rows.
pub(super) enum Rows<'a> {
    /// Existing rows of these reports, which are not approved.
    Stored(&'a [Candidate]),
    /// New rows.
    New,
}

impl Rows<'_> {
    /// Returns when the report with this index was published for the first time.
    fn first_published(&self, index: usize) -> Option<DateTime<Utc>> {
        match self {
            Rows::Stored(reports) => reports.get(index)?.published_at.map(instant_of_millis),
            Rows::New => None,
        }
    }
}

/// Kind of publication.
#[derive(Clone, Copy)]
pub(super) enum Occasion<'a> {
    /// Reports are published now, and partners are notified.
    News { random: &'a Random },
    /// Reports are published as of their creation. Partners get one event for the whole import.
    History,
}

/// Publishes `reports`: writes their status, time of publication, place and list position, updates
/// the counts and the data version, and writes the events for partners.
///
/// The time of publication is never before the creation, so a client that polls with the largest
/// `createdAt` it has seen misses nothing. A report that was published before keeps the time of its
/// first publication, and so its old place in the lists. Mirrors find it by the new revision.
pub(super) async fn publish(
    tx: &mut Connection,
    reports: &[&NewReport],
    rows: Rows<'_>,
    occasion: Occasion<'_>,
    Times { now, clock }: Times,
) -> Result<()> {
    let publications = placed(tx, reports, &rows, occasion, now).await?;
    let returns = (0..reports.len()).any(|index| rows.first_published(index).is_some());
    let counted: Vec<Counted> =
        publications.iter().map(|publication| publication.counted).collect();
    let entries: Vec<Entry<'_>> = publications
        .iter()
        .map(|Publication { report, counted }| Entry { id: &report.id, counted: *counted })
        .collect();
    let mut placed = list_index::place(tx, &entries).await?;
    let positions = std::mem::take(&mut placed.positions);
    let may_merge = placed.may_merge();
    let today = clock.date_naive();
    let last = counted.iter().map(|counted| counted.published_at).max();
    let changed_at = last.map_or(now, |last| last.max(now));
    let derive = move || (placed.sets(), Tally::of(&counted));
    let derived = match reports.len() {
        ..=FEW => Either::Left(ready(Ok(derive()))),
        // Computed on another thread while the reports are written.
        _ => Either::Right(spawn_blocking(derive)),
    };
    // Nothing reads what waits here until it is sent.
    let mut writes = Writes::default();
    write(tx, &mut writes, &publications, &positions, rows).await?;
    let (sets, tally) = derived.await.unwrap_or_else(|error| resume_unwind(error.into_panic()));
    sets.add(tx, &mut writes).await?;
    let before = tally?.count_in(tx, &mut writes, Some(today)).await?;
    match occasion {
        Occasion::News { random } => {
            let outbox = Outbox::new(before, today);
            outbox.write(tx, &mut writes, &publications, now, changed_at, random).await?;
            if returns {
                version::revise(tx).await?;
            }
        }
        Occasion::History => {
            let published = publications.iter().map(|publication| publication.counted.published_at);
            imported_history::add(tx, published, now).await?;
            version::revise(tx).await?;
        }
    }
    version::bump_with(tx, &mut writes, changed_at).await?;
    writes.send(tx).await?;
    if may_merge {
        list_index::merge_small(tx).await?;
    }
    Ok(())
}

/// Replaces approved reports in counts and lists: removes `before` and `positions`, and adds
/// `after`. Returns the new positions, which the caller must write to the rows.
pub(super) async fn move_to(
    tx: &mut Connection,
    before: &[Counted],
    positions: &[i64],
    after: &[Entry<'_>],
) -> Result<Vec<i64>> {
    let counted: Vec<Counted> = after.iter().map(|entry| entry.counted).collect();
    Tally::of(before)?.count_out(tx).await?;
    let mut writes = Writes::default();
    Tally::of(&counted)?.count_in(tx, &mut writes, None).await?;
    writes.send(tx).await?;
    list_index::remove(tx, positions).await?;
    list_index::add(tx, after).await
}

/// Finds or creates the places of `reports`.
async fn placed<'r>(
    tx: &mut Connection,
    reports: &[&'r NewReport],
    rows: &Rows<'_>,
    occasion: Occasion<'_>,
    now: DateTime<Utc>,
) -> Result<Vec<Publication<'r>>> {
    let spellings: Vec<Spelling<'_>> = reports.iter().map(|report| (*report).into()).collect();
    let lineages = place::resolve(tx, &spellings).await?;
    let publication = |(index, (report, lineage)): (usize, (&&'r NewReport, _))| {
        let published_at = rows.first_published(index).unwrap_or_else(|| match occasion {
            Occasion::News { .. } => now.max(report.created_at),
            Occasion::History => report.created_at,
        });
        let (kind, event_date) = (report.kind, report.event_date);
        Publication { report, counted: Counted { lineage, kind, event_date, published_at } }
    };
    Ok(reports.iter().zip(lineages).enumerate().map(publication).collect())
}

/// Writes the rows of `publications`. Rows that exist are changed when `writes` are sent.
async fn write(
    tx: &mut Connection,
    writes: &mut Writes,
    publications: &[Publication<'_>],
    positions: &[i64],
    rows: Rows<'_>,
) -> Result<()> {
    let stored = match rows {
        Rows::Stored(stored) => stored,
        Rows::New => {
            let rows: Vec<_> = publications
                .iter()
                .zip(positions)
                .map(|(publication, position)| {
                    (publication.report, Some((publication.counted, *position)))
                })
                .collect();
            return super::import::insert(tx, &rows).await;
        }
    };
    let approved: Vec<(i64, Counted, i64)> = stored
        .iter()
        .zip(publications)
        .zip(positions)
        .map(|((report, publication), position)| (report.seq, publication.counted, *position))
        .collect();
    let head = "WITH approved (seq, published_at, place_id, position) AS (";
    let tail = ") UPDATE reports
           SET status = 'APPROVED',
               published_at = approved.published_at,
               place_id = approved.place_id,
               position = approved.position
           FROM approved WHERE reports.seq = approved.seq";
    writes
        .insert(tx, head, tail, &approved, |query, (seq, counted, position)| {
            query
                .bind(*seq)
                .bind(counted.published_at.timestamp_millis())
                .bind(counted.lineage.city)
                .bind(*position)
        })
        .await
}
