//! Correction of many reports, each batch in its own transaction. All batches are one decision in the
//! audit log. After a crash, earlier batches remain and can be undone; the same correction of the
//! same reports completes it.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use base::time::date_of_day;
use domain::{
    action::Action,
    report::{NewReport, Status},
};
use serde_json::{Map, Value, json};

use super::{
    correct::Correction,
    page::numbers,
    select::Selected,
    selection::Selection,
    transition::{named, numbered},
};
use crate::{
    Store, areas,
    engine::{
        adaptive_batch::AdaptiveBatchSize,
        sql::{Builder, Connection},
        transaction::Times,
    },
    error::{Error, Result},
};

/// Reports whose values are read at once.
const READ: usize = 8_192;

/// Correction of many reports, in batches.
#[derive(Debug)]
pub struct Corrections<'s, C> {
    store: &'s Store,
    correct: C,
    /// Number of the decision in the audit log, once a batch has started it.
    decision: Option<i64>,
    batch_size: AdaptiveBatchSize,
}

/// Result of a batch of corrections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorrectedBatch<E> {
    /// Number of corrected reports.
    pub corrected: u64,
    /// Number of reports that already had the values.
    pub unchanged: u64,
    /// Reasons of the reports whose corrections were refused, and which are unchanged.
    pub refused: Vec<E>,
}

/// Values of some members of reports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Number of reports of each status, in the order of [`Status::ALL`].
    pub statuses: [u64; 4],
    /// The different values, with the number of their reports, most reports first.
    pub groups: Vec<(Map<String, Value>, u64)>,
    /// Digest that identifies the reports and these values.
    pub digest: u64,
}

impl<'s> areas::Reports<'s> {
    /// Selects the reports of a list, of one status or of all, for a correction.
    ///
    /// # Errors [`Error::UnknownImport`](crate::Error::UnknownImport).
    pub async fn select_list(self, selection: &Selection) -> Result<Selected> {
        let store = self.store;
        store
            .read(move |tx| {
                Box::pin(async move {
                    let mut seqs = Vec::new();
                    for status in Status::ALL {
                        if selection.status.is_none_or(|wanted| wanted == status) {
                            seqs.extend(numbers(tx, store, status, selection).await?);
                        }
                    }
                    Ok(Selected::of(seqs))
                })
            })
            .await
    }

    /// Selects the reports with these ids for a correction. Unknown ids are ignored.
    pub async fn select_ids(self, ids: &[String]) -> Result<Selected> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let found = named(tx, ids).await?;
                    Ok(Selected::of(found.iter().map(|report| report.seq).collect()))
                })
            })
            .await
    }

    /// Returns the current values of these members, which have the names of an import's columns.
    pub async fn values(self, selected: &Selected, members: &[&'static str]) -> Result<Values> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mut counts = Counts::default();
                    for seqs in selected.first(usize::MAX).chunks(READ) {
                        counts.read(tx, seqs, members).await?;
                    }
                    Ok(counts.values(selected.digest()))
                })
            })
            .await
    }

    /// Returns the first of the selected reports.
    pub async fn examples(self, selected: &Selected, limit: usize) -> Result<Vec<NewReport>> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mut found = numbered(tx, selected.first(limit)).await?;
                    found.sort_unstable_by_key(|report| report.seq);
                    Ok(found.into_iter().map(|report| report.report).collect())
                })
            })
            .await
    }

    /// Prepares to replace many reports by the results of `correct`, as
    /// [`areas::Reports::correct`] does with one.
    pub fn corrections<C>(self, correct: C) -> Corrections<'s, C> {
        let batch_size = AdaptiveBatchSize::of_news();
        Corrections { store: self.store, correct, decision: None, batch_size }
    }
}

