//! Files of reports that somebody sends at the desk.

use std::{io, time::Duration};

use axum::{
    extract::{FromRequest, Multipart, Request, State, multipart::Field},
    response::{IntoResponse, Redirect, Response},
};
use bytes::Bytes;
use desk::{functions::with_trouble, work::Trouble};
use futures_util::stream;
use tokio::sync::mpsc;
use tokio_util::io::{StreamReader, SyncIoBridge};

use super::{fence::fenced, seat::Seat};
use crate::{
    http::{
        base_url::ReachedAt,
        problem::{Problem, Result},
    },
    import::{self, Job, Progress, RefusedRows},
    operator::base_urls,
    state::App,
    store::{ImportResult, Mode, Store},
};

/// How long the next bytes of a file may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Characters of a file's name.
const MAX_NAME: usize = 256;
/// Pieces of a file that wait to be imported.
const WAITING: usize = 16;

/// `POST /desk/upload`: imports a file while it arrives, and redirects to the result.
pub(super) async fn upload(State(app): State<App>, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let seat = Seat::of_form(&app, &parts, base_url.clone()).await?;
    if !seat.is_taken() {
        return Ok(fenced(Redirect::to(&base_url.link("/desk/sign-in")).into_response()));
    }
    let store = seat.moderator()?;
    let form = Multipart::from_request(Request::from_parts(parts, body), &app).await;
    let mut form =
        form.map_err(|error| Problem::invalid_json(format!("This is no form: {error}.")))?;
    let mut mode = Mode::Pending;
    let way = loop {
        let field =
            form.next_field().await.map_err(|error| Problem::invalid_json(error.to_string()))?;
        match field {
            None => break trouble("No file was sent."),
            Some(field) if field.name() == Some("approve") => mode = Mode::Approve,
            Some(field) if field.name() == Some("file") => {
                break import(&app, store, field, mode).await?;
            }
            Some(_) => {}
        }
    };
    Ok(fenced(Redirect::to(&base_url.link(way)).into_response()))
}

/// Imports a file; returns the path of the page with the result.
async fn import(app: &App, store: &Store, file: Field<'_>, mode: Mode) -> Result<String> {
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
        progress: progress.clone(),
        refused_rows: Some(refused_rows),
    };
    let importing = import::run(Some(store), job, |_| {}, |_| {});
    let ((), summary) = tokio::join!(pass_on(file, pieces), importing);
    let summary = match summary {
        Ok(summary) => summary,
        Err(import::Error::Store(error)) => return Err(error.into()),
        Err(error) => return Ok(trouble(&format!("The file cannot be imported: {error}."))),
    };
    let Some(import) = progress.import.get().copied() else {
        return Ok(trouble("There are no reports in this file."));
    };
    let rows = |count: u64| count.cast_signed();
    let result = ImportResult {
        total: rows(summary.rows),
        imported: rows(summary.imported),
        skipped: rows(summary.skipped),
        refused: rows(summary.refused),
        refused_rows: kept.take(),
    };
    store.note_import_result(import, &result).await?;
    Ok(format!("/desk/import?id={import}"))
}

/// Hands on a file while it arrives. If it breaks off, so that its last row may be incomplete, the import ends with an
/// error.
async fn pass_on(mut file: Field<'_>, pieces: mpsc::Sender<io::Result<Bytes>>) {
    loop {
        let piece = match tokio::time::timeout(PATIENCE, file.chunk()).await {
            Ok(Ok(None)) => return,
            Ok(Ok(Some(piece))) => Ok(piece),
            Ok(Err(error)) => Err(io::Error::other(error)),
            Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut)),
        };
        let is_last = piece.is_err();
        // Whoever imports has given up: there is nobody to tell.
        if pieces.send(piece).await.is_err() || is_last {
            return;
        }
    }
}

/// The file for the thread that reads it.
fn reader(arriving: mpsc::Receiver<io::Result<Bytes>>) -> impl io::Read + Send + 'static {
    let pieces =
        stream::unfold(arriving, async |mut arriving| Some((arriving.recv().await?, arriving)));
    SyncIoBridge::new(StreamReader::new(Box::pin(pieces)))
}

/// The page of imports, which says what went wrong.
fn trouble(told: &str) -> String {
    with_trouble("/desk/imports", "", &Trouble(told.to_owned()))
}
