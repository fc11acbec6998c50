//! The audit log as CSV.

use axum::{
    extract::{Request, State},
    response::Response,
};
use desk::backend::AuditLine;
use kit::lang::Lang;
use store::{AuditPage, AuditQuery};

use super::{
    Words, query_of, shown,
    words::{listed, without_names},
};
use crate::{
    base_url::ReachedAt,
    desk::{csv_file, desk_session::DeskSession},
    operator::base_urls,
    problem::{Problem, Result},
    state::AppState,
};

/// Number of entries read at once.
const PART: u32 = 500;

const COLUMNS: [&str; 6] = ["time", "person", "action", "subject", "changes", "from"];

/// `GET /desk/audit.csv?…`: all entries that the page with the same query shows,
/// newest first, in English.
pub(in crate::desk) async fn download(
    State(app): State<AppState>,
    request: Request,
) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let session = DeskSession::of(&app, &parts, base_url).await?;
    if !session.is_taken() {
        return Err(Problem::unauthenticated("Sign in at the desk to see this."));
    }
    let query = query_of(&app.store, parts.uri.query().unwrap_or_default()).await?;
    let first = AuditQuery { before: None, limit: PART, ..query };
    let read = move |query: AuditQuery| {
        let app = app.clone();
        async move {
            let AuditPage { entries, next } = app.store.audit_log().entries(&query).await?;
            let words = Words::of(&app, Lang::En);
            let line = |entry| row(words.line(shown(&query, entry)));
            let rows = entries.into_iter().map(line).collect();
            Ok((rows, next.map(|next| AuditQuery { before: Some(next), ..query })))
        }
    };
    csv_file::respond("audit.csv", &COLUMNS, first, read).await
}

fn row(line: AuditLine) -> Vec<String> {
    let AuditLine { at, who, from, sentence, subject, changes, .. } = line;
    let subject = subject.map(|subject| subject.text).unwrap_or_default();
    vec![at, who, without_names(sentence), subject, listed(&changes), from]
}
