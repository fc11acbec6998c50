//! Service around every route: CORS, counting, and problems. Panics become problems. Problems with a cause are
//! logged, each once, with their request.
//!
//! The boundary is one service around the router instead of several layers, because axum clones and boxes a route for
//! each
//! layer, for every request.

use std::{
    any::Any,
    convert::Infallible,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    response::{IntoResponse, Response},
    routing::future::RouteFuture,
};
use base::{clock::Clock, random::Random, redaction::quoted};
use futures_util::FutureExt;
use http::{
    HeaderName, HeaderValue, Method, Request, StatusCode, Uri, Version, header, uri::Authority,
};
use opentelemetry::{KeyValue, trace::SpanKind};
use spans::{Parent, Span, Spans};
use tower::Service;

use super::{
    base_path::BasePath,
    cors::{ANY_ORIGIN, SameOrigin, with_common_headers},
    gate::{BodyLimit, Gate},
    own_names::OwnNames,
    problem::{self, Cause, Problem},
    request_id::{RequestId, RequestIds, X_REQUEST_ID},
    routes::Routes,
    traffic::{NO_ROUTE, Traffic},
};

/// Service around the router. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Boundary {
    routes: Router,
    allowed: Router,
    around: Arc<BoundaryInner>,
}

#[derive(Debug)]
struct BoundaryInner {
    traffic: Arc<Traffic>,
    /// Gates by number of the route. The first is for all requests that match no route.
    gates: Vec<Gate>,
    clock: Clock,
    spans: Spans,
    ids: RequestIds,
    /// Base path of the service, if it has one.
    below: Option<BasePath>,
    /// Names of the service, if only this machine's network may use it.
    private: Option<OwnNames>,
}

impl Boundary {
    pub fn new(
        routes: Routes,
        clock: Clock,
        random: &Random,
        spans: Spans,
        below: Option<BasePath>,
        quotas: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        let below = below.filter(|path| !path.as_str().is_empty());
        let no_route = Gate { charge: "", body: BodyLimit::None };
        let gates = [no_route].into_iter().chain(routes.gates.values().copied()).collect();
        let traffic = Arc::new(Traffic::on(routes.gates.into_keys(), quotas));
        let ids = RequestIds::new(random);
        let around = BoundaryInner { traffic, gates, clock, spans, ids, below, private: None };
        Self { routes: routes.router, allowed: routes.allowed, around: Arc::new(around) }
    }

    /// Counters of requests, shared with the boundary.
    pub fn traffic(&self) -> Arc<Traffic> {
        self.around.traffic.clone()
    }

    /// Makes this a boundary for an address in one's own network: pages of other sites cannot read its responses, and
    /// requests must name it by one of `names`.
    #[must_use]
    pub fn private(self, names: OwnNames) -> Self {
        let Self { routes, allowed, around } = self;
        let Ok(around) = Arc::try_unwrap(around) else {
            unreachable!("a boundary is shared once it is complete");
        };
        Self { routes, allowed, around: Arc::new(BoundaryInner { private: Some(names), ..around }) }
    }

    /// Path patterns of all routes, with the gate of each.
    pub fn routes(&self) -> impl Iterator<Item = (&str, Gate)> {
        let BoundaryInner { traffic, gates, .. } = &*self.around;
        traffic.paths().zip(gates.iter().skip(1).copied())
    }

    /// Handles a request. It has a [`Peer`](super::Peer) among its extensions.
    pub fn handle(&self, mut request: Request<Body>) -> ResponseFuture {
        let BoundaryInner { traffic, gates, clock, ids, below, private, .. } = &*self.around;
        traffic.begin();
        let began = clock.elapsed();
        if let Some(below) = below {
            below.strip(request.uri_mut());
        }
        let refusal =
            check_host(&request).and_then(|()| check_name(&request, private.as_ref())).err();
        let is_preflight = request.method() == Method::OPTIONS;
        let route = match refusal.is_some() || is_preflight {
            false => traffic.route(request.uri().path()),
            true => NO_ROUTE,
        };
        let (id, parent) = ids.of(request.headers());
        let context = RequestContext {
            around: self.around.clone(),
            route,
            began,
            id,
            parent,
            method: request.method().clone(),
            uri: request.uri().clone(),
        };
        if let Some(problem) = refusal {
            let response = context.finish(problem.into_response());
            return ResponseFuture { state: State::Done(Some(response)) };
        }
        let limit = gates.get(route).map_or(BodyLimit::None, |gate| gate.body);
        let request = limit.bounded(request);
        let router = if is_preflight { &self.allowed } else { &self.routes };
        // No `poll_ready`: a router is always ready. `call` clones its contents anyway, so the clone costs little.
        let future = router.clone().call(request);
        ResponseFuture { state: State::Routed { future, context } }
    }
}

