use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

/// Address range that counts as one client: an IPv4 address, or the /64 of an IPv6 address. A subscriber gets at
/// least a /64 and can use a new address of it for every request.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(Prefix);

/// Bytes instead of integers, which would be aligned: up to a million of these are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Prefix {
    V4([u8; 4]),
    V6([u8; 8]),
}

impl Network {
    /// Network of an address. An IPv4-mapped IPv6 address counts as the IPv4 one.
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => Prefix::V4(address.octets()),
            IpAddr::V6(address) => {
                let [a, b, c, d, e, f, g, h, ..] = address.octets();
                Prefix::V6([a, b, c, d, e, f, g, h])
            }
        })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Prefix::V4(address) => Ipv4Addr::from(address).fmt(f),
            Prefix::V6([a, b, c, d, e, f_, g, h]) => {
                let first = [a, b, c, d, e, f_, g, h, 0, 0, 0, 0, 0, 0, 0, 0];
                write!(f, "{}/64", Ipv6Addr::from(first))
            }
        }
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> Network {
        Network::of(address.parse().unwrap())
    }

    #[test]
    fn a_client_is_an_ipv4_address_or_a_64() {
        let shown: &[(&str, &str)] = &[
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::/64"),
            ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
            ("::1", "::/64"),
            ("::192.0.2.1", "::/64"),
        ];
        for (address, expected) in shown {
            assert_eq!(network(address).to_string(), *expected, "{address}");
        }
    }

    #[test]
    fn the_addresses_of_a_64_are_one_client_and_its_neighbours_are_others() {
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:0:0:2"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        // An address and a prefix with equal bytes.
        assert_ne!(network("192.0.2.1"), network("c000:201::"));
        assert_ne!(network("0.0.0.0"), network("::"));
    }

    #[test]
    fn it_takes_nine_bytes() {
        assert_eq!((size_of::<Network>(), align_of::<Network>()), (9, 1));
    }
}
