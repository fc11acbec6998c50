//! Import run: connects the reading thread, the batches and the store.

use std::{
    io::Read,
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use base::clock::Clock;
use chrono::{DateTime, Utc};
use domain::{import_id::ImportId, report::NewReport};
use store::{Importing, Mode, RowOutcome, Store};
use tokio::sync::mpsc::Sender;

use super::{
    Error, Format, Note, Refusal, RefusedRows, RowError,
    batches::{BATCH, Batch, Found, batches},
    by_time::ByTime,
    countries::Countries,
    dry::DryIds,
    field::Field,
    reading::Reading,
    reasons::Wrong,
    rows::{Problem, Row},
    source::{self, Opening},
};

/// Maximum window for zstd files, in bytes: that of the `zstd` program without options.
pub const FILE_WINDOW: u64 = 128 << 20;
/// Maximum window for zstd bodies, in bytes: enough for archives made without special options.
pub const HTTP_WINDOW: u64 = 8 << 20;

/// Input and options of an import.
pub struct Job<R> {
    pub input: R,
    /// Name of the file, for the list of imports; `None` for standard input.
    pub file: Option<String>,
    /// `None` detects the format by the first character.
    pub format: Option<Format>,
    pub reading: Reading,
    pub mode: Mode,
    /// Folder for temporary files. If set, a large file is sorted by `createdAt` first.
    pub sort_in: Option<PathBuf>,
    pub clock: Clock,
    /// Maximum size of a zstd archive's window, in bytes: [`FILE_WINDOW`] or [`HTTP_WINDOW`].
    pub max_window: u64,
    pub progress: Progress,
    /// Writer of refused rows.
    pub refused_rows: Option<RefusedRows>,
}

/// Progress of an import, updated after each transaction of the store. Other threads may read it.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Number of bytes of the file.
    pub bytes: Arc<AtomicU64>,
    pub rows: Arc<AtomicU64>,
    pub imported: Arc<AtomicU64>,
    pub refused: Arc<AtomicU64>,
    /// Line on which the last of these rows begins.
    pub line: Arc<AtomicU64>,
    /// Id of the import in the list of imports, once it has begun.
    pub import: Arc<OnceLock<ImportId>>,
}

/// Number of imported rows from which the statistics of the query planner are updated.
const ROWS_BEFORE_ANALYZE: u64 = 10_000;

/// Result of an import, in rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Reports in the file or body.
    pub rows: u64,
    /// Reports that were added.
    pub imported: u64,
    /// Reports that were there already.
    pub skipped: u64,
    /// Reports that are not valid.
    pub refused: u64,
}

/// Runs an import into `store`. Without a store, only a dry run is possible. Calls `refused` for each problem of a
/// refused row, and `noted` for each note about the whole file.
///
/// # Errors
/// The input cannot be read or is not a list of reports, or the store fails. Earlier batches stay imported; a rerun
/// skips them.
pub async fn run<R: Read + Send + 'static>(
    store: Option<&Store>,
    job: Job<R>,
    mut refused: impl FnMut(&Refusal),
    mut noted: impl FnMut(&Note),
) -> Result<Summary, Error> {
    let Job { input, file, format, reading, mode, sort_in, clock, max_window, .. } = job;
    let (progress, mut refused_rows) = (job.progress, job.refused_rows);
    let mut import = Import { store, file, mode, progress, begun: None, dry: DryIds::default() };
    let (found, mut taken) = batches();
    let with_originals = refused_rows.is_some();
    // Not a thread of the runtime, which would wait for it when it shuts down: standard input may never end.
    std::thread::Builder::new().name("import".to_owned()).spawn(move || {
        let mut countries = Countries::default();
        let opening = Opening {
            format,
            reading,
            clock,
            max_window,
            with_originals,
            bytes_read: Arc::default(),
            sheets: Arc::default(),
        };
        let end = read(input, opening, sort_in, &mut countries, &found);
        // The receiver may be gone already.
        let _ = found.blocking_send(Found::End(end, Vec::from_iter(countries.note())));
    })?;
    let mut summary = Summary::default();
    while let Some(Batch { rows, notes, shape, bytes, end, .. }) = taken.recv().await {
        notes.iter().for_each(&mut noted);
        if let (Some(file), Some(shape)) = (&mut refused_rows, shape) {
            file.set_shape(shape);
        }
        if !rows.is_empty() {
            let refused_now = import.batch(rows, bytes, &mut summary).await?;
            for refusal in refused_now.iter().flat_map(|(_, refusals)| refusals) {
                refused(refusal);
            }
            if let Some(file) = &mut refused_rows {
                let rows = refused_now.iter();
                file.write(rows.filter_map(|(row, why)| Some((row.as_deref()?, why.as_slice()))))?;
            }
        }
        if let Some((end, notes)) = end {
            notes.iter().for_each(&mut noted);
            end?;
            import.begin().await?;
            if let Some(store) = store
                && mode == Mode::Backfill
            {
                store.event_log().announce_history(DateTime::<Utc>::MAX_UTC).await?;
            }
            if let Some(store) = store
                && mode != Mode::DryRun
                && summary.imported >= ROWS_BEFORE_ANALYZE
            {
                store.gather_statistics().await?;
            }
        }
    }
    Ok(summary)
}

