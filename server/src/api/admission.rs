//! What stands before every endpoint of the API: first who asks, then whether they may ask now.
//!
//! In this order, because a key decides which quota counts. A key that is not valid is refused on
//! public endpoints too, and counted against the address it came from, so that guessing is as slow as
//! asking without one.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::{
    extract::{FromRequestParts, Request},
    handler::Handler,
    response::{IntoResponse, Response},
};
use futures_util::future::BoxFuture;
use http::{HeaderMap, HeaderValue, Method, header, request::Parts};

use crate::{
    http::{
        Peer,
        boundary::poll_unwinding,
        problem::{Problem, Result},
        representation::{PRIVATE_READ_CACHE, READ_CACHE},
    },
    keys::{ApiKey, Key, Keys},
    limit::{
        Client, Decision, Limits, Network, Quota, Slot, Slots, TrustedProxies, UnlistedProxies,
        client_ip,
    },
};

/// Who asks: an extension of each request that is let in.
#[derive(Clone, Debug)]
pub struct Caller {
    pub network: Network,
    pub key: Option<Key>,
    /// The stream that the request may open, counted until it is dropped.
    pub stream: Option<Slot>,
}

/// Decides on requests: lets in those that may be handled, and tells in each response what is left of
/// the quota. Cheap to clone.
///
/// It stands around handlers rather than being a layer on their routes: axum clones and boxes a route
/// for each layer, for every request.
#[derive(Clone, Debug)]
pub struct Admission {
    parts: Arc<AdmissionParts>,
    opens_streams: bool,
}

#[derive(Debug)]
struct AdmissionParts {
    keys: Keys,
    limits: Limits,
    streams: Slots<Client>,
    trusted_proxies: TrustedProxies,
    unlisted_proxies: Arc<UnlistedProxies>,
    /// Maximum number of streams that an address has open, and a key.
    streams_per_client: u32,
}

/// Why a request is refused, or who is let in, and what its response says of the quota, if anything.
type Admitted = (Result<Caller>, Option<Decision>);

impl Admission {
    pub fn new(
        keys: Keys,
        limits: Limits,
        streams: Slots<Client>,
        trusted_proxies: TrustedProxies,
        unlisted_proxies: Arc<UnlistedProxies>,
        streams_per_client: u32,
    ) -> Self {
        let parts = AdmissionParts {
            keys,
            limits,
            streams,
            trusted_proxies,
            unlisted_proxies,
            streams_per_client,
        };
        Self { parts: Arc::new(parts), opens_streams: false }
    }

    /// `handler`, for those who are let in.
    pub fn to<H>(&self, handler: H) -> Admitting<H> {
        Admitting { admission: self.clone(), handler }
    }

    /// The same for routes that open a stream: there is a limit to those too, and a request that it
    /// refuses counts against no quota.
    pub fn of_streams(&self) -> Self {
        Self { opens_streams: true, ..self.clone() }
    }

    /// Decides at once, if all that it takes is in memory: nearly always. A future for each request
    /// would cost more than the decision.
    fn admit_now(
        &self,
        peer: Option<Peer>,
        method: &Method,
        headers: &HeaderMap,
    ) -> Option<Admitted> {
        let network = self.network(peer, headers);
        let key = match bearer(headers) {
            Ok(None) => None,
            Ok(Some(key)) => Some(self.parts.keys.known(&key)?),
            Err(_) => return None,
        };
        let (client, quota) = client(network, key);
        let stream = self.stream(client, quota, method).ok()?;
        let decision = self.parts.limits.take_now(client, quota)?;
        Some(admitted(client, decision, Caller { network, key, stream }))
    }

    async fn admit(&self, peer: Option<Peer>, method: &Method, headers: &HeaderMap) -> Admitted {
        let limits = &self.parts.limits;
        let network = self.network(peer, headers);
        let key = match self.key(network, headers).await {
            Ok(key) => key,
            Err(Refused { problem, decision }) => return (Err(problem), decision),
        };
        let (client, quota) = client(network, key);
        let stream = match self.stream(client, quota, method) {
            Ok(stream) => stream,
            Err(problem) => return (Err(problem), Some(limits.look(client, quota).await)),
        };
        let decision = limits.take(client, quota).await;
        admitted(client, decision, Caller { network, key, stream })
    }

