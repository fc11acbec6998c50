use http::HeaderMap;
use proptest::prelude::*;

use super::{TrustedProxies, client_ip};

/// Trusted proxies in all cases. The peer is [`PEER`] unless a case names another.
const TRUSTED: &str = "10.0.0.0/8, 2001:db8:aaaa::/48";
const PEER: &str = "10.0.0.1";

fn headers(lines: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':').unwrap();
        let name = match name {
            "XFF" => "x-forwarded-for",
            "FWD" => "forwarded",
            other => other,
        };
        let value = http::HeaderValue::from_bytes(value.trim().as_bytes()).unwrap();
        headers.append(http::HeaderName::from_bytes(name.as_bytes()).unwrap(), value);
    }
    headers
}

fn client(peer: &str, lines: &[&str]) -> String {
    let trusted: TrustedProxies = TRUSTED.parse().unwrap();
    client_ip(peer.parse().unwrap(), &headers(lines), &trusted).to_string()
}

fn check(cases: &[(&[&str], &str)]) {
    for (lines, expected) in cases {
        assert_eq!(client(PEER, lines), *expected, "{lines:?}");
    }
}

#[test]
fn a_peer_that_is_no_trusted_proxy_is_the_client_whatever_it_sends() {
    for peer in ["203.0.113.9", "2001:db8:bbbb::1", "127.0.0.1"] {
        assert_eq!(client(peer, &[]), peer);
        assert_eq!(client(peer, &["XFF: 198.51.100.1"]), peer);
        assert_eq!(client(peer, &["XFF: 198.51.100.1, 10.0.0.1"]), peer);
        assert_eq!(client(peer, &["FWD: for=198.51.100.1"]), peer);
        assert_eq!(client(peer, &["XFF: 10.0.0.1", "FWD: for=10.0.0.1"]), peer);
    }
    assert_eq!(client("::ffff:203.0.113.9", &["XFF: 198.51.100.1"]), "203.0.113.9");
}

#[test]
fn a_mapped_or_ipv6_proxy_is_trusted_too() {
    assert_eq!(client("::ffff:10.0.0.1", &["XFF: 198.51.100.1"]), "198.51.100.1");
    assert_eq!(client("2001:db8:aaaa::1", &["FWD: for=198.51.100.1"]), "198.51.100.1");
    assert_eq!(client("::ffff:10.0.0.1", &[]), "10.0.0.1");
}

#[test]
fn x_forwarded_for_is_read_from_the_right() {
    check(&[
        (&[], PEER),
        (&["X-Real-IP: 198.51.100.1"], PEER),
        (&["XFF: 198.51.100.1"], "198.51.100.1"),
        (&["XFF: 198.51.100.1, 10.2.3.4"], "198.51.100.1"),
        (&["XFF:198.51.100.1,10.2.3.4,\t10.9.9.9 "], "198.51.100.1"),
        // A client that forges the header is identified by the address that the proxy appends.
        (&["XFF: 1.1.1.1, 198.51.100.1"], "198.51.100.1"),
        (&["XFF: 10.0.0.7, 198.51.100.1"], "198.51.100.1"),
        (&["XFF: 127.0.0.1, 198.51.100.1, 10.2.3.4"], "198.51.100.1"),
        (&["XFF: garbage, 198.51.100.1"], "198.51.100.1"),
        (&["XFF: \u{ff}\u{fe}, 198.51.100.1"], "198.51.100.1"),
        // Several lines form one list.
        (&["XFF: 1.1.1.1", "XFF: 198.51.100.1"], "198.51.100.1"),
        (&["XFF: 1.1.1.1", "XFF: 198.51.100.1, 10.2.3.4", "XFF: 10.9.9.9"], "198.51.100.1"),
        (&["XFF: 198.51.100.1", "XFF:", "XFF: ,"], "198.51.100.1"),
        // If all addresses are trusted, the client is the leftmost.
        (&["XFF: 10.2.3.4"], "10.2.3.4"),
        (&["XFF: 10.2.3.4, 2001:db8:aaaa::7, 10.9.9.9"], "10.2.3.4"),
        // Empty elements are skipped.
        (&["XFF: , ,198.51.100.1,, 10.2.3.4, ,"], "198.51.100.1"),
        (&["XFF:"], PEER),
        (&["XFF: , ,"], PEER),
    ]);
}

