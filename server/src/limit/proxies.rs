use std::{net::IpAddr, str::FromStr};

use crate::domain::networks::Networks;

/// The proxies whose word on where a request comes from is believed. None by default.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Networks);

impl TrustedProxies {
    /// Whether the address is one of a trusted proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(address)
    }
}

impl FromStr for TrustedProxies {
    type Err = String;

    /// Parses networks and addresses, separated by commas, such as `10.0.0.0/8, ::1`.
    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests;
