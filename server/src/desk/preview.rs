//! Previews of uploaded files, and their imports.

use std::sync::atomic::Ordering;

use desk::preview::{Column, Preview, Reason, Remedy, Row, RowState, Sheet};
use domain::{import_id::ImportId, report::NewReport};
use import::{
    Dates, Encoding, HTTP_WINDOW, Job, Note, Numbers, Progress, Reading, Reasons, RefusedRows,
    Summary, Understood,
};
use kit::words::{Word, Words};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::{ImportResult, Mode, Store};
use url::form_urlencoded;

use super::{
    desk_session::DeskSession,
    refused::{Failure, Group},
    words::{self, imports as texts},
};
use crate::{
    problem::{Problem, Result},
    state::AppState,
    uploads::Upload,
};

/// Number of rows that a preview checks: enough to find all kinds of faults, and few enough for a second or two.
const CHECKED: usize = 50_000;
/// Maximum number of notes that the result of an import keeps.
const MAX_NOTES: usize = 200;

impl DeskSession {
    /// See [`desk::backend::DeskBackend::preview`].
    pub(super) async fn preview_of(&self, id: &str, choices: &str) -> Result<Option<Preview>> {
        let store = self.moderator()?;
        let Some(upload) = self.app.uploads.find(id, self.holder()) else { return Ok(None) };
        let _place = self.app.visitors.upload_place().await?;
        let clock = &self.app.clock;
        let mut reading = reading_of(choices);
        let mut is_remembered = false;
        if choices.is_empty() {
            let hash = header_hash(&self.app, &upload).await;
            if let Some(remembered) = store.reports().import_layout(hash).await? {
                (reading, is_remembered) = (reading_of(&remembered), true);
            }
        }
        let seen =
            import::preview(store, upload.content(), reading.clone(), clock.clone(), CHECKED);
        let words = Words::all(self.lang);
        let seen = seen.await.map_err(|error| failed(&words, error))?;
        Ok(Some(Preview { is_remembered, ..shown(&words, &upload, &reading, seen) }))
    }

    /// See [`desk::backend::DeskBackend::import_upload`].
    pub(super) async fn import_uploaded(
        &self,
        id: &str,
        choices: &str,
        approve: bool,
    ) -> Result<String> {
        let store = self.moderator()?.clone();
        let _place = self.app.visitors.upload_place().await?;
        let Some(upload) = self.app.uploads.take(id, self.holder()) else {
            return Err(Problem::not_found(texts::GONE.text(self.lang)));
        };
        let reading = reading_of(choices);
        let hash = header_hash(&self.app, &upload).await;
        store.reports().keep_import_layout(hash, &query_of(&reading)).await?;
        let mode = if approve { Mode::Approve } else { Mode::Pending };
        let (app, words) = (self.app.clone(), Words::all(self.lang));
        // A separate task, so that the import continues if the browser disconnects.
        let importing = tokio::spawn(async move {
            let imported = import_file(&words, &app, &store, &upload, reading, mode).await;
            if imported.is_err() {
                app.uploads.keep(upload);
            }
            imported
        });
        match importing.await {
            Ok(imported) => imported.map(|import| import.to_string()),
            Err(error) => Err(Problem::internal(std::sync::Arc::new(error))),
        }
    }
}

/// Imports a file and stores the result, also that of an import that stops before the end of the file.
async fn import_file(
    words: &Words,
    app: &AppState,
    store: &Store,
    upload: &Upload,
    reading: Reading,
    mode: Mode,
) -> Result<ImportId> {
    let (refused_rows, kept) = RefusedRows::kept();
    let progress = Progress::default();
    let job = Job {
        input: upload.content(),
        file: upload.name.clone(),
        format: None,
        reading,
        mode,
        sort_in: None,
        clock: app.clock.clone(),
        max_window: HTTP_WINDOW,
        progress: progress.clone(),
        refused_rows: Some(refused_rows),
    };
    let (mut reasons, mut notes) = (Reasons::default(), Vec::new());
    let noted = |note: &Note| {
        if notes.len() < MAX_NOTES {
            notes.push(json!(note));
        }
    };
    let ended = import::run(Some(store), job, |refusal| reasons.add(refusal), noted).await;
    let (summary, failure) = match ended {
        Ok(summary) => (summary, None),
        Err(error) => {
            let Some(_) = progress.import.get() else { return Err(failed(words, error)) };
            let line = progress.line.load(Ordering::Relaxed);
            let failure = json!(Failure { line, reason: error.reason() });
            (so_far(&progress), Some(failure))
        }
    };
    let Some(import) = progress.import.get().copied() else {
        return Err(Problem::invalid_parameter(words.text(texts::NO_REPORTS).to_owned()));
    };
    let rows = |count: u64| count.cast_signed();
    let reasons: Vec<Value> =
        reasons.grouped().into_iter().map(|reason| json!(Group::of(reason))).collect();
    let result = ImportResult {
        total: rows(summary.rows),
        imported: rows(summary.imported),
        skipped: rows(summary.skipped),
        refused: rows(summary.refused),
        refused_rows: kept.take(),
        notes,
        reasons,
        failure,
    };
    store.reports().note_import_result(import, &result).await?;
    Ok(import)
}

/// Rows until an import stopped.
fn so_far(progress: &Progress) -> Summary {
    let [rows, imported, refused] = [&progress.rows, &progress.imported, &progress.refused]
        .map(|count| count.load(Ordering::Relaxed));
    let skipped = rows.saturating_sub(imported + refused);
    Summary { rows, imported, skipped, refused }
}