    fn network(&self, peer: Option<Peer>, headers: &HeaderMap) -> Network {
        let AdmissionParts { trusted_proxies, unlisted_proxies, .. } = &*self.parts;
        // The listener leaves it with every request; the unspecified address stands for none.
        let peer = peer.map_or([0, 0, 0, 0].into(), |peer| peer.addr.ip());
        unlisted_proxies.notice(peer, headers, trusted_proxies);
        Network::of(client_ip(peer, headers, trusted_proxies))
    }

    /// The stream that a request opens, if it opens one.
    fn stream(&self, client: Client, quota: &Quota, method: &Method) -> Result<Option<Slot>> {
        if !self.opens_streams || method != Method::GET {
            return Ok(None);
        }
        let most = self.parts.streams_per_client;
        // Without a limit to requests, there is none to streams.
        let slot = self.parts.streams.take(client, quota.requests.map(|_| most));
        slot.map(Some).ok_or_else(|| Problem::too_many_streams(too_many_streams(client, most)))
    }

    /// The key that came along, if one did.
    async fn key(&self, network: Network, headers: &HeaderMap) -> Result<Option<Key>, Refused> {
        let AdmissionParts { keys, limits, .. } = &*self.parts;
        let client = Client::Network(network);
        let guess = async |problem: Problem| {
            let decision = limits.take(client, &Quota::PUBLIC).await;
            let problem = if decision.accepted { problem } else { used_up(client, &decision) };
            Refused { problem, decision: Some(decision) }
        };
        let key = match bearer(headers) {
            Ok(Some(key)) => key,
            Ok(None) => return Ok(None),
            Err(problem) => return Err(guess(problem).await),
        };
        if let Some(known) = keys.known(&key) {
            return Ok(Some(known));
        }
        // Anybody can make up keys with a right checksum, so the database is asked only for as many as
        // an address may send.
        let decision = limits.take(client, &Quota::PUBLIC).await;
        if !decision.accepted {
            return Err(Refused { problem: used_up(client, &decision), decision: Some(decision) });
        }
        match keys.ask(&key).await {
            Ok(Some(key)) => Ok(Some(key)),
            Ok(None) => Err(Refused { problem: unknown_key(), decision: Some(decision) }),
            Err(error) => Err(Refused { problem: error.into(), decision: Some(decision) }),
        }
    }
}

/// What counts a request, and how many it lets through.
fn client(network: Network, key: Option<Key>) -> (Client, &'static Quota) {
    match key {
        Some(key) => (Client::Key(key.id), key.tier.quota()),
        None => (Client::Network(network), &Quota::PUBLIC),
    }
}

fn admitted(client: Client, decision: Decision, caller: Caller) -> Admitted {
    let admitted = if decision.accepted { Ok(caller) } else { Err(used_up(client, &decision)) };
    (admitted, Some(decision))
}

struct Refused {
    problem: Problem,
    decision: Option<Decision>,
}

/// The well-formed key in the `Authorization` header, if there is one.
fn bearer(headers: &HeaderMap) -> Result<Option<ApiKey>> {
    let mut given = headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = given.next() else { return Ok(None) };
    if given.next().is_some() {
        return Err(Problem::unauthenticated(
            "There is more than one Authorization header: send one.",
        ));
    }
    let (scheme, rest) = match value.as_bytes().iter().position(|byte| *byte == b' ') {
        Some(blank) => value.as_bytes().split_at(blank),
        None => (value.as_bytes(), &b""[..]),
    };
    // Another scheme is not meant for this service: a proxy before it may use one.
    if !scheme.eq_ignore_ascii_case(b"bearer") {
        return Ok(None);
    }
    let text = std::str::from_utf8(rest.trim_ascii()).unwrap_or_default();
    ApiKey::parse(text).map(Some).ok_or_else(|| {
        Problem::unauthenticated(
            "This is not a valid key: keys begin with svc_ and have 42 characters. Check that the \
             whole key was copied.",
        )
    })
}

fn unknown_key() -> Problem {
    Problem::unauthenticated(
        "The key is unknown, revoked or expired. Ask the operator for another, or send none.",
    )
}

fn too_many_streams(client: Client, most: u32) -> String {
    let whose = match client {
        Client::Key(_) => "with this key",
        Client::Network(_) | Client::Visitor(_) => "from this address",
    };
    format!("{most} streams are open {whose}: close one, or share one between pages.")
}

