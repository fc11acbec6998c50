//! Endless responses: a connection, and frames from time to time. Between two frames, a response holds no buffers, and
//! its task is as small as possible: a service has thousands of them.

use std::{
    fmt,
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Poll, ready},
};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::{Buf, Bytes};
use futures_util::Stream;
use http::{HeaderMap, HeaderName, Version, header, response};
use tokio::io::{self, AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};

use super::{Permit, wire};

/// Frames of an endless response. The stream ends when the service stops.
pub type Frames = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// Maximum number of bytes that a client may send after its request. Clients of a stream have nothing to send.
const IGNORED_BYTES: usize = 4 << 10;

/// Frames for the connection, in a response's extensions. If they are still there when the response is dropped, they
/// were not needed, as with `HEAD`.
#[derive(Clone)]
pub(super) struct DetachedFrames(Arc<Mutex<Option<Frames>>>);

impl DetachedFrames {
    /// Takes the frames of a response, if it has any, and removes its `Content-Length`: the router has seen an empty
    /// body.
    pub(super) fn take_from(response: &mut Response) -> Option<Frames> {
        let frames = response.extensions_mut().remove::<Self>()?;
        response.headers_mut().remove(header::CONTENT_LENGTH);
        frames.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for DetachedFrames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DetachedFrames").finish_non_exhaustive()
    }
}

/// Response whose frames take over its connection.
pub(super) struct TakeOver {
    /// Version of the request.
    pub(super) version: Version,
    pub(super) head: response::Parts,
    pub(super) frames: Frames,
}

impl fmt::Debug for TakeOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TakeOver").field("head", &self.head).finish_non_exhaustive()
    }
}

/// Response with these headers whose body is `frames`.
pub fn response(
    headers: impl IntoIterator<Item = (HeaderName, &'static str)>,
    frames: Frames,
) -> Response {
    let headers =
        headers.into_iter().map(|(name, value)| (name, http::HeaderValue::from_static(value)));
    let mut response = Body::empty().into_response();
    *response.headers_mut() = HeaderMap::from_iter(headers);
    response.extensions_mut().insert(DetachedFrames(Arc::new(Mutex::new(Some(frames)))));
    response
}

/// Sends the response, and then its frames until they end or the client disconnects. The permit is held as long.
///
/// An `async fn` would have room for the socket and the frames twice: as arguments, and as variables.
pub(super) fn send<S>(
    mut socket: S,
    taken: TakeOver,
    permit: Option<Permit>,
) -> impl Future<Output = ()> + Send
where
    S: AsyncRead + AsyncWrite + Send + Unpin,
{
    let TakeOver { version, head, mut frames } = taken;
    // HTTP/1.0 has no chunks: the body ends with the connection.
    let is_chunked = version != Version::HTTP_10;
    let mut head = Bytes::from(wire::head(version, &head, is_chunked));
    async move {
        let sent = async {
            // Writes are boxed, because they are short, and each open stream would keep memory for them.
            Box::pin(socket.write_all_buf(&mut head)).await?;
            head = Bytes::new();
            while let Some(frame) = next(&mut frames, &mut socket).await? {
                Box::pin(write(&mut socket, frame, is_chunked)).await?;
            }
            Box::pin(end(&mut socket, is_chunked)).await
        };
        if let Err(error) = sent.await {
            tracing::debug!(%error, "a stream ended early");
        }
        drop(permit);
    }
}

/// Next frame, unless the client closes the connection first.
fn next<S>(
    frames: &mut Frames,
    socket: &mut S,
) -> impl Future<Output = io::Result<Option<Bytes>>> + Send
where
    S: AsyncRead + Send + Unpin,
{
    let mut ignored = 0;
    poll_fn(move |context| {
        if let Poll::Ready(frame) = frames.as_mut().poll_next(context) {
            return Poll::Ready(Ok(frame));
        }
        while ignored <= IGNORED_BYTES {
            let mut bytes = [0; 64];
            let mut read = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut *socket).poll_read(context, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
            }
            ignored += read.filled().len();
        }
        Poll::Ready(Err(io::Error::other("the client continues to send")))
    })
}

async fn write<S>(socket: &mut S, mut frame: Bytes, is_chunked: bool) -> io::Result<()>
where
    S: AsyncWrite + Unpin,
{
    if !is_chunked {
        return socket.write_all_buf(&mut frame).await;
    }
    let size = format!("{:x}\r\n", frame.len());
    let mut chunk = Buf::chain(size.as_bytes(), frame).chain(&b"\r\n"[..]);
    socket.write_all_buf(&mut chunk).await
}

async fn end<S>(socket: &mut S, is_chunked: bool) -> io::Result<()>
where
    S: AsyncWrite + Unpin,
{
    if is_chunked {
        socket.write_all(b"0\r\n\r\n").await?;
    }
    socket.shutdown().await
}
