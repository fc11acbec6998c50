//! The audit log as CSV.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use desk::backend::AuditLine;
use futures_util::stream;
use http::header;
use import::formula;
use store::{AuditPage, AuditQuery, Store};

use super::{Words, query_of};
use crate::{
    base_url::ReachedAt,
    desk::{csrf::fenced, desk_session::DeskSession},
    operator::base_urls,
    problem::{Problem, Result},
    state::AppState,
};

/// Number of entries read at once.
const PART: u32 = 500;

/// Byte order mark, by which spreadsheets recognise UTF-8.
const START: &str = "\u{FEFF}time,person,action,subject,changes,from\r\n";

/// `GET /desk/audit.csv?…`: all entries that the page with the same query shows, newest first. They
/// are read in parts while they are sent, so their number is not limited.
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
    let query = AuditQuery { before: None, limit: PART, ..query };
    // The first part is read before the response begins, which has the status of an error.
    let first = part(&app.store, &Words::of(&app), &query).await?;
    let rest = Rest { app, query, next: first.1 };
    let parts = stream::try_unfold((Some(first.0), rest), |(first, rest)| async move {
        match first {
            Some(first) => Ok(Some(([START.as_bytes(), &*first].concat().into(), (None, rest)))),
            None => Ok(rest.read().await?.map(|(bytes, rest)| (bytes, (None, rest)))),
        }
    });
    let parts: stream::BoxStream<'static, std::io::Result<Bytes>> = Box::pin(parts);
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"audit.csv\""),
    ];
    Ok(fenced((headers, Body::from_stream(parts)).into_response()))
}

/// The entries that are not sent yet.
struct Rest {
    app: AppState,
    query: AuditQuery,
    next: Option<i64>,
}

impl Rest {
    async fn read(mut self) -> std::io::Result<Option<(Bytes, Self)>> {
        if self.next.is_none() {
            return Ok(None);
        }
        self.query.before = self.next;
        let words = Words::of(&self.app);
        // The response has begun, so that it can only break off.
        let read = part(&self.app.store, &words, &self.query).await;
        let (bytes, next) = read.map_err(|problem| {
            tracing::error!(problem = %problem.0.detail, "a download of the audit log was interrupted");
            std::io::Error::other("the audit log cannot be read")
        })?;
        Ok(Some((bytes.into(), Self { next, ..self })))
    }
}

/// A part of the file, and the number of the entry after which the next one begins.
async fn part(store: &Store, words: &Words, query: &AuditQuery) -> Result<(Vec<u8>, Option<i64>)> {
    let AuditPage { entries, next } = store.audit_log().entries(query).await?;
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for entry in entries {
        let AuditLine { at, who, from, what, subject, changes, .. } = words.line(entry);
        let subject = subject.map(|subject| subject.text).unwrap_or_default();
        let cells = [at, who, what, subject, changes, from];
        let cells = cells.map(|cell| formula::safe(&cell).into_owned());
        writer.write_record(cells).map_err(|error| Problem::internal(Arc::new(error)))?;
    }
    let bytes =
        writer.into_inner().map_err(|error| Problem::internal(Arc::new(error.into_error())))?;
    Ok((bytes, next))
}
