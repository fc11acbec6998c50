//! Preview of an import: its effects, without writing anything.

use std::{
    io::Read,
    sync::{Arc, OnceLock},
};

use base::clock::Clock;
use domain::report::NewReport;
use store::{RowOutcome, Store};
use tokio::task::spawn_blocking;

use super::{
    Error, FileError, HTTP_WINDOW, Note, Reading, Reason, Reasons, Refusal, Remedy, Summary,
    countries::Countries,
    dry::DryIds,
    names::Column,
    rows::{Problem, Rows},
    run::conflict,
    source::{self, Opening},
};

/// Number of rows that are shown.
const SHOWN: usize = 20;
/// Number of reports that are compared with the store at once.
const AT_ONCE: usize = 20_000;

/// Effects of an import.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    pub columns: Vec<Column>,
    /// Visible sheets of a workbook; empty for other files.
    pub sheets: Vec<String>,
    /// First rows as they are understood.
    pub first: Vec<Understood>,
    pub notes: Vec<Note>,
    pub reasons: Vec<Reason>,
    pub summary: Summary,
    /// Whether the file has more rows than were checked.
    pub has_more: bool,
    /// Reason why the rest of the file cannot be read.
    pub stopped: Option<FileError>,
    /// Choices with which it could be read.
    pub remedies: Vec<Remedy>,
}

/// A row as it is understood.
#[derive(Clone, Debug)]
pub struct Understood {
    pub line: u64,
    /// The report, and whether it exists already; or the reasons for refusing the row.
    pub report: Result<(NewReport, bool), Vec<Refusal>>,
}

/// Returns the effects of an import of the first `rows` rows into `store`.
///
/// # Errors
/// Only if the store fails. A file that cannot be read has a preview, too.
pub async fn preview<R: Read + Send + 'static>(
    store: &Store,
    input: R,
    reading: Reading,
    clock: Clock,
    rows: usize,
) -> Result<Preview, Error> {
    let read = spawn_blocking(move || read(input, reading, clock, rows)).await;
    let Ok(FileRead { mut preview, reports, mut reasons }) = read else {
        let stopped = Some(FileError::ReaderFailed);
        return Ok(Preview { stopped, ..Preview::default() });
    };
    let mut dry = DryIds::default();
    for reports in reports.chunks(AT_ONCE) {
        let (places, reports): (Vec<Place>, Vec<NewReport>) = reports.iter().cloned().unzip();
        let outcomes = dry.foresee(Some(store), &reports).await?;
        for ((place, report), outcome) in places.into_iter().zip(&reports).zip(outcomes) {
            let shown = preview.first.get_mut(place.number);
            match outcome {
                RowOutcome::Imported => preview.summary.imported += 1,
                RowOutcome::Skipped => {
                    preview.summary.skipped += 1;
                    if let Some(Understood { report: Ok((_, is_there)), .. }) = shown {
                        *is_there = true;
                    }
                }
                RowOutcome::Conflict { field } => {
                    preview.summary.refused += 1;
                    let refusal = conflict(report, field).on(place.line);
                    reasons.add(&refusal);
                    if let Some(row) = shown {
                        row.report = Err(vec![refusal]);
                    }
                }
            }
        }
    }
    preview.reasons = reasons.grouped();
    Ok(preview)
}

/// Returns the columns of a file as they are without any choice; for JSON the keys of the first object.
pub async fn columns<R: Read + Send + 'static>(input: R, clock: Clock) -> Vec<Column> {
    let read = spawn_blocking(move || read(input, Reading::default(), clock, 1)).await;
    read.map(|read| read.preview.columns).unwrap_or_default()
}

/// Result of reading a file, without a look at the store.
#[derive(Default)]
struct FileRead {
    preview: Preview,
    reports: Vec<(Place, NewReport)>,
    reasons: Reasons,
}

/// Place of a row in its file.
#[derive(Clone, Copy)]
struct Place {
    line: u64,
    /// Number of earlier rows. Several rows of JSON may be on one line.
    number: usize,
}

fn read(input: impl Read, reading: Reading, clock: Clock, rows: usize) -> FileRead {
    let sheets = Arc::new(OnceLock::new());
    let opening = Opening {
        format: None,
        reading,
        clock,
        max_window: HTTP_WINDOW,
        with_originals: false,
        bytes_read: Arc::default(),
        sheets: sheets.clone(),
    };
    let mut read = FileRead::default();
    let end = source::open(input, opening).and_then(|mut file| {
        let end = read.add_rows(&mut *file, rows);
        read.preview.columns = file.columns().to_vec();
        end
    });
    match end {
        Ok(has_more) => read.preview.has_more = has_more,
        Err(Error::Header { reason, columns, remedies }) => {
            (read.preview.columns, read.preview.remedies) = (columns, remedies);
            read.preview.stopped = Some(reason);
        }
        Err(error) => read.preview.stopped = Some(error.reason()),
    }
    read.preview.sheets = sheets.get().cloned().unwrap_or_default();
    read
}

impl FileRead {
    /// Adds rows up to a number. Returns whether there are more.
    fn add_rows(&mut self, file: &mut dyn Rows, most: usize) -> Result<bool, Error> {
        let Self { preview, reports, reasons } = self;
        let mut countries = Countries::default();
        let mut add = || {
            loop {
                let row = file.next_row();
                preview.notes.extend(file.take_notes());
                let Some(row) = row? else { return Ok(false) };
                if preview.summary.rows == most as u64 {
                    return Ok(true);
                }
                let (line, number) = (row.line, preview.summary.rows as usize);
                preview.summary.rows += 1;
                let report = row.report.map_err(|problems| {
                    let on_line = |problem: Problem| problem.on(line);
                    problems.into_iter().map(on_line).collect::<Vec<_>>()
                });
                match &report {
                    Ok(report) => {
                        countries.see(&report.country);
                        reports.push((Place { line, number }, report.clone()));
                    }
                    Err(refusals) => {
                        preview.summary.refused += 1;
                        refusals.iter().for_each(|refusal| reasons.add(refusal));
                    }
                }
                if preview.first.len() < SHOWN {
                    let report = report.map(|report| (report, false));
                    preview.first.push(Understood { line, report });
                }
            }
        };
        let end = add();
        self.preview.notes.extend(countries.note());
        end
    }
}
