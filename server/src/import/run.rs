//! The import itself: a reading thread, batches, the store.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    io::Read,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono::{DateTime, Utc};
use tokio::sync::mpsc;

use super::{
    Error, Format, Refusal,
    source::{self, Row, Rows},
};
use crate::store::{self, Imported, Mode, NewReport, RowOutcome, Store};

/// Rows in a transaction. Each touches rollups all over the table, and a page is written once a
/// transaction however many rows touch it: fewer rows would write several times as many bytes, more
/// would keep other writers waiting for more than about a second.
const BATCH: usize = 40_000;
/// Reports in one transaction where partners are told of them.
const TOLD_AT_ONCE: usize = 1_000;
/// The pause that lets other writers in between two batches.
const TURN: std::time::Duration = std::time::Duration::from_millis(5);

/// What to import and how.
pub struct Job<R> {
    pub input: R,
    /// `None`: by the first character.
    pub format: Option<Format>,
    pub mode: Mode,
    /// The moment of the import.
    pub now: DateTime<Utc>,
    pub progress: Progress,
}

/// How far an import is, counted when it is in the store; read by whoever shows it.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub bytes: Arc<AtomicU64>,
    pub rows: Arc<AtomicU64>,
}

/// What an import came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub rows: u64,
    pub imported: u64,
    pub skipped: u64,
    pub refused: u64,
}

/// What the reading thread hands over.
enum Message {
    Note(String),
    Batch {
        rows: Vec<Row>,
        /// How much of the input they end at.
        bytes: u64,
    },
    Failed(Error),
}

/// Runs an import into `store`; without one, which only a dry run can do, against nothing.
/// `refused` is told of each refused row, `noted` of what concerns the whole file.
///
/// # Errors
/// The input cannot be read or is no list of reports, or the store fails. Batches before that are
/// in; a rerun skips them.
pub async fn run<R: Read + Send + 'static>(
    store: Option<&Store>,
    job: Job<R>,
    mut refused: impl FnMut(&Refusal),
    mut noted: impl FnMut(&str),
) -> Result<Summary, Error> {
    let (sender, mut batches) = mpsc::channel(1);
    let (format, mode, now, progress) = (job.format, job.mode, job.now, job.progress.clone());
    let reader = tokio::task::spawn_blocking(move || {
        if let Err(error) = read(job.input, format, now, &sender) {
            // Nobody listens any more only where the import has failed already.
            let _ = sender.blocking_send(Message::Failed(error));
        }
    });
    let mut summary = Summary::default();
    let mut dry = DryIds::default();
    while let Some(message) = batches.recv().await {
        match message {
            Message::Note(note) => noted(&note),
            Message::Failed(error) => return Err(error),
            Message::Batch { rows, bytes } => {
                let (good, mut refusals) = split(rows);
                let (lines, reports): (Vec<u64>, Vec<NewReport>) = good.into_iter().unzip();
                let mut outcomes = match store {
                    Some(store) => import(store, &reports, mode, now).await?,
                    None => vec![RowOutcome::Imported; reports.len()],
                };
                if mode == Mode::DryRun {
                    dry.correct(&reports, &mut outcomes);
                }
                for ((line, report), outcome) in lines.into_iter().zip(&reports).zip(outcomes) {
                    match outcome {
                        RowOutcome::Imported => summary.imported += 1,
                        RowOutcome::Skipped => summary.skipped += 1,
                        RowOutcome::Conflict { field } => {
                            refusals.push(conflict(line, report, field));
                        }
                    }
                }
                refusals.sort_by_key(|refusal| refusal.line);
                refusals.iter().for_each(&mut refused);
                summary.refused += refusals.len() as u64;
                summary.rows = summary.imported + summary.skipped + summary.refused;
                progress.bytes.store(bytes, Ordering::Relaxed);
                progress.rows.store(summary.rows, Ordering::Relaxed);
                tokio::time::sleep(TURN).await;
            }
        }
    }
    reader.await.map_err(std::io::Error::other)?;
    Ok(summary)
}

/// What is told to partners goes in smaller transactions: each report is two events, and each of
/// those a delivery for every subscriber, who should also not wait for the whole batch.
async fn import(
    store: &Store,
    reports: &[NewReport],
    mode: Mode,
    now: DateTime<Utc>,
) -> Result<Imported, store::Error> {
    let at_once = if mode == Mode::Approve { TOLD_AT_ONCE } else { BATCH };
    let mut outcomes = Vec::with_capacity(reports.len());
    for reports in reports.chunks(at_once) {
        if !outcomes.is_empty() {
            tokio::time::sleep(TURN).await;
        }
        outcomes.extend(store.import(reports, mode, now).await?);
    }
    Ok(outcomes)
}

fn read<R: Read + Send>(
    input: R,
    format: Option<Format>,
    now: DateTime<Utc>,
    batches: &mpsc::Sender<Message>,
) -> Result<(), Error> {
    let bytes_read = Arc::new(AtomicU64::new(0));
    let mut rows = source::open(input, format, now, bytes_read.clone())?;
    let send = |message| batches.blocking_send(message).is_ok();
    for note in rows.notes() {
        send(Message::Note(note.clone()));
    }
    loop {
        let mut batch = Vec::new();
        let read = fill(&mut batch, rows.as_mut());
        let ended = batch.len() < BATCH;
        let bytes = bytes_read.load(Ordering::Relaxed);
        // What was read before a failure goes in all the same.
        if !batch.is_empty() && !send(Message::Batch { rows: batch, bytes }) {
            return Ok(());
        }
        read?;
        if ended {
            return Ok(());
        }
    }
}

fn fill(batch: &mut Vec<Row>, rows: &mut dyn Rows) -> Result<(), Error> {
    while batch.len() < BATCH
        && let Some(row) = rows.next_row()?
    {
        batch.push(row);
    }
    Ok(())
}

fn split(rows: Vec<Row>) -> (Vec<(u64, NewReport)>, Vec<Refusal>) {
    let mut good = Vec::with_capacity(rows.len());
    let mut refused = Vec::new();
    for row in rows {
        match row {
            Ok(row) => good.push(row),
            Err(refusal) => refused.push(refusal),
        }
    }
    (good, refused)
}

fn conflict(line: u64, report: &NewReport, field: &'static str) -> Refusal {
    let reason =
        format!("a report with the id {:?} is there already, with another {field}", report.id);
    Refusal { line, field: Some("id"), reason }
}

/// A dry run writes nothing, so what earlier batches would have added is remembered here, by hash.
#[derive(Default)]
struct DryIds {
    hasher: RandomState,
    contents: HashMap<u64, u64>,
}

impl DryIds {
    fn correct(&mut self, reports: &[NewReport], outcomes: &mut [RowOutcome]) {
        for (report, outcome) in reports.iter().zip(outcomes) {
            if *outcome != RowOutcome::Imported {
                continue;
            }
            let content = NewReport { id: String::new(), ..report.clone() };
            let content = self.hasher.hash_one(format!("{content:?}"));
            match self.contents.insert(self.hasher.hash_one(&report.id), content) {
                Some(before) if before == content => *outcome = RowOutcome::Skipped,
                Some(_) => *outcome = RowOutcome::Conflict { field: "content" },
                None => {}
            }
        }
    }
}
