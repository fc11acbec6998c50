//! The parsers that are [fuzzed](scratch::fuzz) with the corpus in `tests/corpus/`, and their invariants: no parser
//! panics, accepted input can be written and read again, and a refusal has a reason that can be shown.

use std::{net::IpAddr, path::Path};

use app::{
    brand::Label,
    contract::{EmbedOptions, snippets::Embed},
};
use base::time::{format_instant, parse_date, parse_instant};
use domain::{cursor::Cursor, import_id::ImportId, networks::Networks};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use kit::lang::Lang;
use limits::{ForwardedOrigin, RedisUrl, TrustedProxies, client_ip, forwarded_origin};
use scratch::fuzz::{self, Target, is_said};
use webhooks::url::WebhookUrl;

use crate::{
    api::fuzz::problems,
    base_url::PublicUrl,
    config::{WebhookTargets, file},
    keys::ApiKey,
    operator,
    realm::session,
};

const TARGETS: &[Target] = &[
    Target { name: "accept-language", check: accept_language },
    Target { name: "cookie", check: cookie },
    Target { name: "cursor", check: |bytes| text(bytes, cursor) },
    Target { name: "date", check: |bytes| text(bytes, date) },
    Target { name: "forwarded", check: forwarded },
    Target { name: "import-id", check: |bytes| text(bytes, import_id) },
    Target { name: "instant", check: |bytes| text(bytes, instant) },
    Target { name: "key", check: |bytes| text(bytes, key) },
    Target { name: "label", check: |bytes| text(bytes, label) },
    Target { name: "networks", check: |bytes| text(bytes, networks) },
    Target { name: "options", check: |bytes| text(bytes, options) },
    Target { name: "query", check: |bytes| text(bytes, query) },
    Target { name: "query-of-operators", check: |bytes| text(bytes, query_of_operators) },
    Target { name: "settings", check: |bytes| text(bytes, settings) },
    Target { name: "url-of-redis", check: |bytes| text(bytes, url_of_redis) },
    Target { name: "url-of-the-service", check: |bytes| text(bytes, url_of_the_service) },
    Target { name: "url-of-a-webhook", check: |bytes| text(bytes, url_of_a_webhook) },
];

/// Runs `check` on input that is UTF-8: these parsers get text only.
fn text(bytes: &[u8], check: fn(&str)) {
    if let Ok(text) = str::from_utf8(bytes) {
        check(text);
    }
}

/// Makes headers with each line of the input as a value, if HTTP allows it.
fn headers(name: HeaderName, bytes: &[u8]) -> HeaderMap {
    let lines = bytes.split(|byte| *byte == b'\n');
    let values = lines.filter_map(|line| HeaderValue::from_bytes(line).ok());
    let mut headers = HeaderMap::new();
    for value in values.take(100) {
        headers.append(name.clone(), value);
    }
    headers
}

fn accept_language(bytes: &[u8]) {
    text(bytes, |text| assert!(Lang::accepted(text).is_none_or(|lang| Lang::ALL.contains(&lang))));
}

fn cookie(bytes: &[u8]) {
    if let Some(token) = session::fuzz_token(&headers(header::COOKIE, bytes)) {
        assert!(
            token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            "{token}"
        );
    }
}

fn cursor(text: &str) {
    if let Ok(cursor) = text.parse::<Cursor>() {
        assert_eq!(cursor.to_string(), text);
    }
}

fn date(text: &str) {
    if let Some(date) = parse_date(text) {
        assert_eq!(date.to_string(), text);
    }
}

fn instant(text: &str) {
    if let Some(instant) = parse_instant(text) {
        let written = format_instant(instant);
        assert_eq!(parse_instant(&written).map(format_instant), Some(written));
    }
}

/// Forwarding headers count only if the peer is a trusted proxy.
fn forwarded(bytes: &[u8]) {
    let trusted: TrustedProxies = "10.0.0.0/8,2001:db8::/32".parse().unwrap();
    let (proxy, stranger): (IpAddr, IpAddr) = ([10, 0, 0, 1].into(), [203, 0, 113, 9].into());
    for name in ["x-forwarded-for", "forwarded", "x-forwarded-host", "x-forwarded-proto"] {
        let headers = headers(HeaderName::from_static(name), bytes);
        assert_eq!(client_ip(stranger, &headers, &trusted), stranger);
        let client = client_ip(proxy, &headers, &trusted);
        assert_eq!(client, client.to_canonical());
        assert_eq!(forwarded_origin(stranger, &headers, &trusted), ForwardedOrigin::default());
        let ForwardedOrigin { host, .. } = forwarded_origin(proxy, &headers, &trusted);
        let is_host = |host: String| {
            host.parse::<http::uri::Authority>().is_ok() && host == host.to_ascii_lowercase()
        };
        assert!(host.clone().is_none_or(is_host), "{host:?}");
    }
}

fn import_id(text: &str) {
    match text.parse::<ImportId>() {
        Ok(id) => assert_eq!(id.to_string().parse(), Ok(id)),
        Err(reason) => is_said(&reason),
    }
}

fn key(text: &str) {
    if let Some(key) = ApiKey::parse(text) {
        assert_eq!(key.as_str(), text);
    }
}

fn label(text: &str) {
    if let Err(reason) = text.parse::<Label>() {
        assert!(!reason.is_empty());
    }
}

fn networks(text: &str) {
    match text.parse::<Networks>() {
        Ok(networks) => drop(networks.contains([192, 0, 2, 1].into())),
        Err(reason) => is_said(&reason),
    }
}

/// Options that were read from a query stay the same when they are written and read again.
fn options(text: &str) {
    let options = EmbedOptions::from_query(text);
    assert_eq!(EmbedOptions::from_query(&options.to_query()), options);
    let embed = Embed::from_query(text);
    let iframe = embed.iframe("https://a.example", "100%", "120", " ");
    assert_eq!(iframe.matches('<').count(), 2, "{iframe}");
}

fn query(text: &str) {
    for problem in problems(text) {
        is_said(problem.detail());
    }
}

fn query_of_operators(text: &str) {
    if let Err(problem) = operator::v1::reports::selected(Some(text)) {
        is_said(problem.detail());
    }
}

fn settings(text: &str) {
    match file::parse(Path::new("svc.toml"), text) {
        Ok(entries) => {
            let lines = 1 + text.matches('\n').count();
            assert!(entries.iter().all(|entry| (1..=lines).contains(&entry.line)), "{entries:?}");
        }
        Err(error) => assert!(error.to_string().starts_with("svc.toml:"), "{error}"),
    }
}

fn url_of_redis(text: &str) {
    if let Err(error) = text.parse::<RedisUrl>() {
        assert!(!error.to_string().is_empty());
    }
}

fn url_of_the_service(text: &str) {
    if let Ok(url) = text.parse::<PublicUrl>() {
        assert!(url.path().is_empty() || url.path().starts_with('/'), "{}", url.path());
    }
}

fn url_of_a_webhook(text: &str) {
    for allowed in [WebhookTargets::default(), WebhookTargets::lenient()] {
        match WebhookUrl::parse(text, &allowed) {
            Ok(url) => assert_eq!(WebhookUrl::parse(url.as_str(), &allowed), Ok(url)),
            Err(refusal) => is_said(&refusal.to_string()),
        }
    }
}

#[test]
fn whatever_comes_from_outside_is_read_or_refused() {
    fuzz::run(TARGETS, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"));
}
