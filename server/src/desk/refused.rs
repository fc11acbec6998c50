//! The refused rows of an import.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use desk::preview::Reason;
use domain::import_id::ImportId;
use http::header;
use import::{FIELDS, FileError, Refusal, RowError, formula::plain};
use kit::{number::neutral, words::Words};
use serde::{Deserialize, Serialize};
use store::ImportResult;

use super::{
    desk_session::DeskSession,
    words::{self, imports as texts},
};
use crate::{
    base_url::ReachedAt,
    operator::base_urls,
    problem::{Problem, Result},
    realm::csrf::fenced,
    state::AppState,
};

/// Maximum number of rows on a page.
const SHOWN: usize = 100;

/// `GET /desk/refused.csv?id=imp_…`: the rows, for correction.
pub(super) async fn download(State(app): State<AppState>, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let session = DeskSession::of(&app, &parts, base_url).await?;
    if !session.is_taken() {
        return Err(Problem::unauthenticated(texts::SIGN_IN.text(session.lang)));
    }
    let query = parts.uri.query().unwrap_or_default();
    let id = query.strip_prefix("id=").and_then(|id| id.parse::<ImportId>().ok());
    let result = match id {
        Some(id) => app.store.reports().import_result(id).await?,
        None => None,
    };
    let unknown = || Problem::not_found(texts::NO_IMPORT.text(session.lang));
    let rows = result.map(|result| result.refused_rows).filter(|rows| !rows.is_empty());
    let rows = rows.ok_or_else(unknown)?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"refused.csv\""),
    ];
    Ok(fenced((headers, rows).into_response()))
}

/// Rows that were refused for the same reason, as the store keeps them.
#[derive(Serialize, Deserialize)]
pub(super) struct Group {
    rows: u64,
    /// First of the rows, its field with the fault, and the reason.
    line: u64,
    field: Option<String>,
    reason: RowError,
}

impl Group {
    pub(super) fn of(reason: import::Reason) -> Self {
        let Refusal { line, field, reason: of_row, .. } = reason.example;
        Self { rows: reason.rows, line, field: field.map(str::to_owned), reason: of_row }
    }

    fn shown(self, words: &Words) -> Reason {
        let Self { rows, line, field, reason } = self;
        let field = FIELDS.iter().copied().find(|name| Some(*name) == field.as_deref());
        let text = words::grouped(words, field, reason.fault());
        let refusal = Refusal { line, field, reason, remedies: Vec::new() };
        Reason { rows, text, example: words::example(words, &refusal), remedies: Vec::new() }
    }
}

/// Reason why an import stopped before the end of its file, as the store keeps it.
#[derive(Serialize, Deserialize)]
pub(super) struct Failure {
    /// Line on which the last imported row begins.
    pub line: u64,
    pub reason: FileError,
}

impl Failure {
    fn shown(&self, words: &Words) -> String {
        let (line, reason) =
            (neutral(self.line, words.lang), words::file_error(words, &self.reason));
        words.with(texts::STOPPED, &[("line", &line), ("reason", &reason)])
    }
}

/// The result, with the first of its refused rows.
pub(super) fn shown(words: &Words, result: ImportResult) -> Result<desk::backend::Result> {
    let ImportResult { total, imported, skipped, refused, refused_rows, .. } = result;
    let ImportResult { notes, reasons, failure, .. } = result;
    let text = refused_rows.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&refused_rows);
    // The reasons may contain commas and are quoted. The name of their column is not quoted and is
    // followed by the separator, so the separator is the first character after that name.
    let separator = text.iter().copied().find(|byte| !byte.is_ascii_alphanumeric());
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator.unwrap_or(b','))
        .from_reader(text);
    let cells = |record: csv::ByteRecord| -> Vec<String> {
        record.iter().map(|cell| plain(&String::from_utf8_lossy(cell)).to_owned()).collect()
    };
    let mut rows = reader.byte_records().map_while(std::result::Result::ok).map(cells);
    let columns = rows.next().unwrap_or_default();
    let rows = rows.take(SHOWN).collect();
    let damaged = |error: serde_json::Error| Problem::internal(Arc::new(error));
    let notes = notes.into_iter().map(|note| {
        let note = serde_json::from_value(note).map_err(damaged)?;
        Ok(words::note(words, &note))
    });
    let notes = notes.collect::<Result<_>>()?;
    let reasons = reasons.into_iter().map(|group| {
        let group: Group = serde_json::from_value(group).map_err(damaged)?;
        Ok(group.shown(words))
    });
    let reasons = reasons.collect::<Result<_>>()?;
    let failure = failure.map(serde_json::from_value::<Failure>).transpose().map_err(damaged)?;
    let failure = failure.map(|failure| failure.shown(words));
    Ok(desk::backend::Result {
        total,
        imported,
        skipped,
        refused,
        columns,
        rows,
        notes,
        reasons,
        failure,
    })
}
