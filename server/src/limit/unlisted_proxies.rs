use std::{net::IpAddr, time::Duration};

use http::{HeaderMap, header};

use super::{TrustedProxies, forwarded::X_FORWARDED_FOR};
use crate::clock::{Clock, Seldom};

/// Anybody can send these headers, so no more often than this is anything logged.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// Tells the operator of a proxy that is missing among the trusted ones. All its visitors would
/// silently count as one.
#[derive(Debug)]
pub struct UnlistedProxies(Seldom);

impl UnlistedProxies {
    pub fn new(clock: Clock) -> Self {
        Self(Seldom::new(clock, PAUSE))
    }

    /// Logs a warning, at most once an hour, if somebody who is no trusted proxy forwards requests.
    pub fn notice(&self, peer: IpAddr, headers: &HeaderMap, trusted: &TrustedProxies) {
        let header = match () {
            () if headers.contains_key(&X_FORWARDED_FOR) => "X-Forwarded-For",
            () if headers.contains_key(header::FORWARDED) => "Forwarded",
            () => return,
        };
        if trusted.contains(peer) || self.0.may_speak().is_none() {
            return;
        }
        let peer = peer.to_canonical();
        tracing::warn!(
            "{peer} sends {header} but is not a trusted proxy, so all visitors behind it share one \
             quota of requests and of streams. If it is your proxy, start with --trusted-proxies \
             {peer} (SVC_TRUSTED_PROXIES)"
        );
    }
}
