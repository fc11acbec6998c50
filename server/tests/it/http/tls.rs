use std::time::Duration;

use edge::tls::POLL_INTERVAL;
use rustls::version::{TLS12, TLS13};

use svc::config::Serve;

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
};

use super::{
    certificates::{Files, HOST, connect, connect_with, secure},
    http2_client::Http2,
};
use crate::{
    exposition::Exposition,
    harness::{Running, settings, soon},
};

/// Response to an HTTP/1.1 request.
async fn get(mut stream: impl AsyncRead + AsyncWrite + Unpin, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    soon("the response", stream.read_to_string(&mut response)).await.unwrap();
    response
}

#[tokio::test]
async fn clients_choose_the_version_of_tls_and_of_http() {
    let (running, _files, certificate) = secure().await;
    for version in [&TLS12, &TLS13] {
        for (offered, chosen) in [
            (&["h2", "http/1.1"][..], Some("h2")),
            (&["http/1.1", "h2"], Some("h2")),
            (&["http/1.1"], Some("http/1.1")),
            (&[], None),
        ] {
            let stream = connect_with(&running, &certificate, offered, &[version]).await.unwrap();
            assert_eq!(stream.get_ref().1.alpn_protocol(), chosen.map(str::as_bytes));
            if chosen == Some("h2") {
                let client = Http2::over(stream, "https").await;
                assert_eq!(client.get("/robots.txt").await.status, 200);
            } else {
                assert!(get(stream, "/robots.txt").await.starts_with("HTTP/1.1 200 OK\r\n"));
            }
        }
        let refused = connect_with(&running, &certificate, &["spdy/3"], &[version]).await;
        assert!(refused.is_err());
    }
}

#[tokio::test]
async fn who_agreed_on_http_2_has_to_speak_it() {
    let (running, _files, certificate) = secure().await;
    let mut stream = connect(&running, &certificate, &["h2"]).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let mut seen = Vec::new();
    soon("the end", stream.read_to_end(&mut seen)).await.unwrap();
    assert_eq!(seen, b"");
}

#[tokio::test]
async fn the_numbers_say_when_the_first_certificate_of_the_chain_expires() {
    let expires = "svc_tls_certificate_expires_timestamp_seconds";
    assert_eq!(Exposition::of(&Running::new().await).await.all(expires), []);
    let (files, _) = Files::new();
    files.write_chain(&[(2031, 1), (2030, 6)]);
    let running = files.serve(settings()).await;
    assert_eq!(Exposition::of(&running).await.one(expires), 1_906_502_400.0);
    // The new certificate has the library's default validity.
    files.renew();
    soon("the new certificate", async {
        while Exposition::of(&running).await.one(expires) != 67_090_118_400.0 {
            running.clock.advance(POLL_INTERVAL);
        }
    })
    .await;
}

#[tokio::test]
async fn links_say_https() {
    let (running, _files, certificate) = secure().await;
    // Without the colours of the syntax.
    let snippet = format!("<span class=\"s\">\"https://{HOST}/embed.js\"</span>");
    let stream = connect(&running, &certificate, &["http/1.1"]).await.unwrap();
    let page = get(stream, "/").await;
    assert!(page.contains(&snippet), "{page}");
    let stream = connect(&running, &certificate, &["h2"]).await.unwrap();
    let client = Http2::over(stream, "https").await;
    assert!(client.get("/").await.text().contains(&snippet));
    let forwarded = client.ask("GET", "/", &[("x-forwarded-proto", "http")]).await.text();
    assert!(forwarded.contains(&snippet.replace("https", "http")), "a trusted proxy knows better");
}

