//! Representations: bytes with their content type and entity tag, created once and sent to every client that requests
//! them, compressed if the client accepts that.

use std::{
    io::Write,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use axum::{body::Body, response::Response};
use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    task,
    time::{Instant, sleep},
};

use super::accept::{Coding, coding, takes_gzip};

/// `Cache-Control` of reads: the data changes within a second.
pub const READ_CACHE: &str = "public, max-age=1, stale-while-revalidate=5";
/// `Cache-Control` of responses with parts for one client only, such as its quota: shared caches must not send them
/// to other clients.
pub const PRIVATE_READ_CACHE: &str = "private, max-age=1, stale-while-revalidate=5";
/// Minimum size of a body that is compressed, in bytes. Below that, the overhead of the format is more than it saves.
pub(super) const MIN_COMPRESSED: usize = 256;
/// Maximum size of a body that is compressed with the default level of gzip, in bytes.
const MAX_USUAL: usize = 64 << 10;
/// Brotli quality. The next one takes more time than it saves bytes.
const BROTLI_QUALITY: i32 = 5;
/// Capacity for all headers of a response, including those of pages and those that the boundary adds. Growing the map
/// hashes all names again.
const HEADERS: usize = 16;

/// State of a resource at a moment. Cheap to clone; clones share the compressed forms.
#[derive(Clone, Debug)]
pub struct Representation {
    pub body: Bytes,
    /// Weak, because all codings share it.
    pub etag: HeaderValue,
    content_type: HeaderValue,
    cache_control: HeaderValue,
    /// `None` if the body isn't worth compressing.
    compressed: Option<Arc<Compressed>>,
}

/// Compressed forms. The gzip form is created fast, at the first request for it. Brotli takes ten times as long and
/// saves a quarter of the bytes. It is created in the background after several requests; until then, clients get
/// gzip. A form is `None` if compressing failed, which cannot happen in memory.
#[derive(Debug, Default)]
struct Compressed {
    /// Whether each form is created at its first request, and as small as possible.
    is_best: bool,
    /// Number of requests for brotli before it was there.
    asked: AtomicU32,
    brotli: OnceLock<Option<Bytes>>,
    gzip: OnceLock<Option<Bytes>>,
}

/// Number of requests after which the brotli form is created.
const BROTLI_FROM: u32 = 4;

/// Pause after a brotli form was created, as a multiple of the time it took. So brotli takes at most a fiftieth of
/// one core, for any sequence of requests.
const BROTLI_PAUSE: u32 = 49;

/// Held while a brotli form is created, and during the pause after it.
static BROTLI: Semaphore = Semaphore::const_new(1);

impl Representation {
    pub fn json(value: &impl Serialize) -> Self {
        Self::json_of(to_json(value))
    }

    /// Representation of bytes that are JSON already.
    pub fn json_of(body: Vec<u8>) -> Self {
        Self::new(body, "application/json")
    }

    /// Representation of JSON with a known [`digest`], or of one that contains the digest of all its other members.
    pub fn json_named(body: Vec<u8>, digest: &str) -> Self {
        let content_type = HeaderValue::from_static("application/json");
        Self::with_tag(body.into(), content_type, entity_tag(digest))
    }

    /// Members to be embedded in a JSON object: names with their JSON.
    pub fn members(members: &[(&str, &[u8])]) -> Self {
        let mut body = Vec::new();
        for (name, value) in members {
            let comma = if body.is_empty() { "" } else { "," };
            body.extend_from_slice(format!("{comma}\"{name}\":").as_bytes());
            body.extend_from_slice(value);
        }
        Self::new(body, "application/json")
    }

    /// Representation of lines of JSON.
    pub fn ndjson(lines: Bytes) -> Self {
        Self::new(lines, "application/x-ndjson")
    }

    pub fn html(html: Bytes) -> Self {
        Self::new(html, "text/html; charset=utf-8")
    }

    pub fn svg(svg: String) -> Self {
        Self::new(svg.into_bytes(), "image/svg+xml")
    }

    pub fn png(png: Vec<u8>) -> Self {
        Self::new(png, "image/png")
    }

    /// Representation of server-sent events.
    pub fn event_stream(events: Bytes) -> Self {
        Self::new(events, "text/event-stream")
    }

