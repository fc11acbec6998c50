use std::{io, net::IpAddr};

use proptest::prelude::*;

use super::*;
use table::{
    Expected::{Invalid, NotAllowed, Taken},
    TABLE,
};

mod table;

const STRICT: &WebhookTargets = &WebhookTargets::with(false, false);
const LENIENT: &WebhookTargets = &WebhookTargets::lenient();

#[test]
fn each_form_is_taken_or_refused_with_the_reason() {
    for (text, expected) in TABLE {
        let strict = WebhookUrl::parse(text, STRICT);
        let as_expected = match (&strict, expected) {
            (Ok(url), Taken(normal)) => url.as_str() == *normal,
            (Err(Refusal::Invalid(detail)), Invalid(words))
            | (Err(Refusal::NotAllowed(detail)), NotAllowed(words)) => detail.contains(words),
            _ => false,
        };
        assert!(as_expected, "{text:?}: expected {expected:?}, got {strict:?}");

        let lenient = WebhookUrl::parse(text, LENIENT);
        match expected {
            Taken(_) | Invalid(_) => assert_eq!(lenient, strict, "{text:?}"),
            NotAllowed(words) if words.contains("metadata") => {
                assert_eq!(lenient, strict, "{text:?}");
            }
            NotAllowed(_) => assert!(lenient.is_ok(), "{text:?}: {lenient:?}"),
        }
    }
}

#[test]
fn each_permission_permits_one_thing() {
    let http_only = &WebhookTargets::with(true, false);
    let private_only = &WebhookTargets::with(false, true);
    for (text, http, private) in [
        ("http://example.org/", true, false),
        ("https://127.0.0.1/", false, true),
        ("https://localhost/", false, true),
        ("http://127.0.0.1/", false, false),
        ("http://localhost/", false, false),
    ] {
        assert_eq!(WebhookUrl::parse(text, http_only).is_ok(), http, "{text}");
        assert_eq!(WebhookUrl::parse(text, private_only).is_ok(), private, "{text}");
    }
}

#[test]
fn up_to_2048_characters_are_taken_as_written_and_as_sent() {
    let of_length = |count: usize| format!("https://example.org/{}", "a".repeat(count - 20));
    assert_eq!(WebhookUrl::parse(&of_length(2_048), STRICT).unwrap().as_str().len(), 2_048);
    let encoded = format!("https://example.org/{}", "ã".repeat(400));
    for text in [of_length(2_049), encoded, "x".repeat(10_000_000)] {
        match WebhookUrl::parse(&text, STRICT).unwrap_err() {
            Refusal::Invalid(detail) => assert!(detail.contains("2,048"), "{detail}"),
            refusal => panic!("{refusal:?}"),
        }
    }
}

#[test]
fn a_refusal_is_a_sentence_that_says_what_to_change() {
    for (text, _) in TABLE {
        if let Err(refusal) = WebhookUrl::parse(text, STRICT) {
            let sentence = refusal.to_string();
            assert!(sentence.starts_with("The URL"), "{sentence}");
            assert!(sentence.contains(": ") && sentence.ends_with('.'), "{sentence}");
        }
    }
}

#[test]
fn a_url_shows_its_normal_form_and_host() {
    let url = WebhookUrl::parse("https://EXAMPLE.org:8443/Hook", STRICT).unwrap();
    assert_eq!(url.to_string(), "https://example.org:8443/Hook");
    assert_eq!(url.host(), "example.org");
    let url = WebhookUrl::parse("https://[2606:4700::1]/", STRICT).unwrap();
    assert_eq!(url.host(), "[2606:4700::1]");
}

fn resolver() -> Resolver {
    let addresses = |list: &[&str]| -> io::Result<Vec<IpAddr>> {
        Ok(list.iter().map(|address| address.parse().unwrap()).collect())
    };
    Resolver::scripted(move |host| match host {
        "public.example" => addresses(&["8.8.8.8", "2606:4700::1"]),
        "private.example" => addresses(&["10.0.0.1"]),
        "loopback.example" => addresses(&["::1"]),
        "mapped.example" => addresses(&["::ffff:192.168.0.1"]),
        "metadata.example" => addresses(&["169.254.169.254"]),
        "mixed.example" => addresses(&["8.8.8.8", "127.0.0.1"]),
        "empty.example" => addresses(&[]),
        "xn--mnchen-3ya.example" => addresses(&["127.0.0.1"]),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "no such name")),
    })
}

