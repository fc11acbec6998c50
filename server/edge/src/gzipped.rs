//! Large responses that are kept only in compressed form. For a client that does not accept gzip, they are
//! decompressed piece by piece.

use std::io::{self, Read};

use axum::{body::Body, response::Response};
use bytes::{Buf, Bytes, buf::Reader};
use flate2::{Compression, read::GzDecoder};
use futures_util::stream;
use http::{HeaderMap, HeaderValue, header};

use super::{
    accept::takes_gzip,
    representation::{READ_CACHE, digest, entity_tag, gzip, respond},
};

/// Maximum size of a piece, in bytes.
const PIECE: usize = 64 << 10;

/// JSON that is kept compressed. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Gzipped {
    gzip: Bytes,
    /// Size of the JSON, in bytes.
    plain: usize,
    /// Weak, because both codings share it.
    etag: HeaderValue,
}

impl Gzipped {
    /// Compresses JSON. Takes some ten milliseconds per megabyte.
    pub fn json(plain: &[u8]) -> Self {
        // A panic, because an empty body would look like a valid response.
        let gzip = gzip(plain, Compression::fast());
        let gzip = gzip.unwrap_or_else(|| panic!("JSON cannot be compressed in memory"));
        // Of the compressed form, which is the same for the same JSON and a fifth of its size.
        Self { etag: entity_tag(&digest(&gzip)), gzip, plain: plain.len() }
    }

    /// Size of the JSON, in bytes.
    pub fn plain_bytes(&self) -> usize {
        self.plain
    }

    /// Size of the compressed form, in bytes.
    pub fn kept_bytes(&self) -> usize {
        self.gzip.len()
    }

    /// Response to a request with these headers: 304 if the client already has this content.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let cache_control = HeaderValue::from_static(READ_CACHE);
        respond(request, &self.etag, &cache_control, true, |headers| {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            if takes_gzip(request) {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                self.gzip.clone().into()
            } else {
                headers.insert(header::CONTENT_LENGTH, HeaderValue::from(self.plain));
                Body::from_stream(stream::iter(Pieces::of(self.gzip.clone())))
            }
        })
    }
}

/// Iterator over the decompressed pieces.
struct Pieces(GzDecoder<Reader<Bytes>>);

impl Pieces {
    fn of(gzip: Bytes) -> Self {
        Self(GzDecoder::new(gzip.reader()))
    }
}

impl Iterator for Pieces {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<io::Result<Bytes>> {
        let mut piece = Vec::with_capacity(PIECE);
        match (&mut self.0).take(PIECE as u64).read_to_end(&mut piece) {
            Ok(0) => None,
            Ok(_) => Some(Ok(piece.into())),
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn who_takes_gzip_gets_it_and_everybody_else_the_same_bytes_unpacked() {
        let plain: Vec<u8> =
            (0..PIECE * 3).map(|number| b'0' + (number * number % 10) as u8).collect();
        let packed = Gzipped::json(&plain);
        let gzip =
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static("br, gzip"))]);
        let response = packed.respond(&gzip);
        assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert!(body.len() < plain.len());
        let mut unpacked = Vec::new();
        GzDecoder::new(&body[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain);
        let response = packed.respond(&HeaderMap::new());
        assert_eq!(response.headers()[header::CONTENT_LENGTH], plain.len().to_string());
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), plain);
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, packed.etag.clone())]);
        assert_eq!(packed.respond(&known).status(), StatusCode::NOT_MODIFIED);
    }
}
