//! What stands before every endpoint of the API: first who asks, then whether they may ask now.
//!
//! In this order, because a key decides which quota counts. A key that is not valid is refused on
//! public endpoints too, and counted against the address it came from, so that guessing is as slow as
//! asking without one.

mod admitting;

use std::sync::Arc;

use axum::extract::FromRequestParts;
use edge::Peer;
use http::{HeaderMap, Method, header, request::Parts};
use limits::{Client, ClientNetworks, Decision, Limits, Network, OpenStreams, Quota, Slot};

pub use self::admitting::{Admitting, Answering};
use crate::{
    keys::{ApiKey, Key, Keys},
    problem::{Problem, Result},
};

/// Who asks: an extension of each request that is let in, where the handler has to know.
#[derive(Clone, Debug)]
pub struct Caller {
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
    purpose: Purpose,
}

/// What the routes are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Everybody gets the same, so the handler isn't told who asks.
    Reading,
    Streaming,
    /// What belongs to a partner.
    Partners,
}

#[derive(Debug)]
struct AdmissionParts {
    keys: Keys,
    limits: Limits,
    streams: OpenStreams,
    networks: Arc<ClientNetworks>,
    /// Maximum number of streams that an address has open, and a key.
    streams_per_client: u32,
}

/// Why a request is refused, or who is let in, and what its response says of the quota.
type Admitted = (Result<Caller>, Decision);

impl Admission {
    pub fn new(
        keys: Keys,
        limits: Limits,
        streams: OpenStreams,
        networks: Arc<ClientNetworks>,
        streams_per_client: u32,
    ) -> Self {
        let parts = AdmissionParts { keys, limits, streams, networks, streams_per_client };
        Self { parts: Arc::new(parts), purpose: Purpose::Reading }
    }

    /// `handler`, for those who are let in.
    pub fn to<H>(&self, handler: H) -> Admitting<H> {
        Admitting { admission: self.clone(), handler }
    }

    /// The same for routes that open a stream: there is a limit to those too, and a request that it
    /// refuses counts against no quota.
    pub fn of_streams(&self) -> Self {
        Self { purpose: Purpose::Streaming, ..self.clone() }
    }

    /// The same for routes whose handlers take a [`Caller`] or a [`Partner`].
    pub fn of_partners(&self) -> Self {
        Self { purpose: Purpose::Partners, ..self.clone() }
    }

    /// Logs whom a limit has refused: the holder of a key by its prefix, anybody else by the address.
    fn log_refused(&self, peer: Option<Peer>, headers: &HeaderMap, problem: &Problem) {
        let Some(tier) = problem.0.quota.filter(|_| tracing::enabled!(tracing::Level::DEBUG))
        else {
            return;
        };
        let key = bearer(headers).ok().flatten();
        let code = problem.0.kind.code;
        match key.filter(|key| self.parts.keys.known(key).is_some()) {
            Some(key) => tracing::debug!(tier, code, key = key.prefix(), "refused by a limit"),
            None => {
                let network = self.parts.networks.of(peer.map(|peer| peer.addr.ip()), headers);
                tracing::debug!(tier, code, address = %network, "refused by a limit");
            }
        }
    }

    /// Decides at once, if all that it takes is in memory: nearly always. A future for each request
    /// would cost more than the decision.
    fn admit_now(
        &self,
        peer: Option<Peer>,
        method: &Method,
        headers: &HeaderMap,
    ) -> Option<Admitted> {
        let network = self.parts.networks.of(peer.map(|peer| peer.addr.ip()), headers);
        let key = match bearer(headers) {
            Ok(None) => None,
            Ok(Some(key)) => Some(self.parts.keys.known(&key)?),
            Err(_) => return None,
        };
        let (client, quota) = client(network, key);
        let stream = match self.stream_limit(quota, method) {
            Some(most) => Some(self.parts.streams.take_now(client, most)?),
            None => None,
        };
        let decision = self.parts.limits.take_now(client, quota)?;
        Some(admitted(client, decision, Caller { key, stream }))
    }

