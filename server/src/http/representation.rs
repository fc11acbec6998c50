//! Answers: bytes with their entity tag, made once and given to everybody who asks.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// How long a read may be reused: the data moves within a second.
pub const READ_CACHE: &str = "public, max-age=1, stale-while-revalidate=5";
const JSON: &str = "application/json";
const HTML: &str = "text/html; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// A body with what identifies it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub body: Bytes,
    /// Weak, because a proxy or this server may send the same content compressed.
    pub etag: HeaderValue,
    content_type: HeaderValue,
}

impl Answer {
    /// A JSON answer.
    pub fn json(value: &impl Serialize) -> Self {
        Self::new(to_json(value), JSON)
    }

    /// Members of a JSON object, to be put into one: each by its name with its JSON.
    pub fn members(members: &[(&str, &[u8])]) -> Self {
        let mut body = Vec::new();
        for (name, value) in members {
            let comma = if body.is_empty() { "" } else { "," };
            body.extend_from_slice(format!("{comma}\"{name}\":").as_bytes());
            body.extend_from_slice(value);
        }
        Self::new(body, JSON)
    }

    /// Lines of JSON.
    pub fn ndjson(lines: Bytes) -> Self {
        Self::new(lines, "application/x-ndjson")
    }

    /// A page.
    pub fn html(html: Bytes) -> Self {
        Self::new(html, HTML)
    }

    /// A picture of shapes.
    pub fn svg(svg: String) -> Self {
        Self::new(svg.into_bytes(), SVG)
    }

    /// A picture of pixels.
    pub fn png(png: Vec<u8>) -> Self {
        Self::new(png, PNG)
    }

    /// Events of a stream.
    pub fn event_stream(events: Bytes) -> Self {
        Self::new(events, "text/event-stream")
    }

    fn new(body: impl Into<Bytes>, content_type: &'static str) -> Self {
        let body = body.into();
        let etag = entity_tag(&body);
        Self { body, etag, content_type: HeaderValue::from_static(content_type) }
    }

    /// The response to a request with these headers: 304 where it has the same content already.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let mut response = if is_known(request, &self.etag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let mut response = Response::new(self.body.clone().into());
            response.headers_mut().insert(header::CONTENT_TYPE, self.content_type.clone());
            response
        };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(READ_CACHE));
        response
    }
}

/// A value of the model as JSON. The model has no maps with keys that are not strings, the one thing
/// that could fail.
pub(crate) fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

/// A weak entity tag of these bytes.
pub(crate) fn entity_tag(body: &[u8]) -> HeaderValue {
    let tag = format!("W/\"{}\"", hex::encode(&Sha256::digest(body)[..12]));
    // Hexadecimal digits in quotes are a valid header value.
    HeaderValue::from_str(&tag).unwrap_or_else(|_| HeaderValue::from_static("W/\"\""))
}

/// Whether `If-None-Match` names the tag (RFC 9110, 13.1.2: weak comparison).
pub(crate) fn is_known(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let opaque = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
    let ours = opaque(etag.as_bytes());
    request.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        value.as_bytes().split(|byte| *byte == b',').any(|tag| {
            let tag = tag.trim_ascii();
            tag == b"*" || opaque(tag) == ours
        })
    })
}
