//! Public addresses: the only ones that webhooks go to, unless the operator allows more ([`policy`](super::policy)).
//! A partner chooses the URL, and this machine opens the connection. Without this check, a partner could reach
//! everything that this machine reaches: its own ports, the network behind it, the cloud's metadata service with its
//! credentials.
//!
//! The lists are IANA's special-purpose registries of IPv4 and IPv6 (RFC 6890, kept up to date by its successors at
//! <https://www.iana.org/assignments/iana-ipv4-special-registry> and
//! <https://www.iana.org/assignments/iana-ipv6-special-registry>), plus multicast, addresses that embed an IPv4
//! address, and the fixed addresses of clouds' own services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Reason that [`refusal`] returns for the address of a cloud's metadata service.
pub const METADATA: &str = "the address of a cloud's metadata service";

/// Networks of IPv4 that are not public. Of overlapping ones, the narrower comes first, because its reason is more
/// specific.
const IPV4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::new(169, 254, 169, 254), 32, METADATA),
    (Ipv4Addr::new(169, 254, 170, 2), 32, METADATA), // Amazon ECS: credentials of a task
    (Ipv4Addr::new(169, 254, 170, 23), 32, METADATA), // Amazon EKS: credentials of a pod
    (Ipv4Addr::new(169, 254, 42, 42), 32, METADATA), // Scaleway
    (Ipv4Addr::new(169, 254, 0, 23), 32, METADATA),  // Tencent Cloud
    (Ipv4Addr::new(100, 100, 100, 200), 32, METADATA), // Alibaba Cloud
    (Ipv4Addr::new(192, 0, 0, 192), 32, METADATA),   // Oracle Cloud
    (Ipv4Addr::new(168, 63, 129, 16), 32, METADATA), // Azure: public by number, local by routing
    (Ipv4Addr::new(0, 0, 0, 0), 8, "an address of \"this network\" (RFC 791)"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "a private address (RFC 1918)"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "a shared address of carriers (RFC 6598)"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "a loopback address"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "a link-local address"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "a private address (RFC 1918)"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "an address of protocol assignments (RFC 6890)"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "a documentation address (RFC 5737)"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a 6to4 relay address (RFC 7526)"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "a private address (RFC 1918)"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "a benchmarking address (RFC 2544)"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "a documentation address (RFC 5737)"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "a documentation address (RFC 5737)"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "a multicast address"),
    (Ipv4Addr::new(255, 255, 255, 255), 32, "the broadcast address"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "a reserved address (RFC 1112)"),
];

/// Networks of IPv6 that are not public, ordered like [`IPV4`].
const IPV6: &[(Ipv6Addr, u32, &str)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, "the unspecified address"),
    (Ipv6Addr::LOCALHOST, 128, "a loopback address"),
    (Ipv6Addr::UNSPECIFIED, 96, "an IPv4-compatible address (RFC 4291)"),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, "a local translation address (RFC 8215)"),
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64, "a discard address (RFC 6666)"),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 32, "a Teredo address (RFC 4380)"),
    (Ipv6Addr::new(0x2001, 2, 0, 0, 0, 0, 0, 0), 48, "a benchmarking address (RFC 5180)"),
    (Ipv6Addr::new(0x2001, 0x10, 0, 0, 0, 0, 0, 0), 28, "an ORCHID (RFC 4843)"),
    (Ipv6Addr::new(0x2001, 0x20, 0, 0, 0, 0, 0, 0), 28, "an ORCHID (RFC 7343)"),
    (
        Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0),
        23,
        "an address of protocol assignments (RFC 2928)",
    ),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "a documentation address (RFC 3849)"),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "a 6to4 address (RFC 3056)"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "a documentation address (RFC 9637)"),
    (Ipv6Addr::new(0x5f00, 0, 0, 0, 0, 0, 0, 0), 16, "a segment-routing address (RFC 9602)"),
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), 128, METADATA), // Amazon EC2
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23), 128, METADATA),  // Amazon EKS
    (Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42), 128, METADATA),   // Scaleway
    (Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254), 128, METADATA),  // Google Cloud
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "a unique local address (RFC 4193)"),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, "a link-local address"),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, "a site-local address (RFC 3879)"),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "a multicast address"),
];

/// Only part of IPv6 from which public addresses are assigned (RFC 4291).
const GLOBAL_UNICAST: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// IPv6 forms that always lead to an IPv4 address, and so are public if that is: IPv4-mapped (RFC 4291), and the
/// well-known prefix of NAT64 (RFC 6052), through which a host without IPv4 reaches the rest of the world.
const MEANING_IPV4: [(Ipv6Addr, u32); 2] = [
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96),
];

