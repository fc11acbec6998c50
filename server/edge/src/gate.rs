//! Gate of each route: the quota that its requests count against, and the maximum size and time of a body.
//! [`Routes`](super::routes::Routes) accepts no route without a gate, and the [boundary](super::boundary) passes
//! handlers only bodies within these bounds.

use std::{
    error::Error,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::body::{Body, Bytes, HttpBody};
use base::causes::causes;
use http::Request;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Sleep, sleep};

/// Maximum time until a body has arrived, from the end of its request's head.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time between two pieces of a body that is handled while it arrives.
pub const PIECE_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum size of most bodies, in bytes.
const MAX_BODY_BYTES: usize = 16 << 10;

/// Bounds of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Name of the quota that requests count against. For lists of routes only: handlers do the counting.
    pub charge: &'static str,
    pub body: BodyLimit,
}

/// Bounds of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyLimit {
    /// No body: handlers see an empty one.
    None,
    /// At most so many bytes, within [`BODY_TIMEOUT`].
    Bytes(usize),
    /// Any number of bytes, with at most [`PIECE_TIMEOUT`] between two pieces.
    Streamed,
}

impl Gate {
    /// Gate for requests without a body.
    pub const fn charging(charge: &'static str) -> Self {
        Self { charge, body: BodyLimit::None }
    }

    /// Gate for requests with a body of the usual size.
    pub const fn with_body(self) -> Self {
        self.up_to(MAX_BODY_BYTES)
    }

    /// Gate for requests with a body of at most so many bytes.
    pub const fn up_to(self, bytes: usize) -> Self {
        Self { body: BodyLimit::Bytes(bytes), ..self }
    }

    /// Gate for requests with a body that is handled while it arrives.
    pub const fn streamed(self) -> Self {
        Self { body: BodyLimit::Streamed, ..self }
    }
}

impl BodyLimit {
    /// Request with a body that is limited to these bounds.
    pub(super) fn bounded(self, request: Request<Body>) -> Request<Body> {
        self.bounded_in_time(request, (BODY_TIMEOUT, PIECE_TIMEOUT))
    }

    fn bounded_in_time(
        self,
        request: Request<Body>,
        (whole, piece): (Duration, Duration),
    ) -> Request<Body> {
        if request.body().is_end_stream() {
            return request;
        }
        request.map(|body| match self {
            BodyLimit::None => Body::empty(),
            BodyLimit::Bytes(max) => {
                let timer = Some(Box::pin(sleep(whole)));
                Body::new(Bounded { body, max, left: max, timer, piece: None })
            }
            BodyLimit::Streamed => {
                let max = usize::MAX;
                Body::new(Bounded { body, max, left: max, timer: None, piece: Some(piece) })
            }
        })
    }
}

/// Reason for which a body cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    #[error("The body is larger than {0} bytes.")]
    TooLarge(usize),
    #[error("The body did not arrive within {} seconds.", BODY_TIMEOUT.as_secs())]
    TooSlow,
    #[error("No more of the body arrived within {} seconds.", PIECE_TIMEOUT.as_secs())]
    Stalled,
    #[error("The body ended before it was complete.")]
    Incomplete(#[source] axum::Error),
}

impl BodyError {
    /// Returns the body's error behind an error of the code that read it.
    pub fn behind<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Self> {
        causes(error).find_map(|error| error.downcast_ref())
    }
}

/// Reads a body to its end.
///
/// # Errors
/// The body is larger or slower than the gate allows, or incomplete.
pub async fn whole(body: Body) -> Result<Bytes, BodyError> {
    match body.collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) => Err(unread(error)),
    }
}

/// Reads a body of at most `max` bytes to its end.
///
/// # Errors
/// Like [`whole`], and [`BodyError::TooLarge`].
pub async fn up_to(mut body: Body, max: usize) -> Result<Bytes, BodyError> {
    let mut read = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(unread)?.into_data() else { continue };
        if data.len() > max - read.len() {
            return Err(BodyError::TooLarge(max));
        }
        read.extend_from_slice(&data);
    }
    Ok(read.into())
}

/// Returns the reason why a limited body could not be read.
fn unread(error: axum::Error) -> BodyError {
    match error.into_inner().downcast() {
        Ok(error) => *error,
        Err(error) => BodyError::Incomplete(axum::Error::new(error)),
    }
}

/// Body within bounds. Beyond them, it ends with a [`BodyError`].
struct Bounded {
    body: Body,
    max: usize,
    left: usize,
    /// Deadline of the body, or of its next piece.
    timer: Option<Pin<Box<Sleep>>>,
    /// Timeout of the next piece, if each piece has one.
    piece: Option<Duration>,
}