/// Request that is being handled.
pub struct ResponseFuture {
    state: State,
}

#[expect(
    clippy::large_enum_variant,
    reason = "nearly every request is routed, and a box would be one more allocation"
)]
enum State {
    Done(Option<Response>),
    Routed { future: RouteFuture<Infallible>, context: RequestContext },
}

/// Data of a request that is kept while the router handles it.
#[derive(Debug)]
struct RequestContext {
    around: Arc<BoundaryInner>,
    /// Number of the route.
    route: usize,
    /// Start of the request, on the clock.
    began: Duration,
    id: RequestId,
    parent: Option<Parent>,
    method: Method,
    uri: Uri,
}

impl Future for ResponseFuture {
    type Output = Response;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response> {
        match &mut self.state {
            // Only if polled again after it was ready, which does not happen.
            State::Done(response) => {
                Poll::Ready(response.take().unwrap_or_else(|| Response::new(Body::empty())))
            }
            State::Routed { future, context: handled } => {
                let mut future = future.map(|Ok(response)| response);
                poll_unwinding(&mut future, context).map(|response| handled.finish(response))
            }
        }
    }
}

impl RequestContext {
    fn finish(&self, response: Response) -> Response {
        let BoundaryInner { traffic, clock, spans, private, .. } = &*self.around;
        let quota = response.extensions().get::<Problem>().and_then(|problem| problem.quota);
        let mut response = self.completed(response);
        if self.method == Method::OPTIONS && response.status().is_success() && private.is_none() {
            response.headers_mut().extend(preflight());
        }
        let status = response.status();
        if status == StatusCode::METHOD_NOT_ALLOWED
            || response.headers().contains_key(header::ALLOW)
        {
            response = with_options(response);
        }
        let (status, duration) = (response.status(), clock.elapsed().saturating_sub(self.began));
        traffic.end(self.route, status, quota, duration);
        self.log(status, duration);
        if spans.wants(self.id.trace(), self.parent) && !PROBES.contains(&self.uri.path()) {
            spans.record(|| self.span(status, duration));
        }
        // Caches keep such a response for other clients, for which this request's id has no meaning.
        let cached = response.headers().get(header::CACHE_CONTROL);
        let is_immutable = cached.is_some_and(|cached| cached.as_bytes().ends_with(b"immutable"));
        if let Some(id) = self.id.header().filter(|_| !is_immutable) {
            response.headers_mut().insert(X_REQUEST_ID, id);
        }
        match private {
            None => with_common_headers(response),
            Some(_) => {
                response.headers_mut().remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
                response.extensions_mut().insert(SameOrigin);
                with_common_headers(response)
            }
        }
    }

    /// Logs the request without its query, which may contain keys.
    fn log(&self, status: StatusCode, duration: Duration) {
        let Self { method, uri, id, .. } = self;
        let (path, status, ms) = (uri.path(), status.as_u16(), duration.as_secs_f64() * 1e3);
        tracing::debug!(%method, path, status, ms, request_id = %id, "request");
    }

    /// Records a span from the request to the start of its response. Contains no query either.
    fn span(&self, status: StatusCode, duration: Duration) -> Span {
        let BoundaryInner { traffic, clock, .. } = &*self.around;
        let (method, route) = (self.method.as_str(), traffic.path_of(self.route));
        let mut attributes = vec![
            KeyValue::new("http.request.method", method.to_owned()),
            KeyValue::new("url.path", self.uri.path().to_owned()),
            KeyValue::new("http.response.status_code", i64::from(status.as_u16())),
        ];
        attributes.extend(route.map(|route| KeyValue::new("http.route", route.to_owned())));
        Span {
            trace: Some(self.id.trace()),
            parent: self.parent,
            kind: SpanKind::Server,
            name: route.map_or(method.to_owned(), |route| format!("{method} {route}")),
            ended_at: clock.now(),
            duration,
            attributes,
            has_failed: status.is_server_error(),
        }
    }

