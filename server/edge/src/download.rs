//! Files that are produced while they are sent: too large to be kept, compressed on the way, and never cut short
//! silently. A file whose production fails breaks the connection off, so that the client sees an incomplete response.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use futures_util::stream;
use http::{HeaderMap, HeaderValue, header};
use tokio::sync::mpsc;

use super::{
    accept::{Coding, coding, takes_gzip},
    representation::{self, READ_CACHE},
};

/// Number of parts that wait for the client.
const WAITING: usize = 2;

/// Head of the response with a file.
#[derive(Clone, Debug)]
pub struct Download {
    pub etag: HeaderValue,
    pub content_type: &'static str,
    /// Name under which browsers save the file: plain ASCII without quotes.
    pub file_name: String,
}

/// Producer's side of a file.
#[derive(Debug)]
pub struct Parts {
    sent: mpsc::Sender<Bytes>,
    is_complete: Arc<AtomicBool>,
}

/// Error: the client is gone.
#[derive(Clone, Copy, Debug)]
pub struct Gone;

/// Compression of a file, part by part.
#[derive(Debug)]
pub struct Packer(Option<GzEncoder<Vec<u8>>>);

impl Download {
    /// Weak entity tag of a file that is determined by `meaning`.
    pub fn tag(meaning: &str) -> HeaderValue {
        representation::entity_tag(&representation::digest(meaning.as_bytes()))
    }

    /// Whether the client of this request already has the file.
    pub fn is_known(etag: &HeaderValue, request: &HeaderMap) -> bool {
        representation::is_known(request, etag)
    }

    /// Response to a request with these headers: 304 if the client already has the file, else its head and, unless
    /// `body` is `None` because only the head was requested, the body.
    pub fn respond(self, request: &HeaderMap, body: Option<Body>) -> Response {
        let Self { etag, content_type, file_name } = self;
        let cache_control = HeaderValue::from_static(READ_CACHE);
        let mut response =
            representation::respond(request, &etag, &cache_control, true, |headers| {
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
                let disposition =
                    HeaderValue::try_from(format!("attachment; filename=\"{file_name}\""));
                headers.extend(disposition.ok().map(|value| (header::CONTENT_DISPOSITION, value)));
                if is_packed(request) {
                    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                }
                // A stream without a length: a length of 0 would be wrong for HEAD.
                body.unwrap_or_else(|| Body::from_stream(stream::empty::<io::Result<Bytes>>()))
            });
        let name = "x-robots-tag";
        response.headers_mut().insert(name, HeaderValue::from_static("noindex"));
        response
    }
}

/// Whether the file is compressed for this client. Only gzip, because a file is made once for each client: the fastest
/// brotli that is smaller saves a tenth of the bytes, and takes a quarter more time.
fn is_packed(request: &HeaderMap) -> bool {
    coding(request) != Coding::Identity && takes_gzip(request)
}

impl Packer {
    /// Compression that suits the client of a request.
    pub fn of(request: &HeaderMap) -> Self {
        let encoder = || GzEncoder::new(Vec::new(), Compression::fast());
        Self(is_packed(request).then(encoder))
    }

    /// Packs a part. The result may be empty.
    ///
    /// # Errors
    /// None: everything is in memory.
    pub fn pack(&mut self, plain: Vec<u8>) -> io::Result<Bytes> {
        let Some(encoder) = &mut self.0 else { return Ok(plain.into()) };
        encoder.write_all(&plain)?;
        Ok(std::mem::take(encoder.get_mut()).into())
    }

    /// Returns the end of the compressed file.
    ///
    /// # Errors
    /// None: everything is in memory.
    pub fn finish(&mut self) -> io::Result<Bytes> {
        match self.0.take() {
            Some(encoder) => Ok(encoder.finish()?.into()),
            None => Ok(Bytes::new()),
        }
    }
}

impl Parts {
    /// Makes a file and the body that sends its parts. If the value is dropped before [`end`](Self::end), the body
    /// fails.
    pub fn new() -> (Self, Body) {
        let (sent, mut received) = mpsc::channel(WAITING);
        let is_complete = Arc::new(AtomicBool::new(false));
        let ended = is_complete.clone();
        let parts = stream::poll_fn(move |context| {
            received.poll_recv(context).map(|part| match part {
                Some(part) => Some(Ok(part)),
                None if ended.load(Ordering::Acquire) => None,
                None => Some(Err(io::Error::other("the file is incomplete"))),
            })
        });
        (Self { sent, is_complete }, Body::from_stream(parts))
    }

    /// Sends a part when the client has read enough of those before it.
    ///
    /// # Errors
    /// The client is gone.
    pub async fn send(&self, part: Bytes) -> Result<(), Gone> {
        if part.is_empty() {
            return Ok(());
        }
        self.sent.send(part).await.map_err(|_| Gone)
    }

    /// Ends the file.
    pub fn end(self) {
        self.is_complete.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn a_file_that_is_not_ended_fails_after_its_parts() {
        let (parts, body) = Parts::new();
        parts.send(Bytes::from_static(b"a")).await.unwrap();
        drop(parts);
        assert!(body.collect().await.is_err());
        let (parts, body) = Parts::new();
        parts.send(Bytes::from_static(b"a")).await.unwrap();
        parts.send(Bytes::new()).await.unwrap();
        parts.send(Bytes::from_static(b"b")).await.unwrap();
        parts.end();
        assert_eq!(body.collect().await.unwrap().to_bytes(), "ab");
        let (parts, body) = Parts::new();
        drop(body);
        assert!(parts.send(Bytes::from_static(b"a")).await.is_err());
    }

    #[test]
    fn packed_parts_are_one_gzip_file() {
        let accepted = |value| HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]);
        let gzip = accepted(HeaderValue::from_static("br, gzip"));
        let mut packer = Packer::of(&gzip);
        let mut packed = Vec::new();
        for part in [vec![b'a'; 100_000], vec![b'b'; 100_000]] {
            packed.extend_from_slice(&packer.pack(part).unwrap());
        }
        packed.extend_from_slice(&packer.finish().unwrap());
        let mut plain = Vec::new();
        GzDecoder::new(&packed[..]).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, [vec![b'a'; 100_000], vec![b'b'; 100_000]].concat());
        let mut packer = Packer::of(&accepted(HeaderValue::from_static("br")));
        assert_eq!(packer.pack(b"plain".to_vec()).unwrap(), "plain");
        assert!(packer.finish().unwrap().is_empty());
    }
}