#[tokio::test]
async fn streams_tick_and_end_over_tls() {
    let (running, _files, certificate) = secure().await;
    let stream = connect(&running, &certificate, &["h2"]).await.unwrap();
    let client = Http2::over(stream, "https").await;
    let mut events = client.stream().await;
    events.until("event: reports").await;
    let mut in_turn = connect(&running, &certificate, &["http/1.1"]).await.unwrap();
    in_turn.write_all(b"GET /api/v1/stream HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let mut seen = [0; 15];
    soon("the response", in_turn.read_exact(&mut seen)).await.unwrap();
    assert_eq!(&seen, b"HTTP/1.1 200 OK");
    running.clock.advance(Duration::from_secs(5));
    events.until("event: reports").await;
    let Running { service, database: _kept, .. } = running;
    let mut last = String::new();
    let (rest, read, ()) =
        tokio::join!(events.rest(), in_turn.read_to_string(&mut last), service.stop());
    assert!(rest.starts_with("retry: "), "{rest}");
    read.unwrap();
    assert!(last.ends_with("\r\n0\r\n\r\n"), "{last}");
}

#[tokio::test]
async fn a_certificate_that_is_renewed_is_used_without_a_restart() {
    let (running, files, first) = secure().await;
    let open = Http2::over(connect(&running, &first, &["h2"]).await.unwrap(), "https").await;
    let second = files.renew();
    assert!(connect(&running, &second, &[]).await.is_err());
    soon("the new certificate", async {
        while connect(&running, &second, &[]).await.is_err() {
            running.clock.advance(POLL_INTERVAL);
        }
    })
    .await;
    assert!(connect(&running, &first, &[]).await.is_err());
    assert_eq!(open.get("/robots.txt").await.status, 200, "what is open goes on");
}

#[tokio::test]
async fn a_certificate_is_used_at_once_when_the_settings_are_reloaded() {
    let (running, files, _) = secure().await;
    let second = files.renew();
    running.service.reload(&settings());
    soon("the new certificate", async { while connect(&running, &second, &[]).await.is_err() {} })
        .await;
}

#[tokio::test]
async fn who_does_not_speak_tls_is_told_nothing() {
    let (running, _files, _) = secure().await;
    let mut stream = TcpStream::connect(running.service.addr).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let mut seen = Vec::new();
    soon("the end", stream.read_to_end(&mut seen)).await.unwrap();
    // A fatal TLS alert: seven bytes that start with the record type 21.
    assert_eq!((seen.len(), &seen[..1]), (7, &[21][..]), "{seen:?}");
}

#[tokio::test]
async fn a_connection_too_many_ends_without_a_word_in_clear() {
    let (files, certificate) = Files::new();
    let running = files.serve(Serve { connections_per_address: 1, ..Serve::default() }).await;
    let stream = connect(&running, &certificate, &["h2"]).await.unwrap();
    let client = Http2::over(stream, "https").await;
    assert_eq!(client.get("/robots.txt").await.status, 200);
    assert_eq!(running.send("").await, "");
    assert!(connect(&running, &certificate, &[]).await.is_err());
}

#[tokio::test]
async fn a_trusted_proxy_may_speak_tls_too() {
    let (files, certificate) = Files::new();
    let running = files.serve(settings()).await;
    let stream = connect(&running, &certificate, &["h2"]).await.unwrap();
    let client = Http2::over(stream, "https").await;
    let visitor = [("x-forwarded-for", "203.0.113.7")];
    for left in [59, 58] {
        let answer = client.ask("GET", "/api/v1/metrics", &visitor).await;
        assert_eq!(answer.header("ratelimit"), format!("\"public\";r={left};t=60"));
    }
}

#[tokio::test]
async fn another_implementation_of_http_2_gets_all_it_asks_for() {
    let (running, _files, _) = secure().await;
    let url = format!("https://{}/embed.js", running.service.addr);
    let mut load = tokio::process::Command::new("h2load");
    load.args(["--requests=2000", "--clients=4", "--max-concurrent-streams=100", &url]);
    let ran = soon("the end", load.output()).await.unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(said.contains("Application protocol: h2\n"), "{said}");
    assert!(said.contains(" 2000 done, 2000 succeeded, 0 failed, 0 errored, 0 timeout"), "{said}");
}
