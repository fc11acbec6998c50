//! Endless responses. One is a connection and the frames that come from time to time; between two of
//! them it holds no buffers.

use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::{Buf, Bytes};
use futures_util::{Stream, StreamExt};
use http::{HeaderMap, HeaderName, Version, header, response};
use tokio::io::{self, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::wire;

/// The frames of an endless response. The stream ends when the service stops.
pub type Frames = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// How many bytes a client may send after its request. Clients of a stream have nothing to say.
const IGNORED_BYTES: usize = 4 << 10;

/// Frames on their way to the connection, in a response's extensions. What is left in there when the
/// response is dropped was not asked for, as with `HEAD`.
#[derive(Clone)]
pub(super) struct Feed(Arc<Mutex<Option<Frames>>>);

impl Feed {
    /// The frames of a response, if it has any. Its headers are then those of an endless body: the
    /// router, which doesn't know of the frames, has seen an empty one.
    pub(super) fn take_from(response: &mut Response) -> Option<Frames> {
        let feed = response.extensions_mut().remove::<Self>()?;
        response.headers_mut().remove(header::CONTENT_LENGTH);
        feed.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").finish_non_exhaustive()
    }
}

/// A response whose frames take its connection over.
pub(super) struct TakeOver {
    /// Of the request.
    pub(super) version: Version,
    pub(super) head: response::Parts,
    pub(super) frames: Frames,
}

impl fmt::Debug for TakeOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TakeOver").field("head", &self.head).finish_non_exhaustive()
    }
}

/// The response of these headers whose body is `frames`.
pub fn response(
    headers: impl IntoIterator<Item = (HeaderName, &'static str)>,
    frames: Frames,
) -> Response {
    let headers =
        headers.into_iter().map(|(name, value)| (name, http::HeaderValue::from_static(value)));
    let mut response = Body::empty().into_response();
    *response.headers_mut() = HeaderMap::from_iter(headers);
    response.extensions_mut().insert(Feed(Arc::new(Mutex::new(Some(frames)))));
    response
}

/// Sends the response, and then its frames until they end or the client is gone.
pub(super) async fn send<S>(mut socket: S, taken: TakeOver)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let TakeOver { version, head, mut frames } = taken;
    // HTTP/1.0 knows no chunks: there the end of the connection is that of the body.
    let is_chunked = version != Version::HTTP_10;
    let bytes = wire::head(version, &head, is_chunked);
    // Not kept: the map of headers is as large as all else that an open stream holds.
    drop(head);
    let sent = async {
        socket.write_all(&bytes).await?;
        drop(bytes);
        while let Some(frame) = next(&mut frames, &mut socket).await? {
            write(&mut socket, frame, is_chunked).await?;
        }
        if is_chunked {
            socket.write_all(b"0\r\n\r\n").await?;
        }
        socket.shutdown().await
    };
    if let Err(error) = sent.await {
        tracing::debug!(%error, "a stream ended early");
    }
}

/// The next frame, unless the client closes the connection first.
async fn next<S>(frames: &mut Frames, socket: &mut S) -> io::Result<Option<Bytes>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut ignored = 0;
    let mut byte = [0; 16];
    loop {
        tokio::select! {
            frame = frames.next() => return Ok(frame),
            read = socket.read(&mut byte) => match read? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => ignored += read,
            },
        }
        if ignored > IGNORED_BYTES {
            return Err(io::Error::other("the client goes on sending"));
        }
    }
}

async fn write<S>(socket: &mut S, frame: Bytes, is_chunked: bool) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    if !is_chunked {
        return socket.write_all(&frame).await;
    }
    let size = format!("{:x}\r\n", frame.len());
    let mut chunk = Buf::chain(size.as_bytes(), frame).chain(&b"\r\n"[..]);
    socket.write_all_buf(&mut chunk).await
}
