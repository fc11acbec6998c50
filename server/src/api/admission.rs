//! What stands before every endpoint of the API: first who asks, then whether they may ask now.
//!
//! In this order, because a key decides which quota counts. A key that is not valid is refused on
//! public endpoints too, and counted against the address it came from, so that guessing is as slow
//! as asking without one.

use std::{net::SocketAddr, sync::Arc};

use axum::extract::{FromRequestParts, Request};
use http::{HeaderMap, header, request::Parts};

use crate::{
    http::problem::{Problem, Result},
    keys::{ApiKey, Key},
    limit::{Client, Decision, Network, Quota, client_ip},
    state::App,
};

/// The socket's other end; the listener leaves it with each request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Who asks; left with each request that is let in.
#[derive(Clone, Debug)]
pub struct Caller {
    pub network: Network,
    pub key: Option<Arc<Key>>,
}

/// Whether a request goes on, and what its answer says of the quota. By default it goes on, and no
/// quota is concerned.
#[derive(Debug, Default)]
pub struct Admission {
    pub refused: Option<Problem>,
    pub decision: Option<Decision>,
}

/// Whether `path` belongs to the API, known or not.
pub fn guards(path: &str) -> bool {
    path.starts_with("/api/")
}

/// Decides on a request, and leaves the [`Caller`] with it.
pub async fn admit(app: &App, request: &mut Request) -> Admission {
    let network = network(app, request);
    let key = match key(app, request.headers()).await {
        Ok(key) => key,
        Err(problem @ Problem { cause: Some(_), .. }) => {
            return Admission { refused: Some(problem), decision: None };
        }
        Err(problem) => {
            let decision = app.limits.take(Client::Network(network), &Quota::PUBLIC).await;
            let problem = if decision.accepted { problem } else { refusal(&decision) };
            return Admission { refused: Some(problem), decision: Some(decision) };
        }
    };
    let decision = match &key {
        Some(key) => app.limits.take(Client::Key(key.id), key.tier.quota()).await,
        None => app.limits.take(Client::Network(network), &Quota::PUBLIC).await,
    };
    let refused = (!decision.accepted).then(|| refusal(&decision));
    request.extensions_mut().insert(Caller { network, key });
    Admission { refused, decision: Some(decision) }
}

fn network(app: &App, request: &Request) -> Network {
    // The listener leaves it with every request; the unspecified address stands for none.
    let peer = request.extensions().get::<Peer>().map_or([0, 0, 0, 0].into(), |peer| peer.0.ip());
    let (headers, trusted) = (request.headers(), &app.settings.trusted_proxies);
    app.unlisted_proxies.notice(peer, headers, trusted);
    Network::of(client_ip(peer, headers, trusted))
}

fn refusal(decision: &Decision) -> Problem {
    let detail = "The quota of requests a minute is used up. Wait as long as Retry-After says; \
                  a key has a higher quota.";
    Problem::rate_limited(detail, decision.reset)
}

/// The key that came along, if one did.
async fn key(app: &App, headers: &HeaderMap) -> Result<Option<Arc<Key>>> {
    let mut given = headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = given.next() else { return Ok(None) };
    if given.next().is_some() {
        return Err(invalid("More than one Authorization header was sent: send one."));
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
    let Some(key) = ApiKey::parse(text) else {
        return Err(invalid(
            "What was sent as a key is none: a key begins with svc_ and has 42 characters. \
             Check that it was copied as a whole.",
        ));
    };
    match app.keys.find(&key).await? {
        Some(key) => Ok(Some(key)),
        None => Err(invalid(
            "The key is unknown, revoked or expired. Ask the operator for another, or send none.",
        )),
    }
}

fn invalid(detail: &'static str) -> Problem {
    Problem::unauthenticated(detail)
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Problem::internal(Arc::new(NoCaller)))
    }
}

/// A route outside of what [`guards`] knows asks who is calling.
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
                "This key is the operator's own, and subscriptions belong to partners: use a key \
                 of the tier partner or enterprise.",
            ));
        }
        Ok(Self { id: key.partner_id })
    }
}