/// Main function of the reading thread.
fn read(
    input: impl Read,
    opening: Opening,
    sort_in: Option<PathBuf>,
    countries: &mut Countries,
    found: &Sender<Found>,
) -> Result<(), Error> {
    let bytes_read = opening.bytes_read.clone();
    let read_so_far = || bytes_read.load(Ordering::Relaxed);
    let mut rows = source::open(input, opening)?;
    let add = |found_now| found.blocking_send(found_now).is_ok();
    let note = |notes: Vec<Note>| notes.is_empty() || add(Found::Notes(notes));
    add(Found::Shape(rows.shape()));
    note(rows.take_notes());
    let mut next = || {
        let row = rows.next_row()?;
        note(rows.take_notes());
        if let Some(Ok(report)) = row.as_ref().map(|row| &row.report) {
            countries.see(&report.country);
        }
        Ok::<_, Error>(row)
    };
    if let Some(folder) = sort_in {
        // The store itself sorts the only batch of a small file.
        let mut first = Vec::new();
        while first.len() < BATCH
            && let Some(row) = next()?
        {
            first.push(row);
        }
        if first.len() == BATCH {
            note(vec![Note::Sorting]);
            return add_sorted(ByTime::new(folder), first, next, read_so_far, add);
        }
        first.into_iter().all(|row| add(Found::Row(row, read_so_far())));
        return Ok(());
    }
    while let Some(row) = next()? {
        if !add(Found::Row(row, read_so_far())) {
            break;
        }
    }
    Ok(())
}

/// Adds the first rows and all others: refused ones immediately, accepted ones sorted by time after the last row is
/// read.
fn add_sorted(
    mut by_time: ByTime,
    first: Vec<Row>,
    mut next: impl FnMut() -> Result<Option<Row>, Error>,
    read_so_far: impl Fn() -> u64,
    add: impl Fn(Found) -> bool,
) -> Result<(), Error> {
    let mut first = first.into_iter();
    while let Some(row) = first.next().map_or_else(&mut next, |row| Ok(Some(row)))? {
        if let Ok(report) = &row.report {
            by_time.add(row.line, report, row.original.as_deref())?;
        } else if !add(Found::Row(row, 0)) {
            return Ok(());
        }
    }
    let (rows, bytes) = (by_time.rows() as f64, read_so_far() as f64);
    for (number, row) in (1_u32..).zip(by_time.sorted()?) {
        // For the progress bar: an offset that grows as if the file were in this order.
        if !add(Found::Row(row?, (bytes * f64::from(number) / rows) as u64)) {
            break;
        }
    }
    Ok(())
}

struct Import<'s> {
    store: Option<&'s Store>,
    file: Option<String>,
    mode: Mode,
    progress: Progress,
    begun: Option<Importing<'s>>,
    dry: DryIds,
}