#[test]
fn x_forwarded_for_knows_the_common_forms_of_an_address() {
    check(&[
        (&["XFF: 198.51.100.1:5678"], "198.51.100.1"),
        (&["XFF: 198.51.100.1:0"], "198.51.100.1"),
        (&["XFF: 198.51.100.1:65535"], "198.51.100.1"),
        (&["XFF: 2001:db8::1"], "2001:db8::1"),
        (&["XFF: 2001:DB8:0:0:0:0:0:1"], "2001:db8::1"),
        (&["XFF: [2001:db8::1]"], "2001:db8::1"),
        (&["XFF: [2001:db8::1]:443"], "2001:db8::1"),
        (&["XFF: 2001:db8::1:443"], "2001:db8::1:443"),
        (&["XFF: ::ffff:198.51.100.1"], "198.51.100.1"),
        (&["XFF: [::ffff:198.51.100.1]:443"], "198.51.100.1"),
        (&["XFF: 198.51.100.1, ::ffff:10.2.3.4"], "198.51.100.1"),
        (&["XFF: 198.51.100.1, [::ffff:a02:304]:80, 10.9.9.9:1"], "198.51.100.1"),
    ]);
}

#[test]
fn what_is_no_address_ends_the_walk() {
    let malformed = [
        "unknown",
        "_hidden",
        "localhost",
        "example.com:80",
        "-",
        "198.51.100",
        "198.51.100.1.1",
        "198.51.100.256",
        "0198.51.100.1",
        "0306.063.0144.01",
        "0xc6.0x33.0x64.0x1",
        "3325256705",
        "198.51.100.1:",
        "198.51.100.1:65536",
        "198.51.100.1:000080",
        "198.51.100.1:+80",
        "198.51.100.1:http",
        "198.51.100.1:_http",
        "198.51.100.1:80:80",
        "198.51.100.1/32",
        "198.51.100.1 203.0.113.9",
        "\"198.51.100.1\"",
        "for=198.51.100.1",
        "[198.51.100.1]",
        "[198.51.100.1]:80",
        "[2001:db8::1",
        "2001:db8::1]",
        "[2001:db8::1]443",
        "[2001:db8::1]:",
        "[]",
        "[]:80",
        "fe80::1%eth0",
        "fe80::1%1",
        "[fe80::1%25eth0]:80",
        "2001:db8::1::",
        "2001:db8:::1",
        "1:2:3:4:5:6:7:8:9",
        "12345::1",
        "\u{ff}",
        "１９８.51.100.1",
    ];
    for malformed in malformed {
        let header = |tail: &str| format!("XFF: 203.0.113.9, {malformed}{tail}");
        // No part of the header can be trusted: the client is the peer.
        assert_eq!(client(PEER, &[&header("")]), PEER, "{malformed:?}");
        // The proxy can be trusted, the address of its caller cannot.
        assert_eq!(client(PEER, &[&header(", 10.2.3.4")]), "10.2.3.4", "{malformed:?}");
        assert_eq!(client(PEER, &[&header(", 10.2.3.4"), "XFF: 10.9.9.9"]), "10.2.3.4");
        // Left of the client, it does not matter.
        assert_eq!(client(PEER, &[&header(", 198.51.100.1")]), "198.51.100.1", "{malformed:?}");
    }
}

