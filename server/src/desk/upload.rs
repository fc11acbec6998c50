//! Uploads of report files at the desk. An uploaded file waits until the person has looked at its
//! [preview](super::preview).

use std::io;

use axum::{
    body::Body,
    extract::{
        FromRequest, Multipart, Request, State,
        multipart::{Field, MultipartError},
    },
    response::{IntoResponse, Redirect, Response},
};
use desk::backend::Notice;
use edge::gate::BodyError;
use http::{StatusCode, header};
use kit::words::Words;
use tokio::task::spawn_blocking;

use super::{
    desk_session::DeskSession,
    functions::is_form,
    words::{imports as texts, in_english},
};
use crate::{
    base_url::ReachedAt,
    operator::base_urls,
    problem::{Code, Problem, Result},
    realm::{Realm, csrf::fenced, notice},
    site::visitors::Visitor,
    state::AppState,
};

/// Maximum length of a file name, in characters.
const MAX_NAME: usize = 256;

/// `POST /desk/upload`: keeps a file, and redirects to its preview. A script receives the URL in the body instead: it
/// would follow the redirect, and the preview would be computed twice.
pub(super) async fn upload(State(app): State<AppState>, request: Request) -> Response {
    let is_form = is_form(request.headers());
    let mut response = fenced(uploaded(app, request).await);
    if !is_form && let Some(way) = response.headers_mut().remove(header::LOCATION) {
        *response.status_mut() = StatusCode::OK;
        *response.body_mut() = Body::from(way.as_bytes().to_vec());
    }
    response
}

async fn uploaded(app: AppState, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let session = DeskSession::of_form(&app, &parts, base_url.clone()).await?;
    if !session.is_taken() {
        return Ok(Redirect::to(&base_url.link("/desk/sign-in")).into_response());
    }
    session.moderator()?;
    let words = Words::all(session.lang);
    let visitor = Visitor::of(&app.visitors, &parts);
    let form = Multipart::from_request(Request::from_parts(parts, body), &app).await;
    let mut form = form.map_err(|error| {
        let error = in_english(&words, &error.to_string());
        Problem::unsupported_media_type(words.with(texts::FORM_NOT_READ, &[("error", &error)]))
    })?;
    let kept = loop {
        let field = form.next_field().await.map_err(|error| broken(&words, &error))?;
        match field {
            None => break Err(words.text(texts::NO_FILE).to_owned()),
            Some(field) if field.name() == Some("file") => {
                let _place = visitor.upload_place().await?;
                let kept = keep(&app, session.holder(), field).await;
                break kept.map_err(|error| not_kept(&words, &error));
            }
            Some(_) => {}
        }
    };
    Ok(match kept {
        Ok(id) => Redirect::to(&base_url.link(format!("/desk/preview?id={id}"))).into_response(),
        Err(user_error) => {
            notice::lead(Realm::Desk, "/desk/imports", &Notice::UserError(user_error), &base_url)
        }
    })
}

/// The problem for a form that cannot be read completely.
fn broken(words: &Words, error: &MultipartError) -> Problem {
    match BodyError::behind(error) {
        Some(error) => error.into(),
        None => {
            let error = in_english(words, &error.to_string());
            let detail = words.with(texts::FORM_NOT_READ, &[("error", &error)]);
            Problem::new(Code::MalformedRequest, detail)
        }
    }
}

fn not_kept(words: &Words, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => words.text(texts::INCOMPLETE).to_owned(),
        _ => words.with(texts::NOT_KEPT, &[("error", &in_english(words, &error.to_string()))]),
    }
}

/// Keeps a file. Returns its id.
async fn keep(app: &AppState, holder: &str, mut field: Field<'_>) -> io::Result<String> {
    let name = field.file_name().filter(|name| !name.is_empty());
    let name = name.map(|name| name.chars().take(MAX_NAME).collect());
    let mut arriving = app.uploads.begin()?;
    while let Some(piece) = field.chunk().await.map_err(|_| io::ErrorKind::UnexpectedEof)? {
        let app = app.clone();
        arriving = spawn_blocking(move || {
            arriving.add(&app.uploads, &piece)?;
            Ok::<_, io::Error>(arriving)
        })
        .await
        .map_err(io::Error::other)??;
    }
    Ok(app.uploads.end(arriving, name, holder))
}
