//! Representations: bytes with their content type and entity tag, made once and sent to everybody who
//! asks, compressed if the client takes that.

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

/// How long a read may be reused: the data moves within a second.
pub const READ_CACHE: &str = "public, max-age=1, stale-while-revalidate=5";
/// The same where a response has something in it for one client only, such as its quota: shared caches
/// must not give it to another.
pub const PRIVATE_READ_CACHE: &str = "private, max-age=1, stale-while-revalidate=5";
/// Smaller bodies are sent as they are: the frames of a compressed one would eat what it saves.
const MIN_COMPRESSED: usize = 256;
/// Maximum size of what is compressed with the usual level of gzip, in bytes.
const MAX_USUAL: usize = 32 << 10;
/// The quality at which the next one costs more time than it saves bytes.
const BROTLI_QUALITY: i32 = 5;
/// Room for all headers of a response, those that stand around every route included.
const HEADERS: usize = 12;

/// What a resource is at a moment. Cheap to clone; clones share the compressed forms.
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

/// Compressed forms. gzip is made when the first client asks for it, fast. Brotli, which takes ten times as long and saves
/// a quarter of the bytes, is made aside once clients have asked several times; until then they get gzip. A form is `None`
/// if compressing failed, which cannot happen in memory.
#[derive(Debug, Default)]
struct Compressed {
    /// Whether each form is made at once and as small as possible.
    is_best: bool,
    /// How often brotli was asked for before it was there.
    asked: AtomicU32,
    brotli: OnceLock<Option<Bytes>>,
    gzip: OnceLock<Option<Bytes>>,
}

/// The request for brotli with which it is made.
const BROTLI_FROM: u32 = 4;

/// How many times as long as making a brotli form took the pause after it is: whatever is asked for, this takes no more
/// than a fiftieth of one core.
const BROTLI_PAUSE: u32 = 49;

/// Held while a brotli form is made, and in the pause after it.
static BROTLI: Semaphore = Semaphore::const_new(1);

impl Representation {
    pub fn json(value: &impl Serialize) -> Self {
        Self::json_of(to_json(value))
    }

    /// What is JSON already.
    pub fn json_of(body: Vec<u8>) -> Self {
        Self::new(body, "application/json")
    }

    /// Members of a JSON object, to be put into one: each by its name with its JSON.
    pub fn members(members: &[(&str, &[u8])]) -> Self {
        let mut body = Vec::new();
        for (name, value) in members {
            let comma = if body.is_empty() { "" } else { "," };
            body.extend_from_slice(format!("{comma}\"{name}\":").as_bytes());
            body.extend_from_slice(value);
        }
        Self::new(body, "application/json")
    }

    /// Lines of JSON.
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

    /// Events of a stream.
    pub fn event_stream(events: Bytes) -> Self {
        Self::new(events, "text/event-stream")
    }

    pub fn new(body: impl Into<Bytes>, content_type: &'static str) -> Self {
        Self::with_type(body.into(), HeaderValue::from_static(content_type))
    }

    /// A file; the extension of `path` decides its content type.
    pub fn file(path: &str, body: Bytes) -> Option<Self> {
        let guessed = mime_guess::from_path(path).first_or_octet_stream();
        let content_type = match guessed.type_() {
            mime_guess::mime::TEXT => format!("{guessed}; charset=utf-8"),
            _ => guessed.to_string(),
        };
        Some(Self::with_type(body, HeaderValue::from_str(&content_type).ok()?))
    }

    fn with_type(body: Bytes, content_type: HeaderValue) -> Self {
        let is_worth_it = body.len() >= MIN_COMPRESSED && is_text(&content_type);
        Self {
            etag: entity_tag(&body),
            compressed: is_worth_it.then(Arc::default),
            cache_control: HeaderValue::from_static(READ_CACHE),
            content_type,
            body,
        }
    }

    /// The same with another `Cache-Control` than [`READ_CACHE`].
    pub fn cache_control(self, cache_control: &'static str) -> Self {
        Self { cache_control: HeaderValue::from_static(cache_control), ..self }
    }

