//! Host names that requests to a private address may use. A page on the internet can make its own name resolve to any
//! address (DNS rebinding), and then read responses of that address as if they were its own. But it cannot change the
//! name.

use std::net::IpAddr;

use http::uri::Authority;

/// Suffixes of names that nobody can register: reserved (RFC 6761, 6762, 8375), or undelegated and used in private
/// networks.
const PRIVATE_ENDS: [&str; 11] = [
    ".localhost",
    ".local",
    ".internal",
    ".lan",
    ".home",
    ".home.arpa",
    ".corp",
    ".intranet",
    ".private",
    ".localdomain",
    ".test",
];

/// Names of a machine.
#[derive(Clone, Debug)]
pub struct OwnNames {
    /// First label of the machine's own name.
    machine: String,
    /// Host of the service's public URL, and the suffix of all names in its domain.
    public: Option<(String, String)>,
}

impl OwnNames {
    pub fn new(machine: &str, public: Option<&str>) -> Self {
        let machine = machine.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let public = public.map(|host| {
            let host = host.to_ascii_lowercase();
            let domain = host.split_once('.').map(|(_, domain)| domain);
            let domain = domain.filter(|domain| domain.contains('.')).unwrap_or(&host);
            (host.clone(), format!(".{domain}"))
        });
        Self { machine, public }
    }

    /// Whether a request with this `Host` may be handled.
    pub fn allow(&self, host: &str) -> bool {
        let Ok(host) = host.parse::<Authority>() else { return false };
        let name = host.host().trim_end_matches('.').to_ascii_lowercase();
        let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        let is_public = |(public, domain): &(String, String)| {
            name == *public || name == domain[1..] || name.ends_with(domain.as_str())
        };
        is_address
            // A name with one label belongs to the local network.
            || !name.contains('.')
            || name.split('.').next() == Some(self.machine.as_str())
            || self.public.as_ref().is_some_and(is_public)
            || PRIVATE_ENDS.iter().any(|end| name.ends_with(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_address_is_asked_under_names_that_nobody_else_can_have() {
        let names = OwnNames::new("Node1.example.org", Some("Stats.example.org"));
        for host in [
            "127.0.0.1:3001",
            "[::1]:3001",
            "localhost:3001",
            "svc:3001",
            "svc.default.svc.cluster.local:3001",
            "node1.example.org:3001",
            "STATS.example.org",
            "desk.example.org",
            "ops.internal.",
            "a.home.arpa",
        ] {
            assert!(names.allow(host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:3001",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "notexample.org",
            "",
            "a b",
        ] {
            assert!(!names.allow(host), "{host}");
        }
        let names = OwnNames::new("node1", Some("example.org"));
        assert!(names.allow("example.org") && names.allow("desk.example.org"));
        assert!(!names.allow("evil.org"), "an end that everybody has is nobody's");
    }
}
