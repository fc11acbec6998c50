use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use http::{HeaderValue, Method, Request, Uri, Version, header, uri::PathAndQuery};
use hyper::{
    body::{Body as _, Frame, Incoming, SizeHint},
    service::Service,
};

use super::{
    super::{
        Admission, Handler, Peer,
        detached_stream::{DetachedFrames, TakeOver},
        stopping::Step,
    },
    Activity,
};

/// Responder to the requests of a connection.
pub(crate) struct Respond<H> {
    pub(crate) handler: H,
    pub(crate) peer: Peer,
    /// Limit of the peer's open requests, with HTTP/2.
    pub(crate) admission: Option<Arc<dyn Admission>>,
}

/// Passes the requests of an HTTP/1 connection to the handler, one after the other.
pub(super) struct RespondInTurn<H> {
    pub(super) respond: Respond<H>,
    pub(super) draining: Step,
    pub(super) activity: Arc<Activity>,
}

impl<H: Handler> Service<Request<Incoming>> for RespondInTurn<H> {
    type Response = Response<Tracked>;
    type Error = Infallible;
    type Future = Responding<H::Future>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        self.activity.begin();
        let (version, is_head) = (request.version(), request.method() == Method::HEAD);
        let mut request = in_origin_form(request.map(|body| self.watched(body)));
        request.extensions_mut().insert(self.respond.peer);
        let response = self.respond.handler.handle(request);
        let is_last = self.draining.has_begun();
        Responding { response, version, is_head, is_last, activity: self.activity.clone() }
    }
}

impl<H> RespondInTurn<H> {
    fn watched(&self, body: Incoming) -> Body {
        if body.is_end_stream() {
            return Body::new(body);
        }
        Body::new(Arriving { body, is_read: false, activity: self.activity.clone() })
    }
}

/// Converts a request for an absolute URL into one for a path on its host. The required `Host` header is replaced
/// (RFC 9112, 3.2.2).
fn in_origin_form(mut request: Request<Body>) -> Request<Body> {
    let uri = request.uri();
    let (Some(_), Some(authority)) = (uri.scheme(), uri.authority()) else { return request };
    let host = authority.as_str().rsplit('@').next().map(HeaderValue::try_from);
    let path = uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
    *request.uri_mut() = Uri::from(path);
    // Without a Host, or with two, the request stays malformed.
    if let (Some(Ok(host)), 1) = (host, request.headers().get_all(header::HOST).iter().count()) {
        request.headers_mut().insert(header::HOST, host);
    }
    request
}

/// Body of a request that records whether it was read to its end.
struct Arriving {
    body: Incoming,
    is_read: bool,
    activity: Arc<Activity>,
}

impl Drop for Arriving {
    fn drop(&mut self) {
        if !self.is_read && !self.body.is_end_stream() {
            self.activity.left_unread();
        }
    }
}

impl hyper::body::Body for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        self.is_read |= frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Response in progress. Never ready if it takes over the connection.
pub(super) struct Responding<F> {
    response: F,
    version: Version,
    is_head: bool,
    /// Whether the connection ends with this response. Closing one that waits for a request instead could lose a
    /// request in flight.
    is_last: bool,
    activity: Arc<Activity>,
}

impl<F: Future<Output = Response> + Unpin> Future for Responding<F> {
    type Output = Result<Response<Tracked>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut response = ready!(Pin::new(&mut self.response).poll(context));
        if let Some(frames) = DetachedFrames::take_from(&mut response)
            && !self.is_head
        {
            let (head, _) = response.into_parts();
            self.activity.take_over(TakeOver { version: self.version, head, frames });
            return Poll::Pending;
        }
        if self.is_last {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        let activity = self.activity.clone();
        Poll::Ready(Ok(response.map(|body| Tracked { body, activity })))
    }
}

/// Body that records when hyper is done with it.
pub(super) struct Tracked {
    body: Body,
    activity: Arc<Activity>,
}

impl Drop for Tracked {
    fn drop(&mut self) {
        self.activity.answered();
    }
}

impl hyper::body::Body for Tracked {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