/// Refused row as in the file, and the reasons.
type RefusedRow = (Option<Vec<u8>>, Vec<Refusal>);

impl<'s> Import<'s> {
    /// Returns the import as it is listed, and begins it with the first rows. A dry run is not listed.
    async fn begin(&mut self) -> Result<Option<&mut Importing<'s>>, Error> {
        if let Some(store) = self.store
            && self.begun.is_none()
            && self.mode != Mode::DryRun
        {
            let id = store.reports().begin_import(self.file.as_deref(), self.mode).await?;
            self.progress.import.get_or_init(|| id);
            self.begun = Some(store.reports().importing(id, self.mode));
        }
        Ok(self.begun.as_mut())
    }

    /// Imports the good rows and returns the refused ones. The rows end at offset `bytes` of the file.
    async fn batch(
        &mut self,
        rows: Vec<Row>,
        bytes: u64,
        summary: &mut Summary,
    ) -> Result<Vec<RefusedRow>, Error> {
        let mut reports = Vec::with_capacity(rows.len());
        let mut places = Vec::with_capacity(rows.len());
        let last_line = rows.iter().map(|row| row.line).max();
        for Row { line, report, original } in rows {
            let problems = match report {
                Ok(report) => {
                    reports.push(report);
                    None
                }
                Err(problems) => Some(problems),
            };
            places.push((line, original, problems));
        }
        let outcomes = self.reports(&reports, bytes).await?;
        let mut outcomes = reports.iter().zip(outcomes);
        let mut refused = Vec::new();
        for (line, original, problems) in places {
            let problems = match problems {
                Some(problems) => problems,
                None => match outcomes.next() {
                    Some((report, RowOutcome::Conflict { field })) => vec![conflict(report, field)],
                    Some((_, RowOutcome::Skipped)) => {
                        summary.skipped += 1;
                        continue;
                    }
                    Some((_, RowOutcome::Imported)) | None => {
                        summary.imported += 1;
                        continue;
                    }
                },
            };
            summary.refused += 1;
            refused
                .push((original, problems.into_iter().map(|problem| problem.on(line)).collect()));
        }
        summary.rows = summary.imported + summary.skipped + summary.refused;
        self.progress.rows.store(summary.rows, Ordering::Relaxed);
        self.progress.bytes.store(bytes, Ordering::Relaxed);
        self.progress.refused.store(summary.refused, Ordering::Relaxed);
        self.progress.line.fetch_max(last_line.unwrap_or_default(), Ordering::Relaxed);
        Ok(refused)
    }

    /// Imports reports, and updates the progress after each transaction: with many webhook subscriptions, a batch takes
    /// minutes.
    async fn reports(
        &mut self,
        reports: &[NewReport],
        bytes: u64,
    ) -> Result<Vec<RowOutcome>, Error> {
        let read = self.progress.bytes.load(Ordering::Relaxed);
        let mut outcomes = Vec::with_capacity(reports.len());
        let mut rest = reports;
        while !rest.is_empty() {
            let some;
            (some, rest) = match self.begin().await? {
                Some(importing) => importing.next(rest).await?,
                None => (self.dry.foresee(self.store, rest).await?, &[][..]),
            };
            let imported = some.iter().filter(|outcome| **outcome == RowOutcome::Imported).count();
            self.progress.imported.fetch_add(imported as u64, Ordering::Relaxed);
            self.progress.rows.fetch_add(some.len() as u64, Ordering::Relaxed);
            outcomes.extend(some);
            let share = outcomes.len() as f64 / reports.len() as f64;
            let so_far = read + (bytes.saturating_sub(read) as f64 * share) as u64;
            self.progress.bytes.store(so_far, Ordering::Relaxed);
        }
        Ok(outcomes)
    }
}

/// Problem of a row whose id belongs to another report already.
pub(super) fn conflict(report: &NewReport, field: &str) -> Problem {
    let id = format!("{:?}", report.id);
    Wrong::from(RowError::Conflict { id, field: field.to_owned() }).in_field(Field::Id)
}
