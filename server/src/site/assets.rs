//! The site: scripts, wasm and stylesheets under `/assets/…`, and the few files with a fixed name. A
//! release embeds what `scripts/site` built ([embedded]); a debug build reads the sources and the
//! output of cargo-leptos from disk ([disk]).

mod loader;

#[cfg(not(debug_assertions))]
mod embedded;
#[cfg(not(debug_assertions))]
use embedded as source;

#[cfg(debug_assertions)]
mod disk;
#[cfg(debug_assertions)]
use disk as source;

use std::{io::Write, sync::Arc};

use app::shell::Assets;
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::{
    http::{
        problem::{Problem, Result},
        representation::{entity_tag, is_known},
    },
    site::pages::{not_found, without_slash},
    state::App,
};

/// For files with a fixed name: cached for an hour, then revalidated.
const FIXED: &str = "public, max-age=3600, stale-while-revalidate=86400";
/// For files that are named after their content.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

const LOADER: &str = "/embed.js";
/// The released versions of the loader, the newest first.
const RELEASES: &str = "/embed.json";

/// The files, and their URLs for pages.
#[derive(Debug)]
pub struct Site {
    pub assets: Arc<Assets>,
    files: source::Files,
    /// `embed.js` with the list of widgets.
    loader: File,
}

/// The site is missing or incomplete.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Incomplete(String);

impl Site {
    pub fn load() -> Result<Self, Incomplete> {
        let (mut assets, files) = source::load()?;
        let newest = files.get(RELEASES).and_then(|file| loader::newest(&file.plain));
        assets.loader =
            newest.ok_or_else(|| Incomplete("embed.json names no released loader".to_owned()))?;
        let script = files.get(LOADER).and_then(|file| loader::with_widgets(&file.plain));
        let loader = script.and_then(|script| File::new(LOADER, script.into()));
        let loader = loader
            .ok_or_else(|| Incomplete("embed.js has no placeholder for the widgets".to_owned()))?;
        Ok(Self { assets: Arc::new(assets), files, loader: loader.compressed() })
    }

    /// The response with the file at a URL path, if there is one.
    fn respond(&self, path: &str, request: &HeaderMap, cache: &'static str) -> Option<Response> {
        if path == LOADER {
            return Some(self.loader.respond(request, cache));
        }
        Some(self.files.get(path)?.respond(request, cache))
    }
}

#[derive(Clone, Debug)]
struct File {
    plain: Bytes,
    br: Option<Bytes>,
    gz: Option<Bytes>,
    content_type: HeaderValue,
    etag: HeaderValue,
}

impl File {
    /// The extension of `path` decides the content type.
    fn new(path: &str, plain: Bytes) -> Option<Self> {
        let guessed = mime_guess::from_path(path).first_or_octet_stream();
        let content_type = match guessed.type_() {
            mime_guess::mime::TEXT => format!("{guessed}; charset=utf-8"),
            _ => guessed.to_string(),
        };
        Some(Self {
            br: None,
            gz: None,
            etag: entity_tag(&plain),
            plain,
            content_type: HeaderValue::from_str(&content_type).ok()?,
        })
    }

    /// Adds the compressed forms, as small as possible.
    fn compressed(self) -> Self {
        Self { br: brotli(&self.plain), gz: gzip(&self.plain), ..self }
    }

    fn respond(&self, request: &HeaderMap, cache: &'static str) -> Response {
        let (body, encoding) = match (&self.br, &self.gz) {
            (Some(br), _) if accepts(request, "br") => (br, Some("br")),
            (_, Some(gz)) if accepts(request, "gzip") => (gz, Some("gzip")),
            _ => (&self.plain, None),
        };
        let mut response = if is_known(request, &self.etag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Response::new(body.clone().into())
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}

/// `None` if compressing fails, which cannot happen in memory.
fn brotli(plain: &[u8]) -> Option<Bytes> {
    let params = BrotliEncoderParams {
        quality: 11,
        lgwin: 16,
        size_hint: plain.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*plain, &mut packed, &params).ok()?;
    Some(packed.into())
}

fn gzip(plain: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).ok()?;
    Some(encoder.finish().ok()?.into())
}

/// Whether the request accepts a content coding: it names it, and not with a weight of zero.
fn accepts(request: &HeaderMap, coding: &str) -> bool {
    let values = request.get_all(header::ACCEPT_ENCODING).iter();
    values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, ""));
        let refused = weight
            .trim()
            .strip_prefix("q=")
            .is_some_and(|weight| weight.trim_end_matches(['0', '.']).is_empty());
        name.trim().eq_ignore_ascii_case(coding) && !refused
    })
}

/// `GET /assets/…`
pub async fn asset(State(app): State<App>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    match app.site.respond(request.uri.path(), &request.headers, source::ASSETS) {
        Some(response) => response,
        None => not_found(&app, &request).await,
    }
}

/// `GET /embed.js`, `/favicon.svg` and whatever else has a fixed name; otherwise the response for an
/// unknown path.
pub async fn fixed_file(State(app): State<App>, request: Request) -> Result<Response> {
    let (request, _) = request.into_parts();
    let (path, method) = (request.uri.path(), &request.method);
    let is_release = loader::is_release(path);
    match app.site.respond(path, &request.headers, if is_release { IMMUTABLE } else { FIXED }) {
        Some(response) if method == Method::GET || method == Method::HEAD => Ok(response),
        Some(_) => Err(Problem::method_not_allowed(format!("{path} has only GET."))),
        None if is_release => Err(Problem::not_found(
            "There is no such version of the loader. /embed.json lists those there are.",
        )),
        None => match without_slash(&app, &request.uri) {
            Some(redirect) => Ok(redirect),
            None => Ok(not_found(&app, &request).await),
        },
    }
}