impl HttpBody for Bounded {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        // By the announced length, before any data is read.
        if self.body.size_hint().lower() > self.left as u64 {
            return Poll::Ready(Some(Err(BodyError::TooLarge(self.max))));
        }
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                if self.piece.is_some() {
                    self.timer = None;
                }
                let length = frame.data_ref().map_or(0, Bytes::len);
                match self.left.checked_sub(length) {
                    Some(left) => self.left = left,
                    None => return Poll::Ready(Some(Err(BodyError::TooLarge(self.max)))),
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(BodyError::Incomplete(error)))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => {
                let piece = self.piece;
                if let (None, Some(piece)) = (&self.timer, piece) {
                    self.timer = Some(Box::pin(sleep(piece)));
                }
                let Some(timer) = &mut self.timer else { return Poll::Pending };
                ready!(timer.as_mut().poll(context));
                Poll::Ready(Some(Err(match piece {
                    Some(_) => BodyError::Stalled,
                    None => BodyError::TooSlow,
                })))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::{StreamExt, stream};

    use super::*;

    const GATE: Gate = Gate::charging("request").up_to(10);

    /// Timeouts for the whole body, and for a piece of a streamed one.
    const TIMES: (Duration, Duration) = (Duration::from_millis(300), Duration::from_millis(300));

    async fn read(gate: Gate, body: Body) -> Result<Bytes, String> {
        let request = gate.body.bounded_in_time(Request::new(body), TIMES);
        whole(request.into_body()).await.map_err(|error| error.to_string())
    }

    fn refused<T>(error: BodyError) -> Result<T, String> {
        Err(error.to_string())
    }

    fn pieces(pieces: &'static [&'static str]) -> Body {
        Body::from_stream(stream::iter(pieces).map(|piece| Ok::<_, Infallible>(*piece)))
    }

    #[tokio::test]
    async fn a_body_may_have_as_many_bytes_as_the_gate_allows_and_not_one_more() {
        assert_eq!(read(GATE, pieces(&["01234", "56789"])).await, Ok("0123456789".into()));
        assert_eq!(
            read(GATE, pieces(&["01234", "56789", "x"])).await,
            refused(BodyError::TooLarge(10))
        );
        assert_eq!(
            read(GATE.streamed(), pieces(&["0123456789", "x"])).await,
            Ok("0123456789x".into())
        );
        assert_eq!(
            read(Gate::charging("request"), pieces(&["0"])).await,
            Ok(Bytes::new()),
            "none is taken"
        );
    }

    #[tokio::test]
    async fn an_announced_length_is_refused_before_anything_is_read() {
        let asked = Body::new(http_body_util::Full::new(Bytes::from_static(b"0123456789x")));
        let mut body = GATE.body.bounded(Request::new(asked)).into_body();
        let error = body.frame().await.unwrap().unwrap_err();
        assert!(matches!(BodyError::behind(&error), Some(BodyError::TooLarge(10))), "{error:?}");
    }

    #[tokio::test]
    async fn a_slow_body_is_a_timeout_by_its_end_or_by_its_next_piece() {
        // A body that never ends.
        let stalled = |first: usize| {
            let first = stream::iter(vec![Ok::<_, Infallible>("x"); first]);
            Body::from_stream(first.chain(stream::pending()))
        };
        for pieces in [0, 3] {
            assert_eq!(read(GATE, stalled(pieces)).await, refused(BodyError::TooSlow));
            assert_eq!(read(GATE.streamed(), stalled(pieces)).await, refused(BodyError::Stalled));
        }
        // Three pieces, each within its own timeout, but together beyond that of the whole body.
        let dripping = || {
            let pieces = stream::iter(0..3).then(async |_| {
                sleep(TIMES.0 / 2).await;
                Ok::<_, Infallible>("x")
            });
            Body::from_stream(Box::pin(pieces))
        };
        assert_eq!(read(GATE.streamed(), dripping()).await, Ok("xxx".into()));
        assert_eq!(read(GATE, dripping()).await, refused(BodyError::TooSlow));
    }

    #[tokio::test]
    async fn a_reader_that_takes_its_time_is_no_fault_of_the_client() {
        let request = Request::new(pieces(&["a", "b"]));
        let mut body = GATE.streamed().body.bounded_in_time(request, TIMES).into_body();
        while let Some(piece) = body.frame().await {
            piece.unwrap();
            sleep(TIMES.1 * 2).await;
        }
    }
}
