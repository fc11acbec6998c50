use clap::{Parser, error::ErrorKind};

use super::*;

#[derive(Debug, Parser)]
struct Cli {
    id: Option<String>,
    #[command(flatten)]
    endpoints: WebhookTargets,
}

fn parse(arguments: &[&str]) -> Result<Cli, Error> {
    let given = ["svc"].iter().chain(arguments).map(OsString::from).collect();
    Cli::try_parse_from(keep_ids(given))
}

fn endpoints(arguments: &[&str]) -> WebhookTargets {
    parse(arguments).unwrap().endpoints
}

fn within(networks: &str) -> PrivateAddresses {
    PrivateAddresses::Within(networks.parse().unwrap())
}

#[test]
fn without_flags_nothing_but_public_addresses_over_https_is_allowed() {
    assert_eq!(endpoints(&[]), WebhookTargets::default());
    assert_eq!(WebhookTargets::default(), WebhookTargets::with(false, false));
}

#[test]
fn without_a_value_every_private_network_is_allowed() {
    for arguments in [
        &["--webhook-allow-private", "--webhook-allow-http"][..],
        &["--webhook-allow-http", "--webhook-allow-private"],
        &["--webhook-allow-http", "--webhook-allow-private=true"],
        &["--webhook-allow-http", "--webhook-allow-private", "1"],
        &[
            "--webhook-allow-http",
            "--webhook-allow-private",
            "10.0.0.0/8",
            "--webhook-allow-private",
        ],
    ] {
        assert_eq!(endpoints(arguments), WebhookTargets::lenient(), "{arguments:?}");
    }
}

#[test]
fn networks_are_separated_by_commas_or_given_one_after_the_other() {
    for arguments in [
        &["--webhook-allow-private", "10.0.0.0/8,fd12::/48,192.0.2.1"][..],
        &["--webhook-allow-private=10.0.0.0/8, fd12::/48 ,192.0.2.1/32"],
        &[
            "--webhook-allow-private",
            "10.0.0.0/8",
            "--webhook-allow-private",
            "fd12::/48,192.0.2.1",
        ],
    ] {
        let private = within("10.0.0.0/8,fd12::/48,192.0.2.1");
        let addresses = AddressPolicy { private, denied: None };
        assert_eq!(endpoints(arguments).addresses, addresses, "{arguments:?}");
    }
}

#[test]
fn a_word_for_no_and_an_empty_value_allow_nothing() {
    for value in ["false", "0", "no", "OFF", "", " "] {
        let given = endpoints(&[&format!("--webhook-allow-private={value}")]);
        assert_eq!(given, WebhookTargets::default(), "{value:?}");
    }
}

#[test]
fn networks_are_denied() {
    let denied: Networks = "8.8.8.0/24,2001:db8::/32".parse().unwrap();
    for arguments in [
        &["--webhook-deny", "8.8.8.0/24,2001:db8::/32"][..],
        &["--webhook-deny", "8.8.8.0/24", "--webhook-deny", "2001:db8::/32"],
    ] {
        assert_eq!(endpoints(arguments).addresses.denied.as_ref(), Some(&denied));
    }
    assert_eq!(endpoints(&["--webhook-deny="]), WebhookTargets::default());
}

#[test]
fn what_is_no_network_is_refused_with_the_option_and_an_example() {
    for option in ["--webhook-allow-private", "--webhook-deny"] {
        for wrong in ["10.0.0.0/33", "10.0.0/8", "maybe", "example.org", "10.0.0.0/8;::1"] {
            let error = parse(&[option, &format!("::1,{wrong}")]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ValueValidation);
            let said = error.to_string();
            assert!(said.contains(option), "{said}");
            assert!(
                said.contains(&format!("{wrong:?} is neither an IP address nor a network: write"))
            );
            assert!(said.contains("like 192.0.2.1, 10.0.0.0/8 or 2001:db8::/32"), "{said}");
        }
    }
    assert!(parse(&["--webhook-deny"]).is_err());
}

#[test]
fn the_id_of_a_subscription_is_no_network() {
    for arguments in [
        &["sub_1", "--webhook-allow-private", "--webhook-allow-http"][..],
        &["--webhook-allow-http", "--webhook-allow-private", "sub_1"],
        &["--webhook-allow-private", "sub_1", "--webhook-allow-http"],
    ] {
        let cli = parse(arguments).unwrap();
        assert_eq!((cli.id.as_deref(), cli.endpoints), (Some("sub_1"), WebhookTargets::lenient()));
    }
    let cli = parse(&["--webhook-allow-private", "10.0.0.0/8", "sub_1"]).unwrap();
    assert_eq!(cli.id.as_deref(), Some("sub_1"));
    assert_eq!(cli.endpoints.addresses.private, within("10.0.0.0/8"));
}