fn used_up(client: Client, decision: &Decision) -> Problem {
    let requests = decision.quota.requests.unwrap_or(u32::MAX);
    let detail = match client {
        Client::Key(_) => format!(
            "The key's quota of {requests} requests a minute is used up. Wait as long as \
             Retry-After says."
        ),
        Client::Network(_) | Client::Visitor(_) => format!(
            "The quota of {requests} requests a minute is used up. Wait as long as Retry-After says; \
             a key has a higher quota."
        ),
    };
    Problem::rate_limited(detail, decision.reset)
}

/// A handler behind an [`Admission`].
#[derive(Clone, Debug)]
pub struct Admitting<H> {
    admission: Admission,
    handler: H,
}

impl<H, T, S> Handler<T, S> for Admitting<H>
where
    H: Handler<T, S, Future: Unpin>,
    T: 'static,
    S: Clone + Send + Sync + 'static,
{
    type Future = Answering<H::Future>;

    fn call(self, request: Request, state: S) -> Self::Future {
        let peer = request.extensions().get().copied();
        match self.admission.admit_now(peer, request.method(), request.headers()) {
            Some(admitted) => self.answer(request, state, admitted),
            None => Answering::Asking(Box::pin(async move {
                let (method, headers) = (request.method(), request.headers());
                let admitted = self.admission.admit(peer, method, headers).await;
                self.answer(request, state, admitted).await
            })),
        }
    }
}

impl<H> Admitting<H> {
    fn answer<T, S>(
        self,
        mut request: Request,
        state: S,
        (admitted, decision): Admitted,
    ) -> Answering<H::Future>
    where
        H: Handler<T, S>,
    {
        match admitted {
            Ok(caller) => {
                request.extensions_mut().insert(caller);
                Answering::Admitted { future: self.handler.call(request, state), decision }
            }
            Err(problem) => Answering::Refused(Some((problem, decision))),
        }
    }
}

/// A request on its way to its response.
pub enum Answering<F> {
    /// The decision has to be waited for.
    Asking(BoxFuture<'static, Response>),
    Admitted {
        future: F,
        decision: Option<Decision>,
    },
    Refused(Option<(Problem, Option<Decision>)>),
}

impl<F: Future<Output = Response> + Unpin> Future for Answering<F> {
    type Output = Response;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response> {
        let (mut response, decision) = match self.get_mut() {
            Self::Asking(future) => return future.as_mut().poll(context),
            Self::Admitted { future, decision } => {
                // Panics are caught here already, so that this response has its headers too.
                (ready!(poll_unwinding(future, context)), *decision)
            }
            Self::Refused(refused) => match refused.take() {
                Some((problem, decision)) => (problem.into_response(), decision),
                // Polled again after it was ready, which nobody does.
                None => return Poll::Pending,
            },
        };
        mark(response.headers_mut(), decision);
        Poll::Ready(response)
    }
}

/// The headers of the API that scripts of other sites may read (CORS).
const EXPOSED: HeaderValue =
    HeaderValue::from_static("etag,retry-after,ratelimit,ratelimit-policy,deprecation,sunset");

fn mark(headers: &mut HeaderMap, decision: Option<Decision>) {
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(header::VARY, HeaderValue::from_static("authorization"));
    if headers.get(header::CACHE_CONTROL).is_some_and(|value| value == READ_CACHE) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(PRIVATE_READ_CACHE));
    }
    if let Some(decision) = decision {
        decision.write(headers);
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Problem::internal(Arc::new(NoCaller)))
    }
}

/// A route outside of the groups that are behind an [`Admission`] asks who is calling.
#[derive(Debug, thiserror::Error)]
#[error("a request came past the admission")]
struct NoCaller;

/// A caller whose key may own subscriptions.
#[derive(Clone, Copy, Debug)]
pub struct Partner {
    pub id: i64,
}

impl<S: Sync> FromRequestParts<S> for Partner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Some(key) = caller.key else {
            return Err(Problem::unauthenticated(
                "Webhooks need a partner's key: send it as Authorization: Bearer svc_….",
            ));
        };
        if !key.tier.may_subscribe() {
            return Err(Problem::forbidden(
                "This key is the operator's own, and subscriptions belong to partners: use a key of \
                 the tier partner or enterprise.",
            ));
        }
        Ok(Self { id: key.partner_id })
    }
}
