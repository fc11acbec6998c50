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
use http::{HeaderValue, Method, Request, Version, header};
use hyper::{
    body::{Frame, Incoming, SizeHint},
    service::Service,
};

use super::{
    super::{
        Handler, Peer,
        feed::{Feed, TakeOver},
        listener::ConnectionLimit,
        stopping::Step,
    },
    Activity,
};

/// What responds to the requests of a connection.
pub(in crate::http) struct Respond<H> {
    pub(in crate::http) handler: H,
    pub(in crate::http) peer: Peer,
    /// How many requests the peer may have open, with HTTP/2.
    pub(in crate::http) limit: Option<Arc<ConnectionLimit>>,
}

/// Gives the requests of an HTTP/1 connection to the handler, one after the other.
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
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(self.respond.peer);
        let response = self.respond.handler.handle(request);
        let is_last = self.draining.has_begun();
        Responding { response, version, is_head, is_last, activity: self.activity.clone() }
    }
}

/// A response on its way. Never ready if it takes the connection over.
pub(super) struct Responding<F> {
    response: F,
    version: Version,
    is_head: bool,
    /// The connection ends with it. Closing one that waits for a request instead could lose the request
    /// that is on its way just then.
    is_last: bool,
    activity: Arc<Activity>,
}

impl<F: Future<Output = Response> + Unpin> Future for Responding<F> {
    type Output = Result<Response<Tracked>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut response = ready!(Pin::new(&mut self.response).poll(context));
        if let Some(frames) = Feed::take_from(&mut response)
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

/// A body that notes when hyper is done with it.
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
