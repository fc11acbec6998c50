//! The operator's logo, which replaces flame and drop.

use std::{io, path::Path};

use app::brand;
use bytes::Bytes;
use edge::representation::Representation;
use http::{HeaderValue, header};

use super::file::{FIXED, Incomplete, file};

/// Maximum size in bytes. A logo is shown at the size of a line of text.
const MAX_BYTES: usize = 256 << 10;
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// For an SVG that is opened as a document: its scripts would run in this origin.
const POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// The file, and its description for pages.
#[derive(Debug)]
pub(super) struct Logo {
    pub(super) described: brand::Logo,
    pub(super) file: Representation,
}

impl Logo {
    pub(super) async fn load(path: &Path) -> Result<Self, Incomplete> {
        let refused = |reason: &str| {
            Incomplete(format!("--site-logo {} cannot be used: {reason}", path.display()))
        };
        let bytes = tokio::fs::read(path).await.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refused("there is no such file"),
            _ => refused(&error.to_string()),
        })?;
        if bytes.len() > MAX_BYTES {
            return Err(refused("it has more than 256 KiB; give a smaller one"));
        }
        let (url, media_type) = match &bytes[..] {
            bytes if bytes.starts_with(PNG) => ("/logo.png", "image/png"),
            bytes if is_svg(bytes) => ("/logo.svg", "image/svg+xml"),
            _ => return Err(refused("it is neither SVG nor PNG")),
        };
        let described = brand::Logo { path: url.to_owned(), media_type };
        let file = file(url, Bytes::from(bytes), FIXED);
        let file = file.ok_or_else(|| refused("it has no media type"))?;
        Ok(Self { described, file: file.compressed_well() })
    }

    /// Returns the response with the file if `path` is the logo's.
    pub(super) fn respond(
        &self,
        path: &str,
        request: &http::HeaderMap,
    ) -> Option<axum::response::Response> {
        if path != self.described.path {
            return None;
        }
        let mut response = self.file.respond(request);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
        Some(response)
    }
}

/// Whether the text is SVG, after a byte order mark, declarations and comments.
fn is_svg(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return false };
    let start = text.trim_start_matches('\u{feff}').trim_start();
    (start.starts_with("<?xml") || start.starts_with("<!") || start.starts_with("<svg"))
        && text.contains("<svg")
        && text.contains("http://www.w3.org/2000/svg")
}