impl<C, E> Corrections<'_, C>
where
    C: Fn(&NewReport) -> std::result::Result<NewReport, E> + Send + Sync,
    E: Send,
{
    /// Corrects the first of `selected` in one transaction and removes them from it.
    pub async fn next_batch(&mut self, selected: &mut Selected) -> Result<CorrectedBatch<E>> {
        let left = usize::try_from(selected.len()).unwrap_or(usize::MAX);
        let seqs = selected.first(self.batch_size.next(left).await.change);
        let this = &*self;
        let timed = this
            .store
            .write_reports(seqs.len(), move |tx, times| Box::pin(this.correct(tx, seqs, times)))
            .await?;
        let (batch, decision) = timed.done;
        self.decision = decision;
        self.batch_size.learn(batch.corrected as usize, timed.held);
        let taken = seqs.len();
        selected.advance(taken);
        Ok(batch)
    }

    async fn correct(
        &self,
        tx: &mut Connection,
        seqs: &[i64],
        Times { now, .. }: Times,
    ) -> Result<(CorrectedBatch<E>, Option<i64>)> {
        let mut batch = CorrectedBatch { corrected: 0, unchanged: 0, refused: Vec::new() };
        let mut corrections = Vec::with_capacity(seqs.len());
        let mut found = numbered(tx, seqs).await?;
        found.sort_unstable_by_key(|report| report.seq);
        for report in found {
            match (self.correct)(&report.report) {
                Ok(after) => corrections.extend(Correction::of(report, after)),
                Err(refusal) => batch.refused.push(refusal),
            }
        }
        batch.corrected = corrections.len() as u64;
        batch.unchanged = (seqs.len() - corrections.len() - batch.refused.len()) as u64;
        let reports = self.store.reports();
        reports.replace(tx, &corrections, now).await?;
        let (action, decision) = (Action::Correct, self.decision);
        let decision = reports.note_corrections(tx, action, &corrections, decision, now).await?;
        Ok((batch, decision))
    }
}

/// Numbers of reports by status, and by their values as JSON.
#[derive(Default)]
struct Counts {
    statuses: [u64; 4],
    groups: BTreeMap<String, (Map<String, Value>, u64)>,
}

impl Counts {
    async fn read(
        &mut self,
        tx: &mut Connection,
        seqs: &[i64],
        members: &[&'static str],
    ) -> Result<()> {
        let columns: String = members.iter().map(|name| [", ", column(name)].concat()).collect();
        let rows = tx.engine().rows_as_json(&format!("status, reports{columns}"));
        let mut query = Builder::new(tx.engine(), "SELECT ");
        query.push(&rows).push(" FROM (SELECT status, count(*) AS reports").push(&columns);
        query.push(" FROM reports WHERE seq IN (").push_rows(seqs, |row, seq| row.bind(*seq));
        query.push(") GROUP BY status").push(&columns).push(") AS counted");
        let (rows,): (String,) = query.build_as().fetch_one(tx).await?;
        let rows: Vec<Vec<Value>> = serde_json::from_str(&rows).map_err(damaged)?;
        for row in rows {
            self.add(row, members).ok_or_else(|| damaged("a row"))?;
        }
        Ok(())
    }

    fn add(&mut self, row: Vec<Value>, members: &[&'static str]) -> Option<()> {
        let mut row = row.into_iter();
        let status = Status::from_name(row.next()?.as_str()?)?;
        let reports = row.next()?.as_u64()?;
        *self.statuses.get_mut(status as usize)? += reports;
        let mut values = Map::new();
        for (name, value) in members.iter().zip(row) {
            let value = match *name {
                "eventDate" => json!(date_of_day(value.as_i64()?).to_string()),
                _ => value,
            };
            values.insert((*name).to_owned(), value);
        }
        let group = self.groups.entry(json!(values).to_string()).or_insert((values, 0));
        group.1 += reports;
        Some(())
    }

    fn values(self, selected: u64) -> Values {
        let mut hasher = DefaultHasher::new();
        selected.hash(&mut hasher);
        for (values, (_, reports)) in &self.groups {
            (values, reports).hash(&mut hasher);
        }
        let mut groups: Vec<_> = self.groups.into_values().collect();
        groups.sort_by_key(|(_, reports)| std::cmp::Reverse(*reports));
        Values { statuses: self.statuses, groups, digest: hasher.finish() }
    }
}

fn damaged(cause: impl std::fmt::Display) -> Error {
    Error::Damaged(format!("values of reports ({cause})"))
}

/// Column of a member.
fn column(member: &'static str) -> &'static str {
    match member {
        "peopleCount" => "people_count",
        "eventDate" => "event_day",
        same => same,
    }
}
