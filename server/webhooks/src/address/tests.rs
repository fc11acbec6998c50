use proptest::prelude::*;

use super::*;

/// Addresses, each with a word of the expected reason; an empty word means public.
const TABLE: &[(&str, &str)] = &[
    // IPv4: each network's first and last address, and its public neighbours
    ("0.0.0.0", "this network"),
    ("0.255.255.255", "this network"),
    ("1.0.0.0", ""),
    ("1.1.1.1", ""),
    ("8.8.8.8", ""),
    ("9.255.255.255", ""),
    ("10.0.0.0", "RFC 1918"),
    ("10.255.255.255", "RFC 1918"),
    ("11.0.0.0", ""),
    ("100.63.255.255", ""),
    ("100.64.0.0", "carriers"),
    ("100.100.100.200", "metadata"),
    ("100.127.255.255", "carriers"),
    ("100.128.0.0", ""),
    ("126.255.255.255", ""),
    ("127.0.0.0", "loopback"),
    ("127.0.0.1", "loopback"),
    ("127.255.255.255", "loopback"),
    ("128.0.0.0", ""),
    ("168.63.129.15", ""),
    ("168.63.129.16", "metadata"),
    ("169.253.255.255", ""),
    ("169.254.0.0", "link-local"),
    ("169.254.169.253", "link-local"),
    ("169.254.0.23", "metadata"),
    ("169.254.42.42", "metadata"),
    ("169.254.169.254", "metadata"),
    ("169.254.170.2", "metadata"),
    ("169.254.170.23", "metadata"),
    ("169.254.255.255", "link-local"),
    ("169.255.0.0", ""),
    ("172.15.255.255", ""),
    ("172.16.0.0", "RFC 1918"),
    ("172.31.255.255", "RFC 1918"),
    ("172.32.0.0", ""),
    ("191.255.255.255", ""),
    ("192.0.0.0", "protocol assignments"),
    ("192.0.0.192", "metadata"),
    ("192.0.0.255", "protocol assignments"),
    ("192.0.1.255", ""),
    ("192.0.2.0", "documentation"),
    ("192.0.2.255", "documentation"),
    ("192.0.3.0", ""),
    ("192.88.98.255", ""),
    ("192.88.99.1", "6to4 relay"),
    ("192.88.100.0", ""),
    ("192.167.255.255", ""),
    ("192.168.0.0", "RFC 1918"),
    ("192.168.255.255", "RFC 1918"),
    ("192.169.0.0", ""),
    ("198.17.255.255", ""),
    ("198.18.0.0", "benchmarking"),
    ("198.19.255.255", "benchmarking"),
    ("198.20.0.0", ""),
    ("198.51.99.255", ""),
    ("198.51.100.7", "documentation"),
    ("198.51.101.0", ""),
    ("203.0.112.255", ""),
    ("203.0.113.7", "documentation"),
    ("203.0.114.0", ""),
    ("223.255.255.255", ""),
    ("224.0.0.0", "multicast"),
    ("239.255.255.255", "multicast"),
    ("240.0.0.0", "reserved"),
    ("255.255.255.254", "reserved"),
    ("255.255.255.255", "broadcast"),
    // IPv6
    ("::", "unspecified"),
    ("::1", "loopback"),
    ("::2", "IPv4-compatible"),
    ("::127.0.0.1", "IPv4-compatible"),
    ("::8.8.8.8", "IPv4-compatible"),
    ("::1:0:0:0", "outside the public part"),
    ("::ffff:127.0.0.1", "loopback"),
    ("::ffff:10.0.0.1", "RFC 1918"),
    ("::ffff:169.254.169.254", "metadata"),
    ("::ffff:8.8.8.8", ""),
    ("::ffff:0:8.8.8.8", "outside the public part"),
    ("64:ff9b::7f00:1", "loopback"),
    ("64:ff9b::a9fe:a9fe", "metadata"),
    ("64:ff9b::8.8.8.8", ""),
    ("64:ff9b:0:0:0:1:808:808", "outside the public part"),
    ("64:ff9b:1::8.8.8.8", "local translation"),
    ("64:ff9b:1:ffff::1", "local translation"),
    ("64:ff9b:2::1", "outside the public part"),
    ("100::", "discard"),
    ("100::ffff:ffff:ffff:ffff", "discard"),
    ("100:0:0:1::", "outside the public part"),
    ("1fff:ffff::", "outside the public part"),
    ("2000::", ""),
    ("2001::1", "Teredo"),
    ("2001:0:ffff::", "Teredo"),
    ("2001:1::1", "protocol assignments"),
    ("2001:2::1", "benchmarking"),
    ("2001:2:1::1", "protocol assignments"),
    ("2001:10::1", "ORCHID (RFC 4843)"),
    ("2001:1f:ffff::", "ORCHID (RFC 4843)"),
    ("2001:20::1", "ORCHID (RFC 7343)"),
    ("2001:2f:ffff::", "ORCHID (RFC 7343)"),
    ("2001:1ff:ffff::", "protocol assignments"),
    ("2001:200::1", ""),
    ("2001:4860:4860::8888", ""),
    ("2001:db7:ffff::", ""),
    ("2001:db8::", "documentation"),
    ("2001:db8:ffff::1", "documentation"),
    ("2001:db9::", ""),
    ("2002:7f00:1::", "6to4"),
    ("2002:808:808::1", "6to4"),
    ("2003::1", ""),
    ("2606:4700:4700::1111", ""),
    ("2a00:1450:4001::1", ""),
    ("3ffe:ffff::1", ""),
    ("3fff::1", "documentation"),
    ("3fff:fff:ffff::1", "documentation"),
    ("3fff:1000::1", ""),
    ("4000::", "outside the public part"),
    ("5f00::1", "segment-routing"),
    ("5f01::1", "outside the public part"),
    ("fbff::1", "outside the public part"),
    ("fc00::1", "unique local"),
    ("fd00:42::42", "metadata"),
    ("fd00:ec2::254", "metadata"),
    ("fd00:ec2::23", "metadata"),
    ("fd20:ce::254", "metadata"),
    ("fdff:ffff::1", "unique local"),
    ("fe00::1", "outside the public part"),
    ("fe80::1", "link-local"),
    ("febf:ffff::1", "link-local"),
    ("fec0::1", "site-local"),
    ("feff:ffff::1", "site-local"),
    ("ff00::", "multicast"),
    ("ff02::1", "multicast"),
    ("ff0e::1", "multicast"),
];

