//! Limits of open connections per address, and of open requests on them.

use std::{net::IpAddr, time::Duration};

use base::clock::{Clock, Seldom};
use edge::{Admission, Permit, problem};
use limits::{Network, Slot, Slots, TrustedProxies};

use crate::problem::{Code, Problem};

/// Maximum number of open HTTP/2 requests of an address, per connection that it may have. Clients that have many
/// connections use few streams of each.
const REQUESTS_PER_CONNECTION: u32 = 4;

/// Minimum time between two warnings: any client can cause them.
const WARN_INTERVAL: Duration = Duration::from_secs(60);

/// Limit of each address (IPv6: each /64). Trusted proxies have none, because their connections carry all visitors.
#[derive(Debug)]
pub(crate) struct ConnectionLimit {
    max: u32,
    trusted_proxies: TrustedProxies,
    connections: Slots<Network>,
    /// Open HTTP/2 requests.
    requests: Slots<Network>,
    warnings: Seldom,
}

impl ConnectionLimit {
    pub(crate) fn new(max: u32, trusted_proxies: TrustedProxies, clock: Clock) -> Self {
        let warnings = Seldom::new(clock, WARN_INTERVAL);
        let (connections, requests) = (Slots::default(), Slots::default());
        Self { max, trusted_proxies, connections, requests, warnings }
    }

    fn take(&self, slots: &Slots<Network>, peer: IpAddr, max: u32, what: &str) -> Option<Slot> {
        let max = (!self.is_proxy(peer)).then_some(max);
        let slot = slots.take(Network::of(peer), max);
        if let (None, Some(max)) = (&slot, max)
            && let Some(more) = self.warnings.may_speak()
        {
            tracing::warn!(
                "a {what} from {peer} was refused: {max} are open from there (--connections-per-address). \
                 {more} more were refused since the last warning"
            );
        }
        slot
    }
}

impl Admission for ConnectionLimit {
    fn connection(&self, peer: IpAddr) -> Result<Permit, problem::Problem> {
        let max = self.max;
        let slot = self.take(&self.connections, peer, max, "connection");
        slot.map(Permit::new).ok_or_else(|| {
            let detail = format!(
                "{max} connections are open from this address: close one, or use them for more requests."
            );
            Problem::new(Code::TooManyConnections, detail).0
        })
    }

    fn request(&self, peer: IpAddr) -> Option<Permit> {
        let max = self.max.saturating_mul(REQUESTS_PER_CONNECTION);
        self.take(&self.requests, peer, max, "request").map(Permit::new)
    }

    fn is_proxy(&self, peer: IpAddr) -> bool {
        self.trusted_proxies.contains(peer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_connections_and_four_requests_for_each_but_a_proxy_any_number() {
        let clock = Clock::stepped(chrono::DateTime::UNIX_EPOCH);
        let limit = ConnectionLimit::new(2, "192.0.2.9".parse().unwrap(), clock);
        let [client, neighbour, other, proxy]: [IpAddr; 4] =
            ["2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.9"].map(|ip| ip.parse().unwrap());
        let first = limit.connection(client).unwrap();
        let _second = limit.connection(neighbour).unwrap();
        let refused = limit.connection(client).unwrap_err();
        assert_eq!(refused.kind, Code::TooManyConnections.kind());
        assert!(refused.detail.starts_with("2 connections are open"), "{}", refused.detail);
        let _other = limit.connection(other).unwrap();
        drop(first);
        let _third = limit.connection(client).unwrap();
        let requests: Vec<_> = (0..8).map(|_| limit.request(client).unwrap()).collect();
        assert!(limit.request(client).is_none());
        drop(requests);
        assert!(limit.request(client).is_some());
        let _many: Vec<_> = (0..100).map(|_| limit.connection(proxy).unwrap()).collect();
        assert!(limit.is_proxy(proxy) && !limit.is_proxy(client));
    }
}