/// IPv6 forms that embed an IPv4 address and may lead to it in networks with a relay or translator for them. Each has
/// the positions of the four octets.
const CARRYING_IPV4: &[(Ipv6Addr, u32, [usize; 4])] = &[
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, LAST),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96, LAST),
    // IPv4-compatible (RFC 4291) and IPv4-translated (RFC 2765)
    (Ipv6Addr::UNSPECIFIED, 96, LAST),
    (Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, 0, 0), 96, LAST),
    // Local prefix of NAT64 (RFC 8215), of any length that RFC 6052 permits
    (LOCAL_NAT64, 48, LAST),
    (LOCAL_NAT64, 48, [6, 7, 9, 10]),
    (LOCAL_NAT64, 48, [7, 9, 10, 11]),
    (LOCAL_NAT64, 48, [9, 10, 11, 12]),
    // 6to4 (RFC 3056)
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, [2, 3, 4, 5]),
    // Server of Teredo (RFC 4380); its client is below
    (TEREDO, 32, [4, 5, 6, 7]),
];

const LAST: [usize; 4] = [12, 13, 14, 15];
const LOCAL_NAT64: Ipv6Addr = Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0);
const TEREDO: Ipv6Addr = Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0);

/// Reason for which webhooks do not go to an address by default, as a phrase such as `a loopback address`; `None` if
/// the address is public.
pub fn refusal(ip: IpAddr) -> Option<&'static str> {
    match (meant_ipv4(ip), ip) {
        (Some(ip), _) => refusal_v4(ip),
        (None, IpAddr::V4(ip)) => refusal_v4(ip),
        (None, IpAddr::V6(ip)) => refusal_v6(ip),
    }
}

/// Whether the address is that of a cloud's metadata service, or embeds one.
pub fn leads_to_metadata(ip: IpAddr) -> bool {
    let carries = || embedded_ipv4(ip).any(|ip| refusal_v4(ip) == Some(METADATA));
    refusal(ip) == Some(METADATA) || carries()
}

/// IPv4 address that an IPv6 address leads to everywhere.
pub fn meant_ipv4(ip: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(ip) = ip else { return None };
    let [.., a, b, c, d] = ip.octets();
    let means = MEANING_IPV4.iter().any(|(network, bits)| is_within_v6(ip, *network, *bits));
    means.then(|| Ipv4Addr::new(a, b, c, d))
}

/// IPv4 addresses embedded in an IPv6 address, reachable from here or not.
pub fn embedded_ipv4(ip: IpAddr) -> impl Iterator<Item = Ipv4Addr> {
    let ip = match ip {
        IpAddr::V4(_) => None,
        IpAddr::V6(ip) => Some(ip),
    };
    ip.into_iter().flat_map(|ip| {
        let octets = ip.octets();
        let carried = move |places: &[usize; 4]| {
            Ipv4Addr::from_octets(places.map(|at| octets.get(at).copied().unwrap_or_default()))
        };
        let forms =
            CARRYING_IPV4.iter().filter(move |(net, bits, _)| is_within_v6(ip, *net, *bits));
        // The address of a Teredo client is stored with all bits inverted.
        let client =
            is_within_v6(ip, TEREDO, 32).then(|| Ipv4Addr::from_bits(!carried(&LAST).to_bits()));
        forms.map(move |(.., places)| carried(places)).chain(client)
    })
}

fn refusal_v4(ip: Ipv4Addr) -> Option<&'static str> {
    let within =
        |network: Ipv4Addr, bits: u32| (ip.to_bits() ^ network.to_bits()).leading_zeros() >= bits;
    IPV4.iter().find(|(network, bits, _)| within(*network, *bits)).map(|(.., reason)| *reason)
}

fn refusal_v6(ip: Ipv6Addr) -> Option<&'static str> {
    let listed = IPV6.iter().find(|(network, bits, _)| is_within_v6(ip, *network, *bits));
    match listed {
        Some((.., reason)) => Some(reason),
        None if is_within_v6(ip, GLOBAL_UNICAST.0, GLOBAL_UNICAST.1) => None,
        None => Some("an address outside the public part of IPv6 (RFC 4291)"),
    }
}

fn is_within_v6(ip: Ipv6Addr, network: Ipv6Addr, bits: u32) -> bool {
    (ip.to_bits() ^ network.to_bits()).leading_zeros() >= bits
}

#[cfg(test)]
mod tests;
