//! The refused rows of an import.

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use desk::preview::Reason;
use domain::import_id::ImportId;
use http::header;
use import::formula::plain;
use store::ImportResult;

use super::{csrf::fenced, desk_session::DeskSession};
use crate::{
    base_url::ReachedAt,
    operator::base_urls,
    problem::{Problem, Result},
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
        return Err(Problem::unauthenticated("Sign in at the desk to see this."));
    }
    let query = parts.uri.query().unwrap_or_default();
    let id = query.strip_prefix("id=").and_then(|id| id.parse::<ImportId>().ok());
    let result = match id {
        Some(id) => app.store.reports().import_result(id).await?,
        None => None,
    };
    let unknown = || Problem::not_found("There is no such import, or no rows were refused.");
    let rows = result.map(|result| result.refused_rows).filter(|rows| !rows.is_empty());
    let rows = rows.ok_or_else(unknown)?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"refused.csv\""),
    ];
    Ok(fenced((headers, rows).into_response()))
}

/// The result, with the first of its refused rows.
pub(super) fn shown(result: ImportResult) -> desk::backend::Result {
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
    let reasons = reasons.into_iter().map(|reason| Reason {
        rows: reason.rows,
        text: reason.reason,
        example: reason.example,
        remedies: Vec::new(),
    });
    let reasons = reasons.collect();
    desk::backend::Result {
        total,
        imported,
        skipped,
        refused,
        columns,
        rows,
        notes,
        reasons,
        failure,
    }
}