    /// Logs a problem that has a cause, and adds to it the id of the request and the base path of the service.
    fn completed(&self, response: Response) -> Response {
        let Some(problem) = response.extensions().get::<Problem>() else { return response };
        let base_path = self.around.below.as_ref().map_or("", BasePath::as_str);
        if problem.cause.is_none() && base_path.is_empty() {
            return response;
        }
        let request_id = problem.cause.as_ref().map(|cause| {
            self.log_problem(problem, cause);
            self.id.to_string()
        });
        let body = problem.body(base_path, request_id.as_deref());
        let (mut parts, _) = response.into_parts();
        parts.headers.remove(header::CONTENT_LENGTH);
        Response::from_parts(parts, body.into())
    }

    fn log_problem(&self, problem: &Problem, cause: &Cause) {
        let Self { method, uri, id: request_id, .. } = self;
        let path = uri.path();
        match problem.kind {
            problem::INTERNAL => {
                tracing::error!(%method, path, %request_id, %cause, "request failed")
            }
            _ => tracing::warn!(%method, path, %request_id, %cause, "request not answered"),
        }
    }
}

/// Polls a handler. A panic becomes a problem.
pub fn poll_unwinding(
    future: &mut (impl Future<Output = Response> + Unpin),
    context: &mut Context<'_>,
) -> Poll<Response> {
    let poll = || Pin::new(future).poll(context);
    catch_unwind(AssertUnwindSafe(poll))
        .unwrap_or_else(|panic| Poll::Ready(panicked(&*panic).into_response()))
}

/// Problem that the client gets for a panic.
fn panicked(panic: &(dyn Any + Send)) -> Problem {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    Problem::internal(Arc::new(Panicked(text.unwrap_or_else(|| "it did not say why".to_owned()))))
}

#[derive(Debug, thiserror::Error)]
#[error("a handler panicked: {0}")]
struct Panicked(String);

/// Checks the host name of a request to a private address.
fn check_name(request: &Request<Body>, private: Option<&OwnNames>) -> Result<(), Problem> {
    let Some(names) = private else { return Ok(()) };
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = request.uri().authority().map(Authority::as_str);
    let host = host.or(authority).unwrap_or_default();
    // HTTP/1.0 requests may lack a host; browsers do not use HTTP/1.0.
    if host.is_empty() && request.version() == Version::HTTP_10 || names.allow(host) {
        return Ok(());
    }
    Err(Problem::new(
        problem::FORBIDDEN,
        format!(
            "The operator\u{2019}s address is not reached as {}: use its IP address, the machine\u{2019}s name, or a \
                name in the domain of --public-url.",
            quoted(host)
        ),
    ))
}

/// Checks the `Host` header. HTTP/1.1 requires exactly one (RFC 9112, 3.2), so that all proxies agree on the host.
/// HTTP/2 has `:authority`.
fn check_host(request: &Request<Body>) -> Result<(), Problem> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (first, second) = (hosts.next(), hosts.next());
    let is_required = request.version() == Version::HTTP_11;
    match (first, second) {
        (Some(_), None) => Ok(()),
        (None, None) if !is_required => Ok(()),
        (None, _) => Err(Problem::new(problem::MALFORMED_REQUEST, "The Host header is missing.")),
        (_, Some(_)) => {
            Err(Problem::new(problem::MALFORMED_REQUEST, "There is more than one Host header."))
        }
    }
}

/// Paths that machines poll. Their requests are not traced.
const PROBES: [&str; 4] = ["/healthz", "/readyz", "/health", "/metrics"];

const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD,OPTIONS,POST,PATCH,DELETE");
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization,content-type,if-match,if-none-match,cache-control,last-event-id,idempotency-key",
);
const A_DAY: HeaderValue = HeaderValue::from_static("86400");

/// CORS headers for pages, the same for every path. Preflight requests count against no quota.
fn preflight() -> [(HeaderName, HeaderValue); 4] {
    [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN),
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, A_DAY),
    ]
}

/// Adds `OPTIONS` to the `Allow` header: the boundary handles it, not the router.
fn with_options(mut response: Response) -> Response {
    let allow = response.headers().get(header::ALLOW).and_then(|allow| allow.to_str().ok());
    let allow = match allow {
        Some(allow) if !allow.is_empty() => format!("{allow},OPTIONS"),
        _ => "OPTIONS".to_owned(),
    };
    if let Ok(allow) = HeaderValue::try_from(allow) {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}