#[test]
fn forwarded_is_read_in_its_full_syntax() {
    check(&[
        (&["FWD: for=198.51.100.1"], "198.51.100.1"),
        (&["FWD: FOR=198.51.100.1;Proto=https"], "198.51.100.1"),
        (&["FWD: proto=https;by=203.0.113.43;fOr=\"198.51.100.1\""], "198.51.100.1"),
        (&["FWD: for=\"198.51.100.1:5678\""], "198.51.100.1"),
        (&["FWD: for=\"198.51.100.1:_a.B-9_\""], "198.51.100.1"),
        (&["FWD: For=\"[2001:db8:cafe::17]:4711\""], "2001:db8:cafe::17"),
        (&["FWD: for=\"[2001:db8:cafe::17]\""], "2001:db8:cafe::17"),
        (&["FWD: for=\"[::ffff:198.51.100.1]:_x\""], "198.51.100.1"),
        (&["FWD: for=\"\\1\\98.51.100.1\""], "198.51.100.1"),
        (&["FWD: for=\"\\[2001:db8::1\\]\\:80\""], "2001:db8::1"),
        (&["FWD: ;; for=198.51.100.1 ; proto=http;"], "198.51.100.1"),
        (&["FWD: ,, for=198.51.100.1 ,for=10.2.3.4,\t,"], "198.51.100.1"),
        (&["FWD: for=1.1.1.1, for=198.51.100.1;by=10.2.3.4, for=10.2.3.4"], "198.51.100.1"),
        (&["FWD: for=1.1.1.1", "FWD: for=198.51.100.1", "FWD: for=10.2.3.4"], "198.51.100.1"),
        (&["FWD: for=10.2.3.4, for=\"[2001:db8:aaaa::7]\""], "10.2.3.4"),
        // Separators and escapes inside quotes belong to the value.
        (&["FWD: for=198.51.100.1;host=\"a,for=1.1.1.1;for=2.2.2.2,b\""], "198.51.100.1"),
        (&["FWD: for=198.51.100.1;host=\"a\\\",for=1.1.1.1\""], "198.51.100.1"),
        (&["FWD: for=198.51.100.1;host=\"a\\\\\", for=10.2.3.4"], "198.51.100.1"),
        (&["FWD: host=\"\";for=198.51.100.1;ext=!#$%&'*+-.^_`|~"], "198.51.100.1"),
        (&["FWD:"], PEER),
        (&["FWD: ,"], PEER),
    ]);
}

#[test]
fn a_hop_of_forwarded_without_an_address_ends_the_walk() {
    let nameless = [
        "for=unknown",
        "for=\"Unknown\"",
        "for=_hidden",
        "for=\"_SEVKISEK:_x\"",
        "for=",
        "for=\"\"",
        "for",
        "=198.51.100.1",
        "proto=https",
        "by=198.51.100.1",
        "forx=198.51.100.1",
        "198.51.100.1",
        "\"198.51.100.1\"",
        "for =198.51.100.1",
        "for= 198.51.100.1",
        "for:198.51.100.1",
        "for=198.51.100.1:80",
        "for=[2001:db8::1]",
        "for=2001:db8::1",
        "for=\"2001:db8::1\"",
        "for=\"[2001:db8::1\"",
        "for=\"[fe80::1%25eth0]\"",
        "for=\"[198.51.100.1]\"",
        "for=0306.063.0144.01",
        "for=\"198.51.100.1:\"",
        "for=\"198.51.100.1:_\"",
        "for=\"198.51.100.1:65536\"",
        "for=\"198.51.100.1:_ä\"",
        "for='198.51.100.1'",
        "for=\"198.51.100.1\"x",
        "for=x\"198.51.100.1\"",
        "for=198.51.100.1 proto=https",
        "for=198.51.100.1;for=198.51.100.1",
        "for=198.51.100.1;x",
        "for=198.51.100.1;for=unknown",
        "for=198.51.100.1;ho st=x",
        "for=198.51.100.1;host=a:80",
        "for=\" 198.51.100.1\"",
        "for=\"198.51.100.1,203.0.113.9\"",
        "for=\"\\\"198.51.100.1\\\"\"",
    ];
    for nameless in nameless {
        let header = |tail: &str| format!("FWD: for=203.0.113.9, {nameless}{tail}");
        assert_eq!(client(PEER, &[&header("")]), PEER, "{nameless:?}");
        assert_eq!(client(PEER, &[&header(", for=10.2.3.4")]), "10.2.3.4", "{nameless:?}");
        let client = client(PEER, &[&header(", for=198.51.100.1;proto=https")]);
        assert_eq!(client, "198.51.100.1", "{nameless:?}");
    }
}

