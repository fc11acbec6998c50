//! Uploads of report files at the desk.

use std::io;

use axum::{
    extract::{
        FromRequest, Multipart, Request, State,
        multipart::{Field, MultipartError},
    },
    response::{IntoResponse, Redirect, Response},
};
use bytes::Bytes;
use desk::backend::Notice;
use domain::import_id::ImportId;
use edge::gate::BodyError;
use futures_util::stream;
use import::{self, Job, Progress, RefusedRows};
use store::{ImportResult, Mode, Store};
use tokio::sync::mpsc;
use tokio_util::io::{StreamReader, SyncIoBridge};

use super::{csrf::fenced, desk_session::DeskSession, notice};
use crate::{
    base_url::ReachedAt,
    operator::base_urls,
    problem::{Code, Problem, Result},
    site::visitors::Visitor,
    state::AppState,
};

/// Maximum length of a file name, in characters.
const MAX_NAME: usize = 256;
/// Maximum number of chunks of a file that wait to be imported.
const WAITING: usize = 16;

/// `POST /desk/upload`: imports a file while it arrives, and redirects to the result.
pub(super) async fn upload(State(app): State<AppState>, request: Request) -> Response {
    fenced(uploaded(app, request).await)
}

async fn uploaded(app: AppState, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let session = DeskSession::of_form(&app, &parts, base_url.clone()).await?;
    if !session.is_taken() {
        return Ok(Redirect::to(&base_url.link("/desk/sign-in")).into_response());
    }
    let store = session.moderator()?;
    let visitor = Visitor::of(&app.visitors, &parts);
    let form = Multipart::from_request(Request::from_parts(parts, body), &app).await;
    let mut form = form.map_err(|error| {
        Problem::unsupported_media_type(format!("The form cannot be read: {error}."))
    })?;
    let mut mode = Mode::Pending;
    let imported = loop {
        let field = form.next_field().await.map_err(|error| broken(&error))?;
        match field {
            None => break Err("No file was sent.".to_owned()),
            Some(field) if field.name() == Some("approve") => mode = Mode::Approve,
            Some(field) if field.name() == Some("file") => {
                let _place = visitor.upload_place().await?;
                break import(&app, store, field, mode).await?;
            }
            Some(_) => {}
        }
    };
    Ok(match imported {
        Ok(id) => Redirect::to(&base_url.link(format!("/desk/import?id={id}"))).into_response(),
        Err(user_error) => notice::lead("/desk/imports", &Notice::UserError(user_error), &base_url),
    })
}

/// The problem for a form that cannot be read completely.
fn broken(error: &MultipartError) -> Problem {
    match BodyError::behind(error) {
        Some(error) => error.into(),
        None => Problem::new(Code::MalformedRequest, format!("The form cannot be read: {error}.")),
    }
}

/// Imports a file. Returns the id of the import, or the problem with the file.
async fn import(
    app: &AppState,
    store: &Store,
    file: Field<'_>,
    mode: Mode,
) -> Result<std::result::Result<ImportId, String>> {
    let name = file.file_name().filter(|name| !name.is_empty());
    let name = name.map(|name| name.chars().take(MAX_NAME).collect());
    let (pieces, arriving) = mpsc::channel(WAITING);
    let (refused_rows, kept) = RefusedRows::kept();
    let progress = Progress::default();
    let job = Job {
        input: reader(arriving),
        file: name,
        format: None,
        mode,
        sort_in: None,
        clock: app.clock.clone(),
        max_window: import::HTTP_WINDOW,
        progress: progress.clone(),
        refused_rows: Some(refused_rows),
    };
    let importing = import::run(Some(store), job, |_| {}, |_| {});
    let ((), summary) = tokio::join!(pass_on(file, pieces), importing);
    let summary = match summary {
        Ok(summary) => summary,
        Err(import::Error::Store(error)) => return Err(error.into()),
        Err(error) => return Ok(Err(format!("The file cannot be imported: {error}."))),
    };
    let Some(import) = progress.import.get().copied() else {
        return Ok(Err("There are no reports in this file.".to_owned()));
    };
    let rows = |count: u64| count.cast_signed();
    let result = ImportResult {
        total: rows(summary.rows),
        imported: rows(summary.imported),
        skipped: rows(summary.skipped),
        refused: rows(summary.refused),
        refused_rows: kept.take(),
    };
    store.reports().note_import_result(import, &result).await?;
    Ok(Ok(import))
}

/// Forwards the chunks of a file. If the upload breaks off, its last row may be incomplete, so the
/// import ends with an error.
async fn pass_on(mut file: Field<'_>, pieces: mpsc::Sender<io::Result<Bytes>>) {
    loop {
        let piece = match file.chunk().await {
            Ok(None) => return,
            Ok(Some(piece)) => Ok(piece),
            Err(error) => Err(io::Error::other(error)),
        };
        let is_last = piece.is_err();
        // The import has stopped and closed the channel.
        if pieces.send(piece).await.is_err() || is_last {
            return;
        }
    }
}

/// The file as a reader for the importing thread.
fn reader(arriving: mpsc::Receiver<io::Result<Bytes>>) -> impl io::Read + Send + 'static {
    let pieces =
        stream::unfold(arriving, async |mut arriving| Some((arriving.recv().await?, arriving)));
    SyncIoBridge::new(StreamReader::new(Box::pin(pieces)))
}
