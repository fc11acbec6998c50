//! The service's URL as reported by proxies.

use svc::config;

use super::snippet;
use crate::harness::{Answer, Running, START, reached_at, settings};

const PROTO: &str = "x-forwarded-proto";
const HOST: &str = "x-forwarded-host";
const CLIENT: &str = "x-forwarded-for";

/// URL in the snippets of the start page.
fn address(page: &Answer) -> String {
    let iframe = snippet(&page.text(), "iframe");
    let (_, rest) = iframe.split_once("&lt;iframe src=\"").unwrap();
    rest.split("/embed/").next().unwrap().to_owned()
}

async fn check(running: &Running, cases: &[(&[(&str, &str)], &str)]) {
    for (headers, expected) in cases {
        let headers = [&[("host", "svc.example.org")], *headers].concat();
        let page = running.get_with("/", &headers).await;
        assert_eq!(address(&page), *expected, "{headers:?}");
    }
}

#[tokio::test]
async fn addresses_are_those_that_a_trusted_proxy_was_asked_for() {
    check(
        &Running::new().await,
        &[
            (&[], "http://svc.example.org"),
            (&[(PROTO, "https")], "https://svc.example.org"),
            (&[(PROTO, "HTTPS"), (HOST, "a.example:8443")], "https://a.example:8443"),
            (&[(HOST, "[2001:db8::1]:80")], "http://[2001:db8::1]:80"),
            (&[("forwarded", "for=192.0.2.1;proto=https;host=a.example")], "https://a.example"),
            (&[("forwarded", "Proto=\"https\";Host=\"a.example:1\"")], "https://a.example:1"),
            (&[("forwarded", "for=unknown;proto=https")], "https://svc.example.org"),
        ],
    )
    .await;
}

#[tokio::test]
async fn nobody_else_is_believed() {
    let running = Running::with(config::Serve::default(), START).await;
    let said =
        [(PROTO, "https"), (HOST, "evil.example"), ("forwarded", "proto=https;host=b.example")];
    check(&running, &[(&said, "http://svc.example.org")]).await;
    let vary = running.get_with("/", &said).await;
    assert_eq!(vary.headers.get_all("vary").iter().filter(|vary| *vary == "host").count(), 1);
    assert!(
        !vary
            .headers
            .get_all("vary")
            .iter()
            .any(|vary| vary.to_str().unwrap().contains("forwarded"))
    );
}

#[tokio::test]
async fn what_clients_wrote_in_front_of_a_proxys_words_counts_for_nothing() {
    let trusted_proxies = "127.0.0.1, 10.0.0.0/8".parse().unwrap();
    let running = Running::with(config::Serve { trusted_proxies, ..settings() }, START).await;
    check(
        &running,
        &[
            (&[(CLIENT, "192.0.2.1"), (PROTO, "https, http")], "http://svc.example.org"),
            (&[(CLIENT, "192.0.2.1"), (HOST, "evil.example, a.example")], "http://a.example"),
            // The proxy in front of the nearest is trusted too, and adds its own values.
            (&[(CLIENT, "192.0.2.1, 10.0.0.2"), (PROTO, "https, http")], "https://svc.example.org"),
            (&[(CLIENT, "192.0.2.1, 10.0.0.2"), (PROTO, "https")], "https://svc.example.org"),
            (
                &[(CLIENT, "9.9.9.9, 192.0.2.1, 10.0.0.2"), (HOST, "evil.example, a.example, b.example")],
                "http://a.example",
            ),
            (
                &[(CLIENT, "192.0.2.1"), ("forwarded", "for=1.1.1.1;proto=https, for=192.0.2.1;proto=http")],
                "http://svc.example.org",
            ),
            (
                &[
                    (CLIENT, "192.0.2.1"),
                    ("forwarded", "host=evil.example, for=192.0.2.1;proto=https;host=a.example, for=10.0.0.2;proto=http"),
                ],
                "https://a.example",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn malformed_values_are_ignored_and_so_are_two_headers_that_differ() {
    let long = "a".repeat(300);
    let mut cases: Vec<(Vec<(&str, &str)>, &str)> = Vec::new();
    for proto in ["ftp", "https:", "", "https;", "\"https\"", "javascript"] {
        cases.push((vec![(PROTO, proto)], "http://svc.example.org"));
    }
    for host in [
        "a.example/x",
        "a@b.example",
        "a.example:port",
        "a.example:99999",
        "\"><script>",
        "",
        "a b",
        &long,
    ] {
        cases.push((vec![(HOST, host)], "http://svc.example.org"));
    }
    for forwarded in
        ["proto=https;proto=https", "proto", "proto=\"https", "proto=https;host=a/b;x y=1", ";;=,"]
    {
        cases.push((vec![("forwarded", forwarded)], "http://svc.example.org"));
    }
    cases.push((vec![(PROTO, "https"), ("forwarded", "proto=http")], "http://svc.example.org"));
    cases.push((
        vec![(HOST, "a.example"), ("forwarded", "host=b.example")],
        "http://svc.example.org",
    ));
    cases.push((
        vec![(HOST, "A.example"), ("forwarded", "host=a.example;proto=https")],
        "https://a.example",
    ));
    let cases: Vec<_> = cases.iter().map(|(headers, expected)| (&headers[..], *expected)).collect();
    check(&Running::new().await, &cases).await;
}

#[tokio::test]
async fn caches_are_told_of_the_headers_where_they_decide() {
    let vary = async |running: &Running, path: &str| {
        let answer = running.get(path).await;
        let lines = answer.headers.get_all("vary").iter().map(|line| line.to_str().unwrap());
        let names = lines.flat_map(|line| line.split(',')).map(|name| name.trim().to_owned());
        // `accept…` and `authorization` are left out.
        let mut names: Vec<_> = names.filter(|name| !name.starts_with("a")).collect();
        names.sort();
        names
    };
    let trusting = Running::new().await;
    let public = Running::with(reached_at("https://svc.example.org"), START).await;
    let direct = Running::with(config::Serve::default(), START).await;
    let all = ["forwarded", "host", "x-forwarded-host", "x-forwarded-proto"];
    for path in ["/", "/docs", "/embed/feed", "/robots.txt", "/sitemap.xml"] {
        assert_eq!(vary(&trusting, path).await, all, "{path}");
        assert_eq!(vary(&direct, path).await, ["host"], "{path}");
        assert!(vary(&public, path).await.is_empty(), "{path}");
    }
    for path in ["/api/v1/metrics", "/embed.js", "/embed/metrics.svg"] {
        assert!(vary(&trusting, path).await.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn the_public_address_wins_over_all_headers() {
    let running = Running::with(reached_at("https://svc.example.org"), START).await;
    let said: &[(&str, &str)] = &[("host", "b.example"), (PROTO, "http"), (HOST, "a.example")];
    assert_eq!(address(&running.get_with("/", said).await), "https://svc.example.org");
}
