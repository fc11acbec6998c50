//! Requests through a proxy that is not trusted: all its visitors count as one.

use std::time::Duration;

use scratch::log::Log;
use svc::config;

use crate::harness::{Running, START, settings};

#[tokio::test]
async fn the_operator_is_told_once_an_hour_of_a_proxy_that_is_not_listed() {
    let (log, _guard) = Log::listen();
    let running = Running::with(config::Serve::default(), START).await;
    let ask = async |header: (&str, &str)| {
        let request = running.http.get(running.url("/api/v1/metrics"));
        let answer = request.header(header.0, header.1).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    };
    ask(("accept", "*/*")).await;
    assert!(log.taken("prox").is_empty());
    ask(("x-forwarded-for", "192.0.2.1")).await;
    let said = log.taken("prox");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains(
            "WARN limits::proxy_warnings: 127.0.0.1 sends X-Forwarded-For but is not a trusted \
         proxy, so all visitors behind it share one quota of requests and of streams. If it is \
         your proxy, start with --trusted-proxies 127.0.0.1 (SVC_TRUSTED_PROXIES)"
        ),
        "{said:?}"
    );
    ask(("forwarded", "for=192.0.2.1")).await;
    running.clock.advance(Duration::from_secs(3_599));
    ask(("forwarded", "for=192.0.2.1")).await;
    assert!(log.taken("prox").is_empty());
    running.clock.advance(Duration::from_secs(1));
    ask(("forwarded", "for=192.0.2.1")).await;
    let said = log.taken("prox");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("127.0.0.1 sends Forwarded but is not a trusted proxy"), "{said:?}");
}

#[tokio::test]
async fn of_a_trusted_proxy_nothing_is_said() {
    let (log, _guard) = Log::listen();
    let running = Running::with(settings(), START).await;
    running.get_with("/api/v1/metrics", &[("x-forwarded-for", "192.0.2.1")]).await;
    assert!(log.taken("prox").is_empty());
}

#[tokio::test]
async fn the_operator_is_told_once_an_hour_of_a_proxy_whose_headers_name_different_clients() {
    let (log, _guard) = Log::listen();
    let running = Running::with(settings(), START).await;
    let ask = async |x_forwarded_for: &str, forwarded: &str| {
        let headers = [("x-forwarded-for", x_forwarded_for), ("forwarded", forwarded)];
        assert_eq!(running.get_with("/api/v1/metrics", &headers).await.status, 200);
    };
    ask("192.0.2.1", "for=192.0.2.1").await;
    assert!(log.taken("prox").is_empty());
    ask("192.0.2.1", "for=192.0.2.2").await;
    ask("192.0.2.1", "for=unknown").await;
    running.clock.advance(Duration::from_secs(3_599));
    ask("192.0.2.1", "for=192.0.2.2").await;
    let said = log.taken("prox");
    assert!(
        matches!(&*said, [line] if line.contains(
            "WARN limits::proxy_warnings: the trusted proxy 127.0.0.1 sends X-Forwarded-For and Forwarded, which name \
             different clients, so neither is believed, and all such requests share one quota of requests and of streams. \
             Have the proxy remove the header that it does not write itself"
        )),
        "{said:?}"
    );
    running.clock.advance(Duration::from_secs(1));
    ask("192.0.2.1", "for=192.0.2.2").await;
    assert_eq!(log.taken("prox").len(), 1);
}
