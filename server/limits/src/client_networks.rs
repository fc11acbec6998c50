use std::net::{IpAddr, Ipv4Addr};

use http::HeaderMap;

use super::{Network, ProxyWarnings, TrustedProxies, client_ip};

/// Which client a request counts for, behind the operator's proxies or without any.
#[derive(Debug)]
pub struct ClientNetworks {
    trusted: TrustedProxies,
    warnings: ProxyWarnings,
}

impl ClientNetworks {
    pub fn new(trusted: TrustedProxies, warnings: ProxyWarnings) -> Self {
        Self { trusted, warnings }
    }

    /// The client of a request that came from `peer`. A request without one counts for the unspecified
    /// address.
    pub fn of(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Network {
        let peer = peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into());
        self.warnings.notice(peer, headers, &self.trusted);
        Network::of(client_ip(peer, headers, &self.trusted))
    }
}
