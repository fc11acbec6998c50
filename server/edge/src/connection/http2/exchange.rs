//! One request and its response.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::StreamExt;
use h2::{Reason, RecvStream, SendStream, server::SendResponse};
use http::{HeaderValue, Method, Request, StatusCode, Uri, header, request, uri::PathAndQuery};
use hyper::body::{Body as _, Frame};
use tokio::time::timeout;

use super::{
    super::{HEAD_BYTES, Timeouts},
    STREAM_WINDOW,
    watch::{Open, Watch},
};
use crate::{
    Handler, Peer, Permit,
    cors::with_common_headers,
    detached_stream::DetachedFrames,
    problem::{HEAD_TOO_LARGE, MALFORMED_REQUEST, Problem},
    wire,
};

/// A request while it is handled. If its client resets the stream or disconnects, handling stops at once.
pub(super) struct Exchange {
    pub(super) peer: Peer,
    pub(super) timeouts: &'static Timeouts,
    pub(super) respond: SendResponse<Bytes>,
    pub(super) watch: Arc<Watch>,
    /// Counted until this is dropped.
    pub(super) open: (Open, Option<Permit>),
}

/// Error: either side has closed the stream.
struct Closed;

impl From<h2::Error> for Closed {
    fn from(error: h2::Error) -> Self {
        tracing::debug!(%error, "a stream ended early");
        Self
    }
}

impl Exchange {
    pub(super) async fn run<H: Handler>(self, handler: H, request: Request<RecvStream>) {
        let Self { peer, timeouts, mut respond, watch, open } = self;
        let is_head = request.method() == Method::HEAD;
        let response = match prepared(request, peer, watch) {
            Ok(request) => handled(&handler, request, &mut respond).await,
            // Created before the router, but pages may read it like any response.
            Err(problem) => Ok(with_common_headers(problem.into_response())),
        };
        if let Ok(response) = response {
            // The stream is closed in either case.
            let _ = send(respond, response, is_head, timeouts).await;
        }
        drop(open);
    }
}

async fn handled<H: Handler>(
    handler: &H,
    request: Request<Body>,
    respond: &mut SendResponse<Bytes>,
) -> Result<Response, Closed> {
    let mut handling = handler.handle(request);
    poll_fn(|context| {
        if let Poll::Ready(response) = Pin::new(&mut handling).poll(context) {
            return Poll::Ready(Ok(response));
        }
        respond.poll_reset(context).map(|_| Err(Closed))
    })
    .await
}

/// Request in the form that HTTP/1 has: a path and a `Host`.
fn prepared(
    request: Request<RecvStream>,
    peer: Peer,
    watch: Arc<Watch>,
) -> Result<Request<Body>, Problem> {
    let (mut head, body) = request.into_parts();
    if head_bytes(&head) > HEAD_BYTES {
        return Err(Problem::new(
            HEAD_TOO_LARGE,
            format!("Path and headers may have {HEAD_BYTES} bytes together."),
        ));
    }
    if let Some(authority) = head.uri.authority() {
        let authority = HeaderValue::try_from(authority.as_str())
            .map_err(|_| Problem::new(MALFORMED_REQUEST, "The :authority is malformed."))?;
        match head.headers.get(header::HOST) {
            None => {
                head.headers.insert(header::HOST, authority);
            }
            Some(host) if host.as_bytes().eq_ignore_ascii_case(authority.as_bytes()) => {}
            // RFC 9113, 8.3.1.
            Some(_) => {
                return Err(Problem::new(
                    MALFORMED_REQUEST,
                    "Host and :authority are not the same.",
                ));
            }
        }
    }
    // CONNECT has no path, and no route matches.
    let path = head.uri.path_and_query().cloned();
    head.uri = Uri::from(path.unwrap_or_else(|| PathAndQuery::from_static("/")));
    head.extensions.insert(peer);
    Ok(Request::from_parts(head, Body::new(Incoming { body, read: 0, watch })))
}

