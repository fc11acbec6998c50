use std::{convert::Infallible, sync::Arc};

use axum::extract::{FromRef, FromRequestParts};
use http::request::Parts;

use crate::{
    http::{
        Peer,
        problem::{Problem, Result},
    },
    limit::{Client, ClientNetworks, Limits, Network, Quota},
};

/// Who asks for pages, pictures and what widgets need. Cheap to clone.
///
/// What is cached is for everybody, as often as they like. But options come from the query, so anybody
/// can ask for what nobody asked for before; that counts against a quota of its own, which is more
/// than people use.
#[derive(Clone, Debug)]
pub struct Visitors {
    limits: Limits,
    networks: Arc<ClientNetworks>,
}

impl Visitors {
    pub fn new(limits: Limits, networks: Arc<ClientNetworks>) -> Self {
        Self { limits, networks }
    }
}

/// The visitor that a request comes from.
#[derive(Debug)]
pub struct Visitor {
    limits: Limits,
    network: Network,
}

impl Visitor {
    pub fn of(visitors: &Visitors, request: &Parts) -> Self {
        let peer = request.extensions.get::<Peer>().map(|peer| peer.addr.ip());
        let network = visitors.networks.of(peer, &request.headers);
        Self { limits: visitors.limits.clone(), network }
    }

    /// Counts one thing that has to be made because no cache has it.
    ///
    /// # Errors
    /// If there were too many of them within a minute.
    pub async fn count_uncached(&self) -> Result<()> {
        let decision = self.limits.take(Client::Visitor(self.network), &Quota::UNCACHED).await;
        if decision.accepted {
            return Ok(());
        }
        let most = Quota::UNCACHED.requests.unwrap_or(u32::MAX);
        let tier = Quota::UNCACHED.name;
        tracing::debug!(tier, address = %self.network, "refused by a limit");
        Err(Problem::rate_limited(
            format!(
                "{most} pages, pictures or answers that were not in the cache were made for this \
                 address within a minute. Wait as long as Retry-After says."
            ),
            decision.reset,
        )
        .of_quota(tier))
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor
where
    Visitors: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&Visitors::from_ref(state), parts))
    }
}