    pub fn new(body: impl Into<Bytes>, content_type: &'static str) -> Self {
        Self::with_type(body.into(), HeaderValue::from_static(content_type))
    }

    /// Representation of a file. The extension of `path` determines its content type.
    pub fn file(path: &str, body: Bytes) -> Option<Self> {
        let guessed = mime_guess::from_path(path).first_or_octet_stream();
        let content_type = match guessed.type_() {
            mime_guess::mime::TEXT => format!("{guessed}; charset=utf-8"),
            _ => guessed.to_string(),
        };
        Some(Self::with_type(body, HeaderValue::from_str(&content_type).ok()?))
    }

    fn with_type(body: Bytes, content_type: HeaderValue) -> Self {
        let etag = entity_tag(&digest(&body));
        Self::with_tag(body, content_type, etag)
    }

    fn with_tag(body: Bytes, content_type: HeaderValue, etag: HeaderValue) -> Self {
        let is_worth_it = body.len() >= MIN_COMPRESSED && is_text(&content_type);
        Self {
            etag,
            compressed: is_worth_it.then(Arc::default),
            cache_control: HeaderValue::from_static(READ_CACHE),
            content_type,
            body,
        }
    }

    /// Sets another `Cache-Control` than [`READ_CACHE`].
    pub fn cache_control(self, cache_control: &'static str) -> Self {
        Self { cache_control: HeaderValue::from_static(cache_control), ..self }
    }

    /// Sets the entity tag to that of `meaning`, which is the same for all representations with the same meaning.
    pub fn tagged_as(self, meaning: &Self) -> Self {
        Self { etag: meaning.etag.clone(), ..self }
    }

    /// Sets forms that were compressed in advance. Without any, the body is never compressed.
    pub fn precompressed(self, brotli: Option<Bytes>, gzip: Option<Bytes>) -> Self {
        let compressed = (brotli.is_some() || gzip.is_some())
            .then(|| Compressed {
                brotli: brotli.into(),
                gzip: gzip.into(),
                ..Compressed::default()
            })
            .map(Arc::new);
        Self { compressed, ..self }
    }

    /// Compresses the body as small as possible, even if the first client has to wait for that.
    pub fn compressed_well(self) -> Self {
        let compressed = Compressed { is_best: true, ..Compressed::default() };
        Self { compressed: Some(Arc::new(compressed)), ..self }
    }

    /// Creates the gzip form in advance, if the body is compressed, so that the first client need not wait. Takes
    /// some ten milliseconds per megabyte.
    pub fn gzipped(self) -> Self {
        if let Some(compressed) = &self.compressed {
            compressed.gzip(&self.body);
        }
        self
    }

    /// Weight in a cache that is bounded by bytes: includes compressed forms, and `besides` for data that is kept
    /// with it.
    pub fn weight(&self, besides: usize) -> u32 {
        let compressed = if self.compressed.is_some() { self.body.len() / 2 } else { 0 };
        u32::try_from(self.body.len() + compressed + besides).unwrap_or(u32::MAX)
    }

    /// Response to a request with these headers: 304 if the client already has this content.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let is_coded = self.compressed.is_some();
        respond(request, &self.etag, &self.cache_control, is_coded, |headers| {
            headers.insert(header::CONTENT_TYPE, self.content_type.clone());
            let (body, coding) = self.coded(request);
            if let Some(coding) = coding {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            }
            body.into()
        })
    }

    /// Body in the coding that the client prefers, and the name of the coding.
    fn coded(&self, request: &HeaderMap) -> (Bytes, Option<&'static str>) {
        if let Some(compressed) = &self.compressed {
            let form = match coding(request) {
                Coding::Brotli => match Compressed::brotli(compressed, &self.body) {
                    Some(brotli) => Some((brotli, "br")),
                    None if takes_gzip(request) => {
                        compressed.gzip(&self.body).map(|gzip| (gzip, "gzip"))
                    }
                    None => None,
                },
                Coding::Gzip => compressed.gzip(&self.body).map(|gzip| (gzip, "gzip")),
                Coding::Identity => None,
            };
            if let Some((form, coding)) = form {
                return (form, Some(coding));
            }
        }
        (self.body.clone(), None)
    }
}