#[tokio::test]
async fn a_name_is_taken_only_if_all_its_addresses_are_public() {
    for (text, words) in [
        ("https://public.example/", None),
        ("https://8.8.8.8/", None),
        ("https://private.example/", Some("private.example resolves to a private")),
        ("https://PRIVATE.example/", Some("private.example resolves to a private")),
        ("https://loopback.example/", Some("resolves to a loopback address")),
        ("https://mapped.example/", Some("resolves to a private address")),
        ("https://metadata.example/", Some("the address of a cloud's metadata service")),
        ("https://mixed.example/", Some("resolves to a loopback address")),
        ("https://münchen.example/", Some("xn--mnchen-3ya.example resolves to a loopback")),
    ] {
        let url = WebhookUrl::parse(text, STRICT).unwrap();
        let answer = url.check_reachable(&resolver(), STRICT).await;
        match (&answer, words) {
            (Ok(()), None) => {}
            (Err(Refusal::NotAllowed(detail)), Some(words)) if detail.contains(words) => {}
            _ => panic!("{text}: expected {words:?}, got {answer:?}"),
        }
        let is_never_allowed = words.is_some_and(|words| words.contains("metadata"));
        let lenient = url.check_reachable(&resolver(), LENIENT).await;
        assert_eq!(lenient, if is_never_allowed { answer } else { Ok(()) }, "{text}");
    }
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_invalid() {
    for (text, words) in [
        ("https://empty.example/", "empty.example does not resolve (it has no addresses): check"),
        ("https://unknown.example/", "unknown.example does not resolve (no such name): check"),
    ] {
        let url = WebhookUrl::parse(text, STRICT).unwrap();
        for allowed in [STRICT, LENIENT] {
            match url.check_reachable(&resolver(), allowed).await {
                Err(Refusal::Invalid(detail)) => assert!(detail.contains(words), "{detail}"),
                answer => panic!("{text}: {answer:?}"),
            }
        }
    }
}

#[tokio::test]
async fn an_address_in_a_url_is_judged_by_the_policy_of_the_moment() {
    let url = WebhookUrl::parse("http://127.0.0.1:3000/", LENIENT).unwrap();
    let answer = url.check_reachable(&resolver(), STRICT).await;
    assert!(matches!(answer, Err(Refusal::NotAllowed(_))), "{answer:?}");
}

proptest! {
    /// Stored URLs are parsed again before each send.
    #[test]
    fn the_normal_form_is_its_own_normal_form(
        text in r"https://[a-z0-9.\-%ã]{1,20}(:[0-9]{1,5})?[!-~ã]{0,30}",
    ) {
        if let Ok(url) = WebhookUrl::parse(&text, STRICT) {
            prop_assert_eq!(WebhookUrl::parse(url.as_str(), STRICT), Ok(url));
        }
    }

    /// Two URL parsers are in use, one here and one in the client, and they must agree.
    #[test]
    fn what_is_taken_can_be_sent(
        text in r"https://[a-z]{1,5}\.example(:[0-9]{1,5})?[/?][!-~\u{a0}-\u{2fff}]{0,60}",
    ) {
        if let Ok(url) = WebhookUrl::parse(&text, STRICT) {
            let sent: http::Uri = url.as_str().parse().unwrap();
            prop_assert_eq!(sent.host(), Some(url.host()));
            prop_assert_eq!(sent.to_string(), url.as_str());
        }
    }

    /// Covers all notations of an address.
    #[test]
    fn no_host_of_numbers_that_is_not_public_is_taken(bits: u32, form in 0_usize..5) {
        let [a, b, c, d] = bits.to_be_bytes();
        let (tail, rest) = (bits & 0xffff, bits & 0xff_ffff);
        let host = match form {
            0 => format!("{bits}"),
            1 => format!("{a:#x}.{rest:#o}").replace("0o", "0"),
            2 => format!("{a}.{b}.{tail:#x}."),
            3 => format!("[::ffff:{a}.{b}.{c}.{d}]"),
            _ => format!("[64:ff9b::{:x}:{tail:x}]", bits >> 16),
        };
        let url = WebhookUrl::parse(&format!("https://{host}/"), STRICT);
        let public = crate::address::refusal(std::net::Ipv4Addr::from_bits(bits).into()).is_none();
        prop_assert_eq!(url.is_ok(), public, "{}: {:?}", host, url);
    }
}
