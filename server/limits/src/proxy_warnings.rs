use std::{net::IpAddr, time::Duration};

use base::clock::{Clock, Seldom};
use http::{HeaderMap, header};

use super::{TrustedProxies, client_ip, forwarded::X_FORWARDED_FOR};

/// Minimum time between two logs of the same warning: anybody can send these headers.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// Warnings for the operator about proxies that make all their visitors count as one client: a proxy that is not
/// listed as trusted, and a proxy that forwards a header that contradicts its own.
#[derive(Debug)]
pub struct ProxyWarnings {
    unlisted: Seldom,
    contradicted: Seldom,
}

impl ProxyWarnings {
    pub fn new(clock: Clock) -> Self {
        Self {
            unlisted: Seldom::new(clock.clone(), PAUSE),
            contradicted: Seldom::new(clock, PAUSE),
        }
    }

    /// Logs a warning, at most once an hour, if the client of a forwarded request cannot be determined.
    pub fn notice(&self, peer: IpAddr, headers: &HeaderMap, trusted: &TrustedProxies) {
        let (x_forwarded_for, forwarded) =
            (headers.contains_key(&X_FORWARDED_FOR), headers.contains_key(header::FORWARDED));
        if !x_forwarded_for && !forwarded {
            return;
        }
        let peer = peer.to_canonical();
        if !trusted.contains(peer) {
            let header = if x_forwarded_for { "X-Forwarded-For" } else { "Forwarded" };
            self.warn_of_unlisted(peer, header);
        } else if x_forwarded_for && forwarded && client_ip::contradict(peer, headers, trusted) {
            self.warn_of_contradicted(peer);
        }
    }

    fn warn_of_unlisted(&self, peer: IpAddr, header: &str) {
        if self.unlisted.may_speak().is_none() {
            return;
        }
        tracing::warn!(
            "{peer} sends {header} but is not a trusted proxy, so all visitors behind it share one \
             quota of requests and of streams. If it is your proxy, start with --trusted-proxies \
             {peer} (SVC_TRUSTED_PROXIES)"
        );
    }

    fn warn_of_contradicted(&self, peer: IpAddr) {
        if self.contradicted.may_speak().is_none() {
            return;
        }
        tracing::warn!(
            "the trusted proxy {peer} sends X-Forwarded-For and Forwarded, which name different clients, so \
             neither is believed, and all such requests share one quota of requests and of streams. \
             Have the proxy remove the header that it does not write itself"
        );
    }
}