impl Compressed {
    /// Brotli form, if it is there. Otherwise counts the request, and starts creating the form after enough of them.
    fn brotli(this: &Arc<Self>, plain: &Bytes) -> Option<Bytes> {
        if this.is_best {
            return this.brotli.get_or_init(|| brotli(plain, 11)).clone();
        }
        if let Some(made) = this.brotli.get() {
            return made.clone();
        }
        if this.asked.fetch_add(1, Ordering::Relaxed) % BROTLI_FROM == BROTLI_FROM - 1
            && let Ok(turn) = BROTLI.try_acquire()
        {
            tokio::spawn(Self::make_brotli(this.clone(), plain.clone(), turn));
        }
        None
    }

    async fn make_brotli(this: Arc<Self>, plain: Bytes, turn: SemaphorePermit<'static>) {
        let began = Instant::now();
        let make = move || {
            this.brotli.get_or_init(|| brotli(&plain, BROTLI_QUALITY));
        };
        if task::spawn_blocking(make).await.is_ok() {
            sleep(began.elapsed() * BROTLI_PAUSE).await;
        }
        drop(turn);
    }

    fn gzip(&self, plain: &[u8]) -> Option<Bytes> {
        // Pages have some kilobytes. For these, the default level takes a fraction of a millisecond.
        let level = match plain.len() {
            _ if self.is_best => Compression::best(),
            ..=MAX_USUAL => Compression::default(),
            _ => Compression::fast(),
        };
        self.gzip.get_or_init(|| gzip(plain, level)).clone()
    }
}

/// Response with this entity tag: 304 if the client already has the content, otherwise the body and the headers from
/// `content`. `is_coded`: whether the coding depends on the client.
pub(super) fn respond(
    request: &HeaderMap,
    etag: &HeaderValue,
    cache_control: &HeaderValue,
    is_coded: bool,
    content: impl FnOnce(&mut HeaderMap) -> Body,
) -> Response {
    let mut headers = HeaderMap::with_capacity(HEADERS);
    headers.insert(header::ETAG, etag.clone());
    headers.insert(header::CACHE_CONTROL, cache_control.clone());
    if is_coded {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    let mut response = Response::default();
    match is_known(request, etag) {
        true => *response.status_mut() = StatusCode::NOT_MODIFIED,
        false => *response.body_mut() = content(&mut headers),
    }
    *response.headers_mut() = headers;
    response
}

/// Whether compression makes the body smaller. Apart from PNG, fonts and wasm, all content is text.
fn is_text(content_type: &HeaderValue) -> bool {
    const TEXTS: [&[u8]; 7] = [
        b"text/",
        b"application/json",
        b"application/x-ndjson",
        b"image/svg",
        b"application/xml",
        b"application/atom+xml",
        b"application/feed+json",
    ];
    let content_type = content_type.as_bytes();
    TEXTS.iter().any(|text| content_type.starts_with(text))
        && !content_type.starts_with(b"text/event-stream")
}

fn brotli(plain: &[u8], quality: i32) -> Option<Bytes> {
    let size_hint = plain.len();
    let params =
        BrotliEncoderParams { quality, lgwin: 16, size_hint, ..BrotliEncoderParams::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*plain, &mut packed, &params).ok()?;
    Some(packed.into())
}

/// Compresses with gzip. `None` if that failed, which cannot happen in memory.
pub(super) fn gzip(plain: &[u8], level: Compression) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(plain).ok()?;
    let mut packed = encoder.finish().ok()?;
    // Shrunk, because it is kept.
    packed.shrink_to_fit();
    Some(packed.into())
}

/// Serialises a value of the model as JSON.
///
/// # Panics
/// If the value has a map whose keys are not strings, which no type of the model has. An empty body would look like a
/// valid response; a panic becomes a problem at the [boundary](super::boundary).
pub fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|error| panic!("a value cannot be sent: {error}"))
}

/// Name of these bytes: a prefix of their SHA-256, in hexadecimal.
pub fn digest(body: &[u8]) -> String {
    hex::encode(&Sha256::digest(body)[..12])
}