fn failed(words: &Words, error: import::Error) -> Problem {
    match error {
        import::Error::Store(error) => error.into(),
        error => {
            let reason = words::file_error(words, &error.reason());
            Problem::invalid_parameter(words.with(texts::NOT_IMPORTED, &[("reason", &reason)]))
        }
    }
}

fn reading_of(choices: &str) -> Reading {
    Reading::of_parameters(form_urlencoded::parse(choices.as_bytes()))
}

fn query_of(reading: &Reading) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(reading.parameters()).finish()
}

/// Hash of the names of a file's columns.
async fn header_hash(app: &AppState, upload: &Upload) -> [u8; 32] {
    let columns = import::columns(upload.content(), app.clock.clone()).await;
    let mut names: Vec<String> = columns.into_iter().map(|column| column.name).collect();
    names.sort_unstable();
    Sha256::digest(names.join("\0")).into()
}

/// Data of the page.
fn shown(words: &Words, upload: &Upload, reading: &Reading, seen: import::Preview) -> Preview {
    let choices = query_of(reading);
    let reasons = seen.reasons.iter().map(|reason| Reason {
        rows: reason.rows,
        text: words::grouped(words, reason.field, reason.fault),
        example: words::example(words, &reason.example),
        remedies: remedies(words, reading, reason.remedies.iter().copied()),
    });
    let chosen = reading.sheet.as_ref().or(seen.sheets.first()).cloned();
    let sheets = seen
        .sheets
        .iter()
        .map(|name| Sheet { name: name.clone(), is_chosen: Some(name) == chosen.as_ref() });
    let columns = seen.columns.iter().map(|column| Column {
        name: column.name.clone(),
        field: column.field.map(import::Field::as_str),
        suggested: column.suggested.map(import::Field::as_str),
    });
    let Summary { rows: total, imported, skipped, refused } = seen.summary;
    Preview {
        id: upload.id.clone(),
        file: upload.name.clone(),
        is_remembered: false,
        columns: columns.collect(),
        fields: import::FIELDS,
        sheets: sheets.collect(),
        dates: reading.dates.as_str(),
        numbers: reading.numbers.as_str(),
        encoding: reading.encoding.as_str(),
        suggested: suggested(reading, &seen.columns),
        notes: seen.notes.iter().map(|note| words::note(words, note)).collect(),
        reasons: reasons.collect(),
        rows: seen.first.into_iter().map(|one| row(words, one)).collect(),
        total,
        imported,
        skipped,
        refused,
        has_more: seen.has_more,
        stopped: seen.stopped.map(|reason| {
            let word = if total == 0 { texts::NOT_READ } else { texts::READ_IN_PART };
            words.with(word, &[("reason", &words::file_error(words, &reason))])
        }),
        remedies: remedies(words, reading, seen.remedies.into_iter().map(|remedy| (remedy, 0))),
        choices,
    }
}

/// Choices with the suggestions for all columns, each field only once.
fn suggested(reading: &Reading, columns: &[import::Column]) -> Option<String> {
    let mut used: Vec<_> = columns.iter().filter_map(|column| column.field).collect();
    let mut reading = reading.clone();
    let before = reading.columns.len();
    for column in columns {
        let Some(field) = column.suggested.filter(|field| !used.contains(field)) else { continue };
        let is_chosen = reading.columns.iter().any(|(name, _)| *name == column.name);
        if !is_chosen {
            used.push(field);
            reading.columns.push((column.name.clone(), Some(field)));
        }
    }
    (reading.columns.len() > before).then(|| query_of(&reading))
}

fn remedies(
    words: &Words,
    reading: &Reading,
    remedies: impl Iterator<Item = (import::Remedy, u64)>,
) -> Vec<Remedy> {
    let remedy = |(remedy, rows)| {
        let mut reading = reading.clone();
        let word: Word = match remedy {
            import::Remedy::Dates(dates) => {
                reading.dates = dates;
                match dates {
                    Dates::YearFirst => texts::DATES_YEAR_FIRST,
                    Dates::DayFirst => texts::DATES_DAY_FIRST,
                    Dates::MonthFirst => texts::DATES_MONTH_FIRST,
                }
            }
            import::Remedy::Numbers(numbers) => {
                reading.numbers = numbers;
                match numbers {
                    Numbers::Digits => texts::NUMBERS_DIGITS,
                    Numbers::Point => texts::NUMBERS_POINT,
                    Numbers::Comma => texts::NUMBERS_COMMA,
                }
            }
            import::Remedy::Encoding(encoding) => {
                reading.encoding = encoding;
                match encoding {
                    Encoding::Utf8 => texts::LETTERS_UTF8,
                    Encoding::Windows1252 => texts::LETTERS_WINDOWS_1252,
                }
            }
        };
        Remedy { text: words.text(word).to_owned(), rows, choices: query_of(&reading) }
    };
    remedies.map(remedy).collect()
}

fn row(words: &Words, row: Understood) -> Row {
    let state = match row.report {
        Ok((report, false)) => RowState::New(cells(words, report)),
        Ok((report, true)) => RowState::Existing(cells(words, report)),
        Err(refusals) => RowState::Refused(words::refusals(words, &refusals)),
    };
    Row { line: row.line, state }
}

fn cells(words: &Words, report: NewReport) -> [String; 8] {
    let position = report.position.map(|(lat, lng)| format!("{lat}, {lng}"));
    let reported = match report.created_at_given {
        true => report.created_at.format("%Y-%m-%d %H:%M UTC").to_string(),
        false => words.text(texts::NOW).to_owned(),
    };
    [
        report.kind.as_str().to_owned(),
        report.city,
        report.region,
        report.country,
        report.people_count.to_string(),
        report.event_date.to_string(),
        reported,
        position.unwrap_or_default(),
    ]
}
