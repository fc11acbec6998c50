use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

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

/// Sends nothing: to connect a UDP socket is to look for a route.
fn has_route(ip: IpAddr) -> bool {
    let own: IpAddr = match ip {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    UdpSocket::bind((own, 0)).and_then(|socket| socket.connect((ip, 9))).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