/// Weak entity tag of a body with this [`digest`].
pub(super) fn entity_tag(digest: &str) -> HeaderValue {
    let tag = format!("W/\"{digest}\"");
    // Hexadecimal digits in quotes are a valid header value.
    HeaderValue::from_str(&tag).unwrap_or_else(|_| HeaderValue::from_static("W/\"\""))
}

/// Whether `If-None-Match` names the tag (RFC 9110, 13.1.2: weak comparison).
pub(super) fn is_known(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let opaque = |tag: &'_ [u8]| tag.strip_prefix(b"W/").map_or(0..tag.len(), |_| 2..tag.len());
    let ours = &etag.as_bytes()[opaque(etag.as_bytes())];
    request.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        value.as_bytes().split(|byte| *byte == b',').any(|tag| {
            let tag = tag.trim_ascii();
            tag == b"*" || &tag[opaque(tag)] == ours
        })
    })
}

/// Fuzz target, see `fuzz.rs`: a tag matches only if the header contains it or `*`.
#[cfg(test)]
pub(crate) fn fuzz(request: &HeaderMap) {
    let ours = entity_tag(&digest(b""));
    let opaque = ours.to_str().unwrap_or_default().trim_start_matches("W/");
    let named = |value: &HeaderValue| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        value.contains(opaque) || value.contains('*')
    };
    let is_named = request.get_all(header::IF_NONE_MATCH).iter().any(named);
    assert!(is_named || !is_known(request, &ours));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn request(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    fn names(response: &Response) -> Vec<&str> {
        response.headers().keys().map(header::HeaderName::as_str).collect()
    }

    #[test]
    fn a_compressed_form_is_made_once_and_shared_by_clones() {
        let page = Representation::html(Bytes::from(vec![b'a'; 5_000]));
        let clone = page.clone();
        let gzip = request(header::ACCEPT_ENCODING, "gzip");
        let (one, coding) = page.coded(&gzip);
        let (other, _) = clone.coded(&gzip);
        assert_eq!((coding, one.len() < 100), (Some("gzip"), true));
        assert_eq!(one.as_ptr(), other.as_ptr());
    }

    #[tokio::test]
    async fn brotli_is_made_aside_once_it_was_asked_for_several_times() {
        let page = Representation::html(Bytes::from(vec![b'a'; 5_000]));
        let (both, alone) = ("br, gzip", "br");
        let [both, alone] = [both, alone].map(|codings| request(header::ACCEPT_ENCODING, codings));
        assert_eq!(page.coded(&both).1, Some("gzip"));
        assert_eq!(page.coded(&alone), (page.body.clone(), None));
        // Other brotli forms may be created first.
        while page.coded(&both).1 != Some("br") {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(page.coded(&alone).1, Some("br"));
    }

    #[test]
    fn what_is_short_or_packed_already_is_sent_as_it_is() {
        let takes_all = request(header::ACCEPT_ENCODING, "br, gzip");
        let long = vec![b'a'; 5_000];
        for plain in [
            Representation::json(&"short"),
            Representation::png(long.clone()),
            Representation::event_stream(long.clone().into()),
        ] {
            assert_eq!(plain.coded(&takes_all), (plain.body.clone(), None));
            assert_eq!(
                names(&plain.respond(&takes_all)),
                ["etag", "cache-control", "content-type"]
            );
        }
    }

    #[test]
    fn not_modified_says_what_caches_have_to_know_and_no_more() {
        let page = Representation::html(Bytes::from(vec![b'a'; 5_000])).cache_control("no-cache");
        let tag = page.etag.to_str().unwrap();
        let strong = tag.trim_start_matches("W/");
        for known in [tag, strong, &format!("\"x\" , {tag}"), "*"] {
            let known = HeaderValue::from_str(known).unwrap();
            let request = HeaderMap::from_iter([(header::IF_NONE_MATCH, known)]);
            let response = page.respond(&request);
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
            assert_eq!(names(&response), ["etag", "cache-control", "vary"]);
        }
        for other in ["\"x\"", "", "W/", "\"\""] {
            let request = request(header::IF_NONE_MATCH, other);
            assert_eq!(page.respond(&request).status(), StatusCode::OK, "{other}");
        }
    }
}