    async fn admit(&self, peer: Option<Peer>, method: &Method, headers: &HeaderMap) -> Admitted {
        let limits = &self.parts.limits;
        let network = self.parts.networks.of(peer.map(|peer| peer.addr.ip()), headers);
        let key = match self.key(network, headers).await {
            Ok(key) => key,
            Err((problem, decision)) => return (Err(problem), decision),
        };
        let (client, quota) = client(network, key);
        let stream = match self.stream(client, quota, method).await {
            Ok(stream) => stream,
            Err(problem) => return (Err(problem), limits.look(client, quota).await),
        };
        let decision = limits.take(client, quota).await;
        admitted(client, decision, Caller { key, stream })
    }

    /// The stream that a request opens, if it opens one.
    async fn stream(&self, client: Client, quota: &Quota, method: &Method) -> Result<Option<Slot>> {
        let Some(most) = self.stream_limit(quota, method) else { return Ok(None) };
        let slot = self.parts.streams.take(client, most).await;
        let most = self.parts.streams_per_client;
        slot.map(Some).ok_or_else(|| {
            Problem::too_many_streams(too_many_streams(client, most)).of_quota(quota.name)
        })
    }

    /// How many streams a client may have, if a request opens one. A key without a limit of requests
    /// has no limit of streams.
    fn stream_limit(&self, quota: &Quota, method: &Method) -> Option<Option<u32>> {
        let opens = self.purpose == Purpose::Streaming && method == Method::GET;
        opens.then(|| quota.requests.map(|_| self.parts.streams_per_client))
    }

    /// The key that came along, if one did. What is not known as one counts against the address.
    async fn key(
        &self,
        network: Network,
        headers: &HeaderMap,
    ) -> Result<Option<Key>, (Problem, Decision)> {
        let AdmissionParts { keys, limits, .. } = &*self.parts;
        let given = match bearer(headers) {
            Ok(None) => return Ok(None),
            Ok(Some(key)) => match keys.known(&key) {
                Some(known) => return Ok(Some(known)),
                None => Ok(key),
            },
            Err(problem) => Err(problem),
        };
        let client = Client::Network(network);
        let decision = limits.take(client, &Quota::PUBLIC).await;
        if !decision.accepted {
            return Err((used_up(client, &decision), decision));
        }
        let problem = match given {
            // Anybody can make up keys with a right checksum, so the database is asked only for as many
            // as an address may send.
            Ok(key) => match keys.ask(&key).await {
                Ok(Some(key)) => return Ok(Some(key)),
                Ok(None) => unknown_key(),
                Err(error) => error.into(),
            },
            Err(problem) => problem,
        };
        Err((problem, decision))
    }
}

/// What counts a request, and how many it lets through.
fn client(network: Network, key: Option<Key>) -> (Client, &'static Quota) {
    match key {
        Some(key) => (Client::Key(key.id), Quota::of(key.tier)),
        None => (Client::Network(network), &Quota::PUBLIC),
    }
}

fn admitted(client: Client, decision: Decision, caller: Caller) -> Admitted {
    let admitted = if decision.accepted { Ok(caller) } else { Err(used_up(client, &decision)) };
    (admitted, decision)
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

pub(crate) fn unknown_key() -> Problem {
    Problem::unauthenticated(
        "The key is unknown, revoked or expired. Ask the operator for another, or send none.",
    )
}

fn too_many_streams(client: Client, most: u32) -> String {
    let whose = match client {
        Client::Key(_) => "with this key",
        Client::Network(_) => "from this address",
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
        Client::Network(_) => format!(
            "The quota of {requests} requests a minute is used up. Wait as long as Retry-After says; \
             a key has a higher quota."
        ),
    };
    Problem::rate_limited(detail, decision.reset).of_quota(decision.quota.name)
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
