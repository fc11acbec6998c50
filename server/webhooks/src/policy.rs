//! Which addresses webhooks of this service may go to: public ones of other machines, others as far as the operator
//! allows them, and none that the operator denies. The addresses of clouds' metadata services are
//! out of reach whatever is allowed, in every form that leads to them: they give out the machine's
//! own credentials to whoever asks.

use std::{fmt, net::IpAddr};

use domain::networks::Networks;

use self::own::is_own;
use super::address::{self, METADATA};

mod own;

/// Reason for an address of this machine that would be public elsewhere.
const OWN: &str = "an address of this service itself";

/// Which addresses webhooks may go to. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressPolicy {
    pub private: PrivateAddresses,
    /// Where webhooks do not go, public or not; wins over what is allowed. `None`: nothing beyond
    /// what is not allowed anyway.
    pub denied: Option<Networks>,
}

/// Which of the addresses that are not public, or this machine's own, are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PrivateAddresses {
    #[default]
    None,
    Within(Networks),
    All,
}

/// Why webhooks do not go to an address; shown as a phrase such as `a loopback address`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is not public, this machine's own, or the address of a cloud's metadata service.
    Special(&'static str),
    /// The operator denies it.
    Denied,
}

impl AddressPolicy {
    /// Why webhooks do not go to this address; `None` where they do.
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

    /// Whether a name that is known only in a local network may lead anywhere.
    pub fn allows_local_names(&self) -> bool {
        self.private != PrivateAddresses::None
    }
}

impl FromIterator<PrivateAddresses> for PrivateAddresses {
    /// What is in any of them.
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

/// Whether the address, or the IPv4 address that it goes to, is in one of these networks.
fn contains_meant(networks: &Networks, ip: IpAddr) -> bool {
    networks.contains(ip) || address::meant_ipv4(ip).is_some_and(|ip| networks.contains(ip.into()))
}

/// The same, also for an IPv4 address that it only may lead to by way of a tunnel or a translator.
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