    /// The same, with the entity tag of what is alike in all representations that mean the same.
    pub fn tagged_as(self, meaning: &Self) -> Self {
        Self { etag: meaning.etag.clone(), ..self }
    }

    /// The same with forms that were compressed before; without them, it is not compressed.
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

    /// The representation compressed as small as possible, however long the first client waits.
    pub fn compressed_well(self) -> Self {
        let compressed = Compressed { is_best: true, ..Compressed::default() };
        Self { compressed: Some(Arc::new(compressed)), ..self }
    }

    /// The representation with its gzip form, if it has one, which the first client need not wait for then. Takes some
    /// ten milliseconds for a megabyte.
    pub fn gzipped(self) -> Self {
        if let Some(compressed) = &self.compressed {
            compressed.gzip(&self.body);
        }
        self
    }

    /// What it weighs in a cache that is bounded by bytes: compressed forms included, and `besides` for
    /// what is kept with it.
    pub fn weight(&self, besides: usize) -> u32 {
        let compressed = if self.compressed.is_some() { self.body.len() / 2 } else { 0 };
        u32::try_from(self.body.len() + compressed + besides).unwrap_or(u32::MAX)
    }

    /// The response to a request with these headers: 304 if the client has the same content already.
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

    /// The body as the client likes it best, and how it is coded.
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
    /// The brotli form, if it is there. If it is not, it is made once it was asked for often enough.
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
        // Pages have some kilobytes, for which the usual level takes a fraction of a millisecond.
        let level = match plain.len() {
            _ if self.is_best => Compression::best(),
            ..=MAX_USUAL => Compression::default(),
            _ => Compression::fast(),
        };
        self.gzip.get_or_init(|| gzip(plain, level)).clone()
    }
}

/// The response with this entity tag: 304 if the client has the same content already, else the body that `content` makes,
/// with the headers that it adds. `is_coded` says whether the coding depends on the client.
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

/// Whether compression makes it smaller. PNG, fonts and wasm aside, all that is served is text.
fn is_text(content_type: &HeaderValue) -> bool {
    let content_type = content_type.as_bytes();
    [&b"text/"[..], b"application/json", b"application/x-ndjson", b"image/svg", b"application/xml"]
        .iter()
        .any(|text| content_type.starts_with(text))
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

/// `None` if compressing failed, which cannot happen in memory.
pub(super) fn gzip(plain: &[u8], level: Compression) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(plain).ok()?;
    let mut packed = encoder.finish().ok()?;
    // It is kept.
    packed.shrink_to_fit();
    Some(packed.into())
}

/// A value of the model as JSON.
///
/// # Panics
/// It has a map whose keys are not strings, which no type of the model has. An empty body would look like an answer; a
/// panic becomes a problem at the [boundary](super::boundary).
pub fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|error| panic!("a value cannot be sent: {error}"))
}

/// A name of these bytes: hexadecimal digits that other bytes don't have.
pub fn digest(body: &[u8]) -> String {
    hex::encode(&Sha256::digest(body)[..12])
}

/// A weak entity tag of these bytes.
pub(super) fn entity_tag(body: &[u8]) -> HeaderValue {
    let tag = format!("W/\"{}\"", digest(body));
    // Hexadecimal digits in quotes are a valid header value.
    HeaderValue::from_str(&tag).unwrap_or_else(|_| HeaderValue::from_static("W/\"\""))
}

/// Whether `If-None-Match` names the tag (RFC 9110, 13.1.2: weak comparison).
fn is_known(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let opaque = |tag: &'_ [u8]| tag.strip_prefix(b"W/").map_or(0..tag.len(), |_| 2..tag.len());
    let ours = &etag.as_bytes()[opaque(etag.as_bytes())];
    request.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        value.as_bytes().split(|byte| *byte == b',').any(|tag| {
            let tag = tag.trim_ascii();
            tag == b"*" || &tag[opaque(tag)] == ours
        })
    })
}

/// See `fuzz.rs`: a tag that is known is in the header, if not all are.
#[cfg(test)]
pub(crate) fn fuzz(request: &HeaderMap) {
    let ours = entity_tag(b"");
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
        // Others may have their turn first.
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
