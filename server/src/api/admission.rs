//! Checks in front of every endpoint of the API: first the client's identity, then its quota.
//!
//! The order matters, because a key determines which quota counts. An invalid key is refused on public endpoints too,
//! and counts against the client's address, so guessing keys is as slow as sending requests without one.

mod admitted_handler;
mod caller;
mod partner;
mod refusals;

use std::sync::Arc;

use domain::{actor::Actor, tier::Tier};
use edge::Peer;
use http::{HeaderMap, Method, header};
use limits::{Client, ClientNetworks, Decision, Limits, Network, OpenStreams, Quota, Slot};
use store::Store;

use self::refusals::{ONLY_SANDBOX, too_many_streams, used_up};
pub use self::{
    admitted_handler::{AdmissionFuture, AdmittedHandler},
    caller::Caller,
    partner::Partner,
};
pub(crate) use self::{partner::within, refusals::unknown_key};
use crate::{
    keys::{ApiKey, CallerKey, Holder, Keys, KnownKey},
    problem::{Code, Problem, Result, quoted},
};

/// Admits or refuses requests, and adds the rest of the quota to each response. Cheap to clone.
///
/// A wrapper around handlers rather than a layer on their routes: axum clones and boxes a route for each layer, for
/// every request.
#[derive(Clone, Debug)]
pub struct Admission {
    parts: Arc<AdmissionParts>,
    purpose: Purpose,
    /// Whether the routes are also for keys of a sandbox.
    has_sandbox: bool,
}

/// Purpose of the routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Public reads. All clients get the same response, so the handler gets no [`Caller`].
    Reading,
    Streaming,
    /// Data of partners.
    Partners,
}

#[derive(Debug)]
struct AdmissionParts {
    store: Store,
    keys: Keys,
    limits: Limits,
    streams: OpenStreams,
    networks: Arc<ClientNetworks>,
    /// Maximum number of open streams of an address or a key.
    streams_per_client: u32,
}

/// The caller or the problem, and the quota for the response headers.
type AdmissionResult = (Result<Caller>, Decision);

impl Admission {
    pub fn new(
        store: Store,
        keys: Keys,
        limits: Limits,
        streams: OpenStreams,
        networks: Arc<ClientNetworks>,
        streams_per_client: u32,
    ) -> Self {
        let parts = AdmissionParts { store, keys, limits, streams, networks, streams_per_client };
        Self { parts: Arc::new(parts), purpose: Purpose::Reading, has_sandbox: false }
    }

    /// Wraps `handler`, which then gets admitted requests only.
    pub fn to<H>(&self, handler: H) -> AdmittedHandler<H> {
        AdmittedHandler { admission: self.clone(), handler }
    }

    /// Returns an admission for routes that open a stream. There is a limit of streams too; a request refused by it
    /// counts against no quota.
    pub fn of_streams(&self) -> Self {
        Self { purpose: Purpose::Streaming, ..self.clone() }
    }

    /// Returns an admission for routes whose handlers take a [`Caller`] or a [`Partner`].
    pub fn of_partners(&self) -> Self {
        Self { purpose: Purpose::Partners, ..self.clone() }
    }

    /// Returns an admission that also admits keys of a sandbox: for routes that neither show nor change real data. All
    /// others refuse such keys.
    pub fn with_sandbox(&self) -> Self {
        Self { has_sandbox: true, ..self.clone() }
    }

    /// Logs a client that a limit has refused: the prefix of its key, or else its address.
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

    /// Decides without waiting if everything needed is in memory, which is nearly always the case. A future for each
    /// request would cost more than the decision.
    fn admit_now(
        &self,
        peer: Option<Peer>,
        method: &Method,
        headers: &HeaderMap,
    ) -> Option<AdmissionResult> {
        let network = self.parts.networks.of(peer.map(|peer| peer.addr.ip()), headers);
        match bearer(headers).ok()? {
            None => self.take_now(network, None, method),
            Some(given) => self.parts.keys.read(&given, |known| {
                check_origin(known, headers).ok()?;
                self.take_now(network, Some(known), method)
            })?,
        }
    }

    fn take_now(
        &self,
        network: Network,
        known: Option<&KnownKey>,
        method: &Method,
    ) -> Option<AdmissionResult> {
        let key = known.map(|known| known.key);
        let (client, quota) = client(network, key);
        let stream = match self.stream_limit(&quota, method) {
            Some(most) => Some(self.parts.streams.take_now(client, most)?),
            None => None,
        };
        let decision = self.parts.limits.take_now(client, &quota)?;
        if let Some(known) = known {
            known.count();
            if !decision.accepted {
                known.count_refusal();
            }
        }
        Some((self.admitted(client, key, network, stream, decision), decision))
    }

