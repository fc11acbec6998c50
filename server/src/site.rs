//! The built site inside the binary: scripts, wasm and styles under `/assets/…`, named by their
//! content, and the few files with a fixed name. `scripts/site` builds it and compresses every file;
//! a debug build reads it from `target/site` instead.

mod loader;

use std::{collections::HashMap, io::Write, sync::Arc};

use app::shell::Assets;
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use rust_embed::RustEmbed;

use crate::{
    answer::{entity_tag, is_known},
    error::{Problem, Result},
    router::not_found,
    state::App,
};

/// For what is named by its content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// For what keeps its name: asked again after an hour, and answered 304 where it is the same.
const FIXED: &str = "public, max-age=3600, stale-while-revalidate=86400";

const LOADER: &str = "/embed.js";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

#[derive(RustEmbed)]
#[folder = "../target/site"]
#[allow_missing = true]
struct Embedded;

/// The files, by URL path.
#[derive(Debug)]
pub struct Site {
    pub assets: Arc<Assets>,
    files: HashMap<String, File>,
}

#[derive(Debug)]
struct File {
    plain: Bytes,
    br: Option<Bytes>,
    gz: Option<Bytes>,
    content_type: HeaderValue,
    etag: HeaderValue,
}

/// The site is not in the binary, or not whole.
#[derive(Debug, thiserror::Error)]
#[error("this binary was built without its site ({0}): build it with `make build`")]
pub struct Incomplete(String);

impl Site {
    /// Reads what the binary carries.
    pub fn load() -> Result<Self, Incomplete> {
        let manifest = Embedded::get("manifest.json")
            .ok_or_else(|| Incomplete("no manifest.json".to_owned()))?;
        let assets = serde_json::from_slice(&manifest.data)
            .map_err(|error| Incomplete(format!("manifest.json: {error}")))?;
        let mut files = HashMap::new();
        for path in Embedded::iter() {
            let url = match path.strip_prefix("root") {
                Some(url) => url.to_owned(),
                None if path.starts_with("assets/") => format!("/{path}"),
                None => continue,
            };
            if !url.ends_with(".br")
                && !url.ends_with(".gz")
                && let Some(file) = File::load(&path)
            {
                files.insert(url, file);
            }
        }
        let script = files.get(LOADER).and_then(|file| loader::with_widgets(&file.plain));
        let script = script.ok_or_else(|| Incomplete("embed.js asks for no widgets".to_owned()))?;
        files.insert(LOADER.to_owned(), File::text(script, HeaderValue::from_static(JAVASCRIPT)));
        Ok(Self { assets, files })
    }

    fn respond(&self, path: &str, request: &HeaderMap, cache: &'static str) -> Option<Response> {
        Some(self.files.get(path)?.respond(request, cache))
    }
}

impl File {
    fn load(path: &str) -> Option<Self> {
        let bytes = |path: &str| {
            Embedded::get(path).map(|file| match file.data {
                std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
            })
        };
        let plain = bytes(path)?;
        let guessed = mime_guess::from_path(path).first_or_octet_stream();
        let content_type = match guessed.type_() {
            mime_guess::mime::TEXT => format!("{guessed}; charset=utf-8"),
            _ => guessed.to_string(),
        };
        Some(Self {
            br: bytes(&format!("{path}.br")),
            gz: bytes(&format!("{path}.gz")),
            etag: entity_tag(&plain),
            plain,
            content_type: HeaderValue::from_str(&content_type).ok()?,
        })
    }

    /// A file that was made at the start.
    fn text(text: String, content_type: HeaderValue) -> Self {
        let plain = Bytes::from(text);
        Self { br: brotli(&plain), gz: gzip(&plain), etag: entity_tag(&plain), plain, content_type }
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

/// As well as it can be done. Nothing where it fails, which writing to memory does not.
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

/// Whether the request takes a content coding: named, and not with a weight of zero.
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
pub async fn asset(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response> {
    match app.site.respond(uri.path(), &headers, FOR_EVER) {
        Some(response) => Ok(response),
        None => Err(not_found(uri).await),
    }
}

/// `GET /embed.js`, `/favicon.svg` and whatever else has a fixed name; else the answer to a path
/// that leads nowhere.
pub async fn fixed_file(
    State(app): State<App>,
    uri: Uri,
    method: Method,
    headers: HeaderMap,
) -> Result<Response> {
    match app.site.respond(uri.path(), &headers, FIXED) {
        Some(response) if method == Method::GET || method == Method::HEAD => Ok(response),
        Some(_) => Err(Problem::method_not_allowed(format!("{} has only GET.", uri.path()))),
        None => Err(not_found(uri).await),
    }
}
