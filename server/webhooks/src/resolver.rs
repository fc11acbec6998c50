//! Name resolution. The HTTP client uses it when it connects, so the checked addresses are those that it connects to.
//! A name that was public when its URL was checked and is private now (DNS rebinding) is therefore refused.

use std::{
    fmt, io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    task::{Context, Poll},
    vec,
};

use futures_util::future::BoxFuture;
use hyper_util::client::legacy::connect::dns::Name;
use tower::Service;

use super::policy::Reason;
use crate::targets::WebhookTargets;
use names::Names;
use others::Others;
use system::System;

mod names;
mod others;
pub(crate) mod routes;
mod system;

const NO_ADDRESSES: &str = "it has no addresses";

/// Resolver of names: the system's name servers, or a test's script. Cheap to clone; clones share the cache.
#[derive(Clone)]
pub struct Resolver {
    source: NameSource,
    others: Arc<Others>,
}

#[derive(Clone)]
enum NameSource {
    System(Arc<System>),
    Scripted(Arc<Script>),
}

type Script = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// Reason for which a host cannot be connected to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// The name does not exist, or has no addresses.
    #[error("the host's name does not resolve ({0})")]
    NotFound(String),
    /// The name servers of this machine do not respond, or return an error.
    #[error("the host's name cannot be looked up ({0})")]
    Unanswered(String),
    /// Webhooks do not go to one of the addresses. The address is left out: partners read this text, and the address
    /// may be from inside the operator's network.
    #[error("the host resolves to {0}")]
    NotAllowed(Reason),
}

impl Resolver {
    /// Resolver that uses the system's hosts file and name servers. Create it once, within a runtime.
    pub fn system() -> Self {
        Self::of(NameSource::System(Arc::new(System::new(Names::of_system()))))
    }

    fn of(source: NameSource) -> Self {
        Self { source, others: Arc::default() }
    }

    /// Resolver that calls a function, so that a test can change the addresses of a name. An error other than
    /// [`io::ErrorKind::NotFound`] counts as one of the name servers.
    pub fn scripted(
        answer: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) -> Self {
        Self::of(NameSource::Scripted(Arc::new(answer)))
    }

    /// All addresses of a host, at least one. Takes at most four seconds.
    pub async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, LookupError> {
        let addresses = match &self.source {
            NameSource::System(system) => system.resolve(host).await?,
            NameSource::Scripted(answer) => answer(host).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => LookupError::NotFound(error.to_string()),
                _ => LookupError::Unanswered(error.to_string()),
            })?,
        };
        if addresses.is_empty() {
            return Err(LookupError::NotFound(NO_ADDRESSES.to_owned()));
        }
        if host.parse::<IpAddr>().is_err() {
            self.others.note(host);
        }
        Ok(addresses)
    }

    /// Whether another name can be looked up at this moment. If so, the name servers are not the reason for which
    /// `host` cannot be. `false` as long as no other name was looked up.
    pub async fn others_resolve(&self, host: &str) -> bool {
        let Some(name) = self.others.below_one_but(host) else { return false };
        match &self.source {
            NameSource::System(system) => system.has_answer(&name).await,
            NameSource::Scripted(answer) => match answer(&name) {
                Ok(_) => true,
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            },
        }
    }

    /// Whether a host has only IPv6 addresses, and this machine has a route to none of them, but to IPv4 addresses.
    pub async fn lacks_ipv6(&self, host: &str) -> bool {
        self.resolve(host).await.is_ok_and(|addresses| routes::lack_ipv6(&addresses))
    }

    /// All addresses of a host, if webhooks may go to each of them. A single one that is not allowed is an error,
    /// because the partner does not control which of them the client connects to.
    pub async fn vetted(
        &self,
        host: &str,
        allowed: &WebhookTargets,
    ) -> Result<Vec<IpAddr>, LookupError> {
        let addresses = self.resolve(host).await?;
        let refusal = addresses.iter().find_map(|address| allowed.addresses.refusal(*address));
        refusal.map_or(Ok(addresses), |reason| Err(LookupError::NotAllowed(reason)))
    }
}

impl LookupError {
    /// Whether the failure is on this service's side, and so no evidence against the host.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::Unanswered(_))
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.source {
            NameSource::System(_) => "Resolver(system)",
            NameSource::Scripted(_) => "Resolver(scripted)",
        })
    }
}

/// Resolver for the HTTP client that returns only checked addresses.
#[derive(Clone, Debug)]
pub struct VettedResolver {
    pub resolver: Resolver,
    pub allowed: WebhookTargets,
}

impl Service<Name> for VettedResolver {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = LookupError;
    type Future = BoxFuture<'static, Result<Self::Response, LookupError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), LookupError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let Self { resolver, allowed } = self.clone();
        Box::pin(async move {
            let addresses = routes::reachable(resolver.vetted(name.as_str(), &allowed).await?);
            // Port 0: the client replaces it by the URL's port.
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(addresses.collect::<Vec<_>>().into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolver() -> Resolver {
        Resolver::scripted(|host| match host {
            "public" => Ok(vec!["8.8.8.8".parse().unwrap(), "2a00::1".parse().unwrap()]),
            "mixed" => Ok(vec!["8.8.8.8".parse().unwrap(), "10.0.0.1".parse().unwrap()]),
            "empty" => Ok(Vec::new()),
            _ => Err(io::Error::new(io::ErrorKind::NotFound, "no such name")),
        })
    }

    const PRIVATE_TOO: WebhookTargets = WebhookTargets::with(false, true);

    async fn vetted(host: &str, allowed: WebhookTargets) -> Result<usize, String> {
        let answer = resolver().vetted(host, &allowed).await;
        answer.map(|addresses| addresses.len()).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn one_address_that_is_not_public_spoils_the_others() {
        let none = WebhookTargets::default;
        assert_eq!(vetted("public", none()).await, Ok(2));
        assert_eq!(
            vetted("mixed", none()).await,
            Err("the host resolves to a private address (RFC 1918)".to_owned())
        );
        assert_eq!(vetted("mixed", PRIVATE_TOO).await, Ok(2));
    }

    #[tokio::test]
    async fn a_name_without_an_address_does_not_resolve() {
        for allowed in [WebhookTargets::default(), PRIVATE_TOO] {
            assert_eq!(
                vetted("empty", allowed.clone()).await,
                Err("the host's name does not resolve (it has no addresses)".to_owned())
            );
            assert_eq!(
                vetted("unknown", allowed).await,
                Err("the host's name does not resolve (no such name)".to_owned())
            );
        }
    }

    #[tokio::test]
    async fn the_http_client_gets_vetted_addresses_only() {
        let mut vetted =
            VettedResolver { resolver: resolver(), allowed: WebhookTargets::default() };
        let addresses = vetted.call("public".parse().unwrap()).await.unwrap();
        let expected = ["8.8.8.8:0", "[2a00::1]:0"].map(|address| address.parse().unwrap());
        assert_eq!(addresses.collect::<Vec<SocketAddr>>(), expected);
        assert!(vetted.call("mixed".parse().unwrap()).await.is_err());
    }

    #[tokio::test]
    async fn the_system_knows_this_machine() {
        let addresses = Resolver::system().resolve("localhost").await.unwrap();
        assert!(addresses.iter().all(IpAddr::is_loopback), "{addresses:?}");
    }
}