#[test]
fn a_quote_left_open_by_a_client_makes_no_other_client_of_it() {
    let sent = [
        "for=\"",
        "for=1.1.1.1;x=\"",
        "for=1.1.1.1, for=2.2.2.2;x=\"",
        "for=1.1.1.1;x=\"\\",
        "for=1.1.1.1, \"",
        "x=\"a\" \"",
        "for=1.1.1.1;x=\"\\\\\"\"",
        "\"\"\"",
    ];
    let appended = [
        "for=198.51.100.1",
        "for=\"198.51.100.1:5678\"",
        "for=\"198.51.100.1\";by=\"10.2.3.4\"",
        "by=\"10.2.3.4\";for=\"198.51.100.1\";host=\",for=1.1.1.1;x=\";proto=http",
    ];
    for sent in sent {
        for appended in appended {
            let joined = client(PEER, &[&format!("FWD: {sent}, {appended}")]);
            assert_eq!(joined, PEER, "{sent:?} and {appended:?} in one line");
            let apart = client(PEER, &[&format!("FWD: {sent}"), &format!("FWD: {appended}")]);
            assert_eq!(apart, "198.51.100.1", "{sent:?} and {appended:?} in two");
        }
    }
}

#[test]
fn of_two_headers_that_differ_neither_is_believed() {
    check(&[
        (&["XFF: 198.51.100.1", "FWD: for=198.51.100.1"], "198.51.100.1"),
        (&["XFF: ::ffff:198.51.100.1", "FWD: for=\"198.51.100.1:80\""], "198.51.100.1"),
        (&["XFF: 1.1.1.1, 198.51.100.1", "FWD: for=198.51.100.1, for=10.2.3.4"], "198.51.100.1"),
        (&["XFF: 198.51.100.1", "FWD: for=1.1.1.1"], PEER),
        (&["XFF: 1.1.1.1", "FWD: for=198.51.100.1"], PEER),
        (&["XFF: 198.51.100.1", "FWD: for=unknown"], PEER),
        (&["XFF: garbage", "FWD: for=198.51.100.1"], PEER),
        (&["XFF: garbage", "FWD: garbage"], PEER),
        (&["XFF: 198.51.100.1", "FWD: for=10.2.3.4"], PEER),
        // A header without elements is ignored.
        (&["XFF: 198.51.100.1", "FWD: ,"], "198.51.100.1"),
        (&["XFF:", "FWD: for=198.51.100.1"], "198.51.100.1"),
    ]);
}

proptest! {
    /// For any header that a client sends, if the nearest proxy appends the client's address to the same line or on a
    /// line of its own, the client counts as that address or, if it garbled the line, as the proxy.
    #[test]
    fn a_client_never_passes_for_another(sent in "[ -~]{0,40}|[for=\",;\\\\ 1.]{0,40}") {
        let joined = |name: &str, own: &str| client(PEER, &[&format!("{name}: {sent}, {own}")]);
        prop_assert_eq!(joined("XFF", "198.51.100.1"), "198.51.100.1");
        for own in ["for=198.51.100.1", "for=\"198.51.100.1:80\";by=\"10.0.0.1\""] {
            let client = joined("FWD", own);
            prop_assert!(client == "198.51.100.1" || client == PEER, "{}", client);
        }
        let lines = [&*format!("FWD: {sent}"), "FWD: for=198.51.100.1"];
        prop_assert_eq!(client(PEER, &lines), "198.51.100.1");
    }
}
