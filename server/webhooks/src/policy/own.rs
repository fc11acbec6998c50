use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

use crate::resolver::routes::source_of;

/// Returns whether the address is one of this machine's, on any of its interfaces: a socket can be bound to no other.
pub(super) fn is_own(ip: IpAddr) -> bool {
    let nobodys: IpAddr = match ip {
        IpAddr::V4(_) => Ipv4Addr::new(198, 51, 100, 1).into(), // RFC 5737
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(), // RFC 3849
    };
    // With `net.ipv4.ip_nonlocal_bind` it can be bound to all. What is sent to an own address comes from there, too.
    can_bind(ip) && (!can_bind(nobodys) || sends_from(ip))
}

fn can_bind(ip: IpAddr) -> bool {
    UdpSocket::bind((ip, 0)).is_ok()
}

/// Whether a packet to this address would have it as its source.
fn sends_from(ip: IpAddr) -> bool {
    source_of(ip).is_ok_and(|source| source == ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_addresses_of_this_machine_are_known_in_either_way_and_no_others() {
        // Loopback where it has no network.
        let own = source_of([198, 51, 100, 1].into()).unwrap_or(Ipv4Addr::LOCALHOST.into());
        assert!(is_own(own) && can_bind(own) && sends_from(own), "{own}");
        for foreign in ["93.184.215.14", "8.8.8.8", "2606:4700::1111"] {
            let foreign = foreign.parse().unwrap();
            assert!(!is_own(foreign) && !can_bind(foreign) && !sends_from(foreign), "{foreign}");
        }
    }
}
