use super::*;

fn within(networks: &str) -> AddressPolicy {
    let private = PrivateAddresses::Within(networks.parse().unwrap());
    AddressPolicy { private, denied: None }
}

fn everything() -> AddressPolicy {
    AddressPolicy { private: PrivateAddresses::All, denied: None }
}

fn denying(policy: AddressPolicy, networks: &str) -> AddressPolicy {
    AddressPolicy { denied: Some(networks.parse().unwrap()), ..policy }
}

/// Addresses that webhooks may go to, out of these.
fn allowed<'a>(policy: &AddressPolicy, addresses: &[&'a str]) -> Vec<&'a str> {
    let is_allowed = |address: &&&str| policy.refusal(address.parse().unwrap()).is_none();
    addresses.iter().filter(is_allowed).copied().collect()
}

const SOME: [&str; 8] = [
    "8.8.8.8",
    "10.1.2.3",
    "10.2.0.1",
    "192.168.0.1",
    "127.0.0.1",
    "::1",
    "fd12:3456:789a::1",
    "2a00::1",
];

#[test]
fn without_settings_webhooks_go_to_public_addresses_only() {
    assert_eq!(allowed(&AddressPolicy::default(), &SOME), ["8.8.8.8", "2a00::1"]);
}

#[test]
fn private_addresses_are_allowed_in_the_networks_that_are_listed() {
    let policy = within("10.1.0.0/16, 192.168.0.1, fd12:3456:789a::/48");
    assert_eq!(
        allowed(&policy, &SOME),
        ["8.8.8.8", "10.1.2.3", "192.168.0.1", "fd12:3456:789a::1", "2a00::1"]
    );
    assert_eq!(
        policy.refusal("10.2.0.1".parse().unwrap()),
        Some(Reason::Special("a private address (RFC 1918)"))
    );
    assert_eq!(allowed(&everything(), &SOME), SOME);
}

#[test]
fn addresses_of_this_machine_are_refused_although_they_are_public_unless_they_are_allowed() {
    let is_own = |ip: IpAddr| ["8.8.8.8", "2a00::1"].contains(&&*ip.to_string());
    let refused = |policy: &AddressPolicy, ip: &str| policy.refusal_by(ip.parse().unwrap(), is_own);
    let own = Some(Reason::Special(OWN));
    for ip in ["8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2a00::1"] {
        assert_eq!(refused(&AddressPolicy::default(), ip), own, "{ip}");
        assert_eq!(refused(&within("10.0.0.0/8"), ip), own, "{ip}");
        assert_eq!(refused(&within("8.8.8.8,2a00::1"), ip), None, "{ip}");
        assert_eq!(refused(&everything(), ip), None, "{ip}");
    }
    assert_eq!(refused(&AddressPolicy::default(), "8.8.4.4"), None);
}

#[test]
fn a_network_of_ipv4_counts_for_every_form_that_means_its_addresses() {
    let forms = ["::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "::ffff:10.2.0.1", "64:ff9b::10.2.0.1"];
    assert_eq!(allowed(&within("10.1.0.0/16"), &forms), forms[..2]);
    assert_eq!(allowed(&denying(everything(), "10.1.0.0/16"), &forms), forms[2..]);
}

#[test]
fn what_is_denied_is_refused_whether_public_private_or_allowed() {
    let addresses = ["8.8.8.8", "8.8.4.4", "10.1.2.3", "10.2.0.1", "2a00::1", "2a01::1"];
    let denied = "8.8.8.0/24, 10.1.0.0/16, 2a00::/16";
    assert_eq!(
        allowed(&denying(everything(), denied), &addresses),
        ["8.8.4.4", "10.2.0.1", "2a01::1"]
    );
    assert_eq!(
        allowed(&denying(within("10.0.0.0/8"), denied), &addresses),
        ["8.8.4.4", "10.2.0.1", "2a01::1"]
    );
    assert_eq!(
        allowed(&denying(AddressPolicy::default(), denied), &addresses),
        ["8.8.4.4", "2a01::1"]
    );
    let reason = denying(everything(), denied).refusal("8.8.8.8".parse().unwrap()).unwrap();
    assert_eq!(reason.to_string(), "an address that the operator of this service denies");
    assert_eq!(allowed(&denying(everything(), "0.0.0.0/0,::/0"), &addresses), [""; 0]);
}

#[test]
fn a_denied_address_is_denied_where_a_tunnel_or_a_translator_leads_to_it() {
    let policy = denying(everything(), "10.1.2.3");
    let forms = [
        "::10.1.2.3",
        "::ffff:0:10.1.2.3",
        "2002:0a01:0203::1",
        "2001:0:808:808::f5fe:fdfc",
        "64:ff9b:1::10.1.2.3",
    ];
    assert_eq!(allowed(&policy, &forms), [""; 0]);
}

#[test]
fn metadata_services_are_out_of_reach_whatever_is_allowed() {
    let addresses = [
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        // IPv4-mapped, IPv4-compatible, IPv4-translated
        "::ffff:169.254.169.254",
        "::169.254.169.254",
        "::ffff:0:169.254.169.254",
        // NAT64: the well-known prefix, and local prefixes of /48, /56, /64 and /96
        "64:ff9b::169.254.169.254",
        "64:ff9b:1:a9fe:00a9:fe00::",
        "64:ff9b:1:00a9:00fe:a9fe::",
        "64:ff9b:1::a9:fea9:fe00:0",
        "64:ff9b:1:ff::169.254.169.254",
        // 6to4
        "2002:a9fe:a9fe::1",
        // Teredo: its server, and its client, whose bits are inverted
        "2001:0:a9fe:a9fe::1",
        "2001:0:808:808::5601:5601",
    ];
    let list = addresses.join(",");
    for policy in [everything(), within("0.0.0.0/0,::/0"), within(&list), AddressPolicy::default()]
    {
        assert_eq!(allowed(&policy, &addresses), [""; 0], "{policy:?}");
        for address in addresses {
            let refusal = policy.refusal(address.parse().unwrap());
            assert_eq!(refusal, Some(Reason::Special(METADATA)), "{address}");
        }
    }
    // Neighbouring addresses are allowed.
    let neighbours = ["169.254.169.253", "::ffff:169.254.169.253", "2002:a9fe:a9fd::1"];
    assert_eq!(allowed(&everything(), &neighbours), neighbours);
}

#[test]
fn local_names_are_of_use_where_something_private_is_allowed() {
    assert!(!AddressPolicy::default().allows_local_names());
    assert!(within("10.0.0.0/8").allows_local_names());
    assert!(everything().allows_local_names());
}
