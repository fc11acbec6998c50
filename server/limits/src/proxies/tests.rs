use super::TrustedProxies;

fn proxies(text: &str) -> TrustedProxies {
    text.parse().unwrap()
}

#[test]
fn networks_and_addresses_are_trusted_and_their_neighbours_are_not() {
    // Setting, an address that it contains, and one that it does not.
    let cases: &[(&str, &str, &str)] = &[
        ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"),
        ("10.1.2.3/8", "10.0.0.0", "9.255.255.255"),
        ("192.0.2.1/32", "192.0.2.1", "192.0.2.0"),
        ("0.0.0.0/0", "203.0.113.9", "::1"),
        ("::/0", "2001:db8::1", "127.0.0.1"),
        ("::1", "::1", "::2"),
        ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"),
        ("2001:db8::dead:beef/32", "2001:db8::1", "2001:db7::1"),
        ("10.0.0.0/8", "::ffff:10.0.0.1", "::10.0.0.1"),
        ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("::ffff:10.0.0.0/104", "10.9.9.9", "11.0.0.1"),
        ("::ffff:10.0.0.0/104", "::ffff:10.9.9.9", "::ffff:11.0.0.1"),
        ("::ffff:0.0.0.0/96", "203.0.113.9", "2001:db8::1"),
        ("10.0.0.0/8, ::1,192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("\t10.0.0.0/8 ,\n::1 , 192.0.2.1 ", "::1", "::2"),
        ("10.0.0.0/8,,192.0.2.1,", "192.0.2.1", "0.0.0.0"),
    ];
    for (configured, inside, outside) in cases {
        let proxies = proxies(configured);
        assert!(proxies.contains(inside.parse().unwrap()), "{configured:?} has {inside}");
        assert!(!proxies.contains(outside.parse().unwrap()), "{configured:?} lacks {outside}");
    }
}

#[test]
fn nobody_is_trusted_unless_named() {
    for none in [TrustedProxies::default(), proxies(""), proxies(" "), proxies(" , ")] {
        for address in ["127.0.0.1", "::1", "10.0.0.1", "0.0.0.0", "::"] {
            assert!(!none.contains(address.parse().unwrap()), "{address}");
        }
    }
}

#[test]
fn what_is_no_network_is_refused_with_the_way_to_write_one() {
    let wrong = [
        "10.0.0.0/33",
        "::/129",
        "10.0.0.0/",
        "10.0.0.0/+8",
        "10.0.0.0/-1",
        "10.0.0.0/8/8",
        "/8",
        "10.0.0",
        "010.0.0.1",
        "0x7f.0.0.1",
        "10.0.0.0-10.0.0.9",
        "10.0.0.0/255.0.0.0",
        "[::1]",
        "fe80::1%eth0",
        "proxy.example.com",
        "10.0.0.1:80",
        "10.0.0.1;::1",
        "10.0.0.1 ::1",
        "*",
    ];
    for wrong in wrong {
        let error = format!("192.0.2.1, {wrong}").parse::<TrustedProxies>().unwrap_err();
        assert_eq!(
            error,
            format!(
                "{wrong:?} is neither an IP address nor a network: write it like 192.0.2.1, \
                 10.0.0.0/8 or 2001:db8::/32, and separate several by commas"
            )
        );
    }
}