#[test]
fn only_public_addresses_are_let_through_and_the_others_are_called_what_they_are() {
    for (address, word) in TABLE {
        match (refusal(address.parse().unwrap()), *word) {
            (None, "") => {}
            (Some(reason), word) if !word.is_empty() && reason.contains(word) => {}
            (reason, _) => panic!("{address}: expected {word:?}, got {reason:?}"),
        }
    }
}

#[test]
fn each_network_of_the_lists_has_a_row_in_the_table() {
    let refused = |reason: &str| {
        TABLE.iter().any(|(address, _)| refusal(address.parse().unwrap()) == Some(reason))
    };
    let reasons = IPV4.iter().map(|(.., reason)| reason);
    for reason in reasons.chain(IPV6.iter().map(|(.., reason)| reason)) {
        assert!(refused(reason), "{reason}");
    }
}

proptest! {
    /// Compares with the standard library's own list of special networks.
    #[test]
    fn what_the_standard_library_calls_special_is_refused(bits: u32) {
        let ip = Ipv4Addr::from_bits(bits);
        let special = ip.is_private() || ip.is_loopback() || ip.is_link_local()
            || ip.is_broadcast() || ip.is_documentation() || ip.is_multicast()
            || ip.is_unspecified();
        prop_assert!(!special || refusal(ip.into()).is_some());
    }

    #[test]
    fn an_address_within_an_ipv6_address_is_judged_as_itself(bits: u32) {
        let ip = Ipv4Addr::from_bits(bits);
        let expected = refusal(ip.into());
        prop_assert_eq!(refusal(ip.to_ipv6_mapped().into()), expected);
        let [a, b, c, d] = ip.octets().map(u16::from);
        let nat64 = Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, a << 8 | b, c << 8 | d);
        prop_assert_eq!(refusal(nat64.into()), expected);
    }

    #[test]
    fn nothing_outside_2000_slash_3_is_public_but_what_means_ipv4(bits: u128) {
        let ip = Ipv6Addr::from_bits(bits);
        if refusal(ip.into()).is_none() {
            prop_assert!(bits >> 125 == 1 || ip.to_ipv4_mapped().is_some());
        }
    }
}