/// Size that the head would have with HTTP/1.
fn head_bytes(head: &request::Parts) -> usize {
    let path = head.uri.path_and_query().map_or(0, |path| path.as_str().len());
    let fields = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
    path + fields.sum::<usize>()
}

/// Body of a request.
struct Incoming {
    body: RecvStream,
    /// Number of bytes that were read.
    read: usize,
    watch: Arc<Watch>,
}

impl hyper::body::Body for Incoming {
    type Data = Bytes;
    type Error = h2::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, h2::Error>>> {
        let data = ready!(self.body.poll_data(context));
        Poll::Ready(data.map(|data| {
            let data = data?;
            self.read += data.len();
            if self.read > STREAM_WINDOW as usize {
                self.watch.uploading();
            }
            // The reader has the data now.
            self.body.flow_control().release_capacity(data.len())?;
            Ok(Frame::data(data))
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

async fn send(
    mut respond: SendResponse<Bytes>,
    mut response: Response,
    is_head: bool,
    timeouts: &Timeouts,
) -> Result<(), Closed> {
    let frames = DetachedFrames::take_from(&mut response);
    let (mut head, mut body) = response.into_parts();
    if let Some(frames) = frames {
        body = Body::from_stream(frames.map(Ok::<_, std::convert::Infallible>));
    } else if !is_head {
        say_length(&mut head, &body);
    }
    if let Ok(date) = HeaderValue::try_from(wire::date()) {
        head.headers.insert(header::DATE, date);
    }
    let is_all = is_head || body.is_end_stream();
    let mut stream = respond.send_response(Response::from_parts(head, ()), is_all)?;
    if is_all {
        return Ok(());
    }
    while let Some(frame) = next(&mut body, &mut stream).await? {
        let Ok(frame) = frame else {
            stream.send_reset(Reason::INTERNAL_ERROR);
            return Err(Closed);
        };
        if let Ok(data) = frame.into_data() {
            let is_last = body.is_end_stream();
            write(&mut stream, data, is_last, timeouts).await?;
            if is_last {
                return Ok(());
            }
        }
    }
    Ok(stream.send_data(Bytes::new(), true)?)
}

/// Sets `Content-Length` like hyper does for HTTP/1: not for responses that never have a body.
fn say_length(head: &mut http::response::Parts, body: &Body) {
    if matches!(head.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) {
        head.headers.remove(header::CONTENT_LENGTH);
    } else if let Some(length) = body.size_hint().exact() {
        head.headers.entry(header::CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
}

/// Next part of a body, unless the stream is closed first.
async fn next(
    body: &mut Body,
    stream: &mut SendStream<Bytes>,
) -> Result<Option<Result<Frame<Bytes>, axum::Error>>, Closed> {
    poll_fn(|context| {
        if stream.poll_reset(context).is_ready() {
            return Poll::Ready(Err(Closed));
        }
        Pin::new(&mut *body).poll_frame(context).map(Ok)
    })
    .await
}

/// Sends as much at a time as the peer's windows allow. So data in h2 waits for nothing but the socket.
async fn write(
    stream: &mut SendStream<Bytes>,
    mut data: Bytes,
    is_last: bool,
    timeouts: &Timeouts,
) -> Result<(), Closed> {
    if data.is_empty() && is_last {
        return Ok(stream.send_data(data, true)?);
    }
    while !data.is_empty() {
        stream.reserve_capacity(data.len());
        while stream.capacity() == 0 {
            let capacity = poll_fn(|context| stream.poll_capacity(context));
            match timeout(timeouts.write, capacity).await {
                Ok(Some(capacity)) => capacity?,
                Ok(None) => return Err(Closed),
                Err(_) => {
                    tracing::debug!("a stream ended early: the peer does not read");
                    stream.send_reset(Reason::CANCEL);
                    return Err(Closed);
                }
            };
        }
        let part = data.split_to(stream.capacity().min(data.len()));
        stream.send_data(part, is_last && data.is_empty())?;
    }
    Ok(())
}
