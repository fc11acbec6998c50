use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket},
};

/// Those of the addresses that this machine has a route to, or all if it has one to none.
///
/// On a machine without IPv6, connecting to a host with addresses of both kinds could otherwise end
/// with "network unreachable", which would hide that the host refuses the connection.
pub(super) fn reachable(addresses: Vec<IpAddr>) -> Vec<IpAddr> {
    let is_mixed = addresses.iter().any(IpAddr::is_ipv4) && addresses.iter().any(IpAddr::is_ipv6);
    if !is_mixed {
        return addresses;
    }
    let routed: Vec<IpAddr> = addresses.iter().copied().filter(|ip| has_route(*ip)).collect();
    if routed.is_empty() { addresses } else { routed }
}

/// An IPv4 address that is nobody's (RFC 5737), and is routed as others are.
const ANY_IPV4: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1));

/// Whether all of them are IPv6 addresses that this machine has no route to, though it has one to IPv4 addresses.
pub(super) fn lack_ipv6(addresses: &[IpAddr]) -> bool {
    lack_ipv6_by(addresses, has_route)
}

fn lack_ipv6_by(addresses: &[IpAddr], has_route: impl Fn(IpAddr) -> bool) -> bool {
    addresses.iter().all(|ip| ip.is_ipv6() && !has_route(*ip)) && has_route(ANY_IPV4)
}

fn has_route(ip: IpAddr) -> bool {
    source_of(ip).is_ok()
}

/// The address from which this machine sends to another one. Sends nothing: to connect a UDP socket is to look for a
/// route.
pub(crate) fn source_of(ip: IpAddr) -> io::Result<IpAddr> {
    let any: IpAddr = match ip {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0))?;
    socket.connect((ip, 9))?;
    Ok(socket.local_addr()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_machine_with_ipv4_alone_lacks_ipv6() {
        let addresses = |list: &[&str]| -> Vec<IpAddr> {
            list.iter().map(|address| address.parse().unwrap()).collect()
        };
        let (six, mixed) = (addresses(&["2001:db8::1"]), addresses(&["2001:db8::1", "192.0.2.1"]));
        let four = addresses(&["192.0.2.1"]);
        let found = [&six, &mixed, &four].map(|addresses| {
            [
                lack_ipv6_by(addresses, |ip| ip.is_ipv4()),
                lack_ipv6_by(addresses, |_| true),
                lack_ipv6_by(addresses, |_| false),
            ]
        });
        assert_eq!(found, [[true, false, false], [false; 3], [false; 3]]);
    }

    #[test]
    fn an_address_without_a_route_is_left_out_where_another_has_one() {
        let addresses = |list: &[&str]| -> Vec<IpAddr> {
            list.iter().map(|address| address.parse().unwrap()).collect()
        };
        let alone = addresses(&["2001:db8::1"]);
        assert_eq!(reachable(alone.clone()), alone);
        let local = addresses(&["127.0.0.1"]);
        assert_eq!(reachable(local.clone()), local);
        assert!(has_route("127.0.0.1".parse().unwrap()));
        let mixed = reachable(addresses(&["127.0.0.1", "2001:db8::1"]));
        assert!(mixed.contains(&"127.0.0.1".parse().unwrap()), "{mixed:?}");
        let has_ipv6 = has_route("2001:db8::1".parse().unwrap());
        assert_eq!(mixed.len(), if has_ipv6 { 2 } else { 1 });
    }
}