    async fn admit(
        &self,
        peer: Option<Peer>,
        method: &Method,
        headers: &HeaderMap,
    ) -> AdmissionResult {
        let limits = &self.parts.limits;
        let network = self.parts.networks.of(peer.map(|peer| peer.addr.ip()), headers);
        let key = match self.key(network, headers).await {
            Ok(key) => key,
            Err((problem, decision)) => return (Err(problem), decision),
        };
        let count_refusal = || {
            if let (Some(_), Ok(Some(given))) = (key, bearer(headers)) {
                self.parts.keys.read(&given, KnownKey::count_refusal);
            }
        };
        let (client, quota) = client(network, key);
        let stream = match self.stream(client, &quota, method).await {
            Ok(stream) => stream,
            Err(problem) => {
                count_refusal();
                return (Err(problem), limits.peek(client, &quota).await);
            }
        };
        let decision = limits.take(client, &quota).await;
        if !decision.accepted {
            count_refusal();
        }
        (self.admitted(client, key, network, stream, decision), decision)
    }

    /// Returns the caller, or the problem if its quota is used up or its key belongs to a sandbox that the route does not
    /// have.
    fn admitted(
        &self,
        client: Client,
        key: Option<CallerKey>,
        network: Network,
        stream: Option<Slot>,
        decision: Decision,
    ) -> Result<Caller> {
        if !decision.accepted {
            return Err(used_up(client, &decision));
        }
        if !self.has_sandbox && key.is_some_and(|key| key.tier.is_sandbox()) {
            return Err(Problem::forbidden(ONLY_SANDBOX));
        }
        let operator = self.operator(network, key);
        Ok(Caller {
            key,
            client,
            operator,
            decision,
            streams: self.parts.streams_per_client,
            stream,
        })
    }

    /// Returns the author of changes, if an operator calls one of the routes for partners.
    fn operator(&self, network: Network, key: Option<CallerKey>) -> Option<Actor> {
        let key =
            key.filter(|key| self.purpose == Purpose::Partners && key.tier == Tier::Operator)?;
        let Holder { prefix, name, .. } = self.parts.keys.holder(key.id)?;
        Some(Actor { name, key: Some(prefix), origin: network.to_string().into() })
    }

    /// Takes a slot if the request opens a stream.
    async fn stream(&self, client: Client, quota: &Quota, method: &Method) -> Result<Option<Slot>> {
        let Some(most) = self.stream_limit(quota, method) else { return Ok(None) };
        let slot = self.parts.streams.take(client, most).await;
        let most = self.parts.streams_per_client;
        slot.map(Some).ok_or_else(|| {
            Problem::too_many_streams(too_many_streams(client, most)).of_quota(quota.name)
        })
    }

    /// Maximum number of streams of the client, if the request opens one. A key without a request limit has no stream
    /// limit.
    fn stream_limit(&self, quota: &Quota, method: &Method) -> Option<Option<u32>> {
        let opens = self.purpose == Purpose::Streaming && method == Method::GET;
        opens.then(|| quota.requests.map(|_| self.parts.streams_per_client))
    }

    /// Counts a request with a valid key, if the page of the request may use it.
    fn counted(&self, given: &ApiKey, headers: &HeaderMap) -> Option<Result<CallerKey>> {
        self.parts.keys.read(given, |known| {
            check_origin(known, headers)?;
            known.count();
            Ok(known.key)
        })
    }

    /// Returns the key of the request, if it has one, and counts the request. An unknown key counts against the address,
    /// and so does a key that the page may not use: other sites should not be able to use up the quota of a page's key.
    async fn key(
        &self,
        network: Network,
        headers: &HeaderMap,
    ) -> Result<Option<CallerKey>, (Problem, Decision)> {
        let AdmissionParts { keys, limits, .. } = &*self.parts;
        let given = match bearer(headers) {
            Ok(None) => return Ok(None),
            Ok(Some(key)) => match self.counted(&key, headers) {
                Some(Ok(known)) => return Ok(Some(known)),
                Some(Err(problem)) => Err(problem),
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
            // Anybody can make up keys with a correct checksum, so unknown keys are queried only within the quota of
            // the address.
            Ok(key) => match keys.ask(&key).await {
                Ok(_) => match self.counted(&key, headers) {
                    Some(Ok(known)) => return Ok(Some(known)),
                    Some(Err(problem)) => problem,
                    None => unknown_key(),
                },
                Err(error) => error.into(),
            },
            Err(problem) => problem,
        };
        Err((problem, decision))
    }
}

/// Checks that the page of the request may use the key. Programs send no `Origin`, and a page's visitor could copy the
/// key into one: the check is against other sites that use the key of a page.
fn check_origin(known: &KnownKey, headers: &HeaderMap) -> Result<()> {
    let origin = headers.get(header::ORIGIN).filter(|_| known.key.is_of_pages);
    let Some(origin) = origin.filter(|origin| !known.allows_origin(origin.as_bytes())) else {
        return Ok(());
    };
    let origin = quoted(&String::from_utf8_lossy(origin.as_bytes()));
    Err(Problem::new(
        Code::OriginNotAllowed,
        format!(
            "Pages of {origin:?} may not use this key: use one that the operator has created for this origin."
        ),
    ))
}

/// Returns the client that the request counts against, and its quota.
fn client(network: Network, key: Option<CallerKey>) -> (Client, Quota) {
    match key {
        Some(key) => (Client::Key(key.id), key.quota()),
        None => (Client::Network(network), Quota::PUBLIC),
    }
}

/// Returns the well-formed key in the `Authorization` header, if there is one.
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
    // Other schemes are ignored: a proxy in front of this service may use one.
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
