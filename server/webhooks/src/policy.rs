//! Policy for the addresses that webhooks may go to: public ones of other machines, others that the operator allows,
//! and none that the operator denies. The addresses of clouds' metadata services are never allowed, in any form that
//! leads to them: they return the machine's own credentials to every client.

use std::{fmt, net::IpAddr};

use domain::networks::Networks;

use self::own::is_own;
use super::address::{self, METADATA};

mod own;

/// Reason for an address of this machine that would be public elsewhere.
const OWN: &str = "an address of this service itself";

/// Policy for the addresses that webhooks may go to. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressPolicy {
    pub private: PrivateAddresses,
    /// Networks that webhooks do not go to, public or not. Takes precedence over allowed ones.
    pub denied: Option<Networks>,
}

/// Allowed addresses among those that are not public or are this machine's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PrivateAddresses {
    #[default]
    None,
    Within(Networks),
    All,
}

/// Reason for which webhooks do not go to an address; displayed as a phrase such as `a loopback address`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The address is not public, this machine's own, or that of a cloud's metadata service.
    Special(&'static str),
    /// The operator denies the address.
    Denied,
}

impl AddressPolicy {
    /// Reason for which webhooks do not go to this address; `None` if they may.
    pub fn refusal(&self, ip: IpAddr) -> Option<Reason> {
        self.refusal_by(ip, is_own)
    }

    fn refusal_by(&self, ip: IpAddr, is_own: impl Fn(IpAddr) -> bool) -> Option<Reason> {
        if address::leads_to_metadata(ip) {
            return Some(Reason::Special(METADATA));
        }
        if self.denied.as_ref().is_some_and(|denied| contains_any_form(denied, ip)) {
            return Some(Reason::Denied);
        }
        let meant = || address::meant_ipv4(ip).map_or(ip, IpAddr::V4);
        let reason = address::refusal(ip).or_else(|| is_own(meant()).then_some(OWN))?;
        match &self.private {
            PrivateAddresses::All => None,
            PrivateAddresses::Within(networks) if contains_meant(networks, ip) => None,
            PrivateAddresses::Within(_) | PrivateAddresses::None => Some(Reason::Special(reason)),
        }
    }

    /// Whether names of a local network may be used.
    pub fn allows_local_names(&self) -> bool {
        self.private != PrivateAddresses::None
    }
}

impl FromIterator<PrivateAddresses> for PrivateAddresses {
    /// Union of the allowed addresses.
    fn from_iter<T: IntoIterator<Item = PrivateAddresses>>(parts: T) -> Self {
        let mut allowed = Vec::new();
        for part in parts {
            match part {
                PrivateAddresses::None => {}
                PrivateAddresses::Within(networks) => allowed.push(networks),
                PrivateAddresses::All => return PrivateAddresses::All,
            }
        }
        if allowed.is_empty() {
            return PrivateAddresses::None;
        }
        PrivateAddresses::Within(allowed.into_iter().collect())
    }
}

/// Whether the address, or the IPv4 address that it always leads to, is in one of these networks.
fn contains_meant(networks: &Networks, ip: IpAddr) -> bool {
    networks.contains(ip) || address::meant_ipv4(ip).is_some_and(|ip| networks.contains(ip.into()))
}

/// Whether the address, or any IPv4 address embedded in it, is in one of these networks. Embedded addresses may be
/// reachable through a tunnel or translator.
fn contains_any_form(networks: &Networks, ip: IpAddr) -> bool {
    networks.contains(ip) || address::embedded_ipv4(ip).any(|ip| networks.contains(ip.into()))
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Reason::Special(words) => words,
            Reason::Denied => "an address that the operator of this service denies",
        })
    }
}

#[cfg(test)]
mod tests;
