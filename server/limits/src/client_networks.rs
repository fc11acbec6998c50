use std::net::{IpAddr, Ipv4Addr};

use http::HeaderMap;

use super::{Network, ProxyWarnings, TrustedProxies, client_ip};

/// Finds the client that a request counts for, with or without the operator's proxies.
#[derive(Debug)]
pub struct ClientNetworks {
    trusted: TrustedProxies,
    warnings: ProxyWarnings,
}

impl ClientNetworks {
    pub fn new(trusted: TrustedProxies, warnings: ProxyWarnings) -> Self {
        Self { trusted, warnings }
    }

    /// Client of a request from `peer`. A request without a peer counts for the unspecified address.
    pub fn of(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Network {
        let peer = peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into());
        self.warnings.notice(peer, headers, &self.trusted);
        Network::of(client_ip(peer, headers, &self.trusted))
    }
}
