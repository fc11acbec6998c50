use std::{net::IpAddr, str::FromStr, sync::Arc};

use arc_swap::ArcSwap;
use domain::networks::Networks;

/// Proxies that are trusted to report the client of a request. None by default. Clones share the list, which may be
/// [replaced](Self::replace) at any time.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Arc<ArcSwap<Networks>>);

impl TrustedProxies {
    /// Whether the address belongs to a trusted proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.load().contains(address)
    }

    /// Replaces the list with that of `others`.
    pub fn replace(&self, others: &Self) {
        self.0.store(others.0.load_full());
    }
}

impl FromStr for TrustedProxies {
    type Err = String;

    /// Parses networks and addresses, separated by commas, such as `10.0.0.0/8, ::1`.
    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(|networks| Self(Arc::new(ArcSwap::from_pointee(networks))))
    }
}

#[cfg(test)]
mod tests;
