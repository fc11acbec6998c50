use std::{
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use http::{HeaderMap, header};

use super::TrustedProxies;
use crate::clock::Clock;

/// Anybody can send these headers, so no more often than this is anything logged.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// Tells the operator of a proxy that is missing among the trusted ones. All its visitors would
/// silently count as one.
#[derive(Debug)]
pub struct UnlistedProxies {
    clock: Clock,
    /// On the clock.
    silent_until: Mutex<Duration>,
}

impl UnlistedProxies {
    pub fn new(clock: Clock) -> Self {
        Self { clock, silent_until: Mutex::default() }
    }

    /// Logs a warning, at most once an hour, if somebody who is no trusted proxy forwards requests.
    pub fn notice(&self, peer: IpAddr, headers: &HeaderMap, trusted: &TrustedProxies) {
        let header = match () {
            () if headers.contains_key("x-forwarded-for") => "X-Forwarded-For",
            () if headers.contains_key(header::FORWARDED) => "Forwarded",
            () => return,
        };
        if trusted.contains(peer) || !self.is_time() {
            return;
        }
        let peer = peer.to_canonical();
        tracing::warn!(
            "{peer} sends {header} but is not a trusted proxy, so all visitors behind it share one \
             quota of requests and of streams. If it is your proxy, start with --trusted-proxies \
             {peer} (SVC_TRUSTED_PROXIES)"
        );
    }

    fn is_time(&self) -> bool {
        let now = self.clock.elapsed();
        // A time is never left half written.
        let mut silent_until = self.silent_until.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time = now >= *silent_until;
        if is_time {
            *silent_until = now + PAUSE;
        }
        is_time
    }
}
