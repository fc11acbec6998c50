use domain::tier::Tier;
use serde_json::{Value, json};

use svc::config::Serve;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::{Running, START, settings, soon};

/// Starts a service that permits two connections per address.
async fn strict(settings: Serve) -> Running {
    Running::with(Serve { connections_per_address: 2, ..settings }, START).await
}

/// Opens a connection and completes a request on it.
async fn used(running: &Running) -> TcpStream {
    let mut stream = TcpStream::connect(running.service.addr).await.unwrap();
    stream.write_all(b"GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let mut status = [0; 15];
    soon("a response", stream.read_exact(&mut status)).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 200 OK");
    stream
}

/// Everything received on a connection that sends nothing.
async fn refused(running: &Running) -> String {
    let mut stream = TcpStream::connect(running.service.addr).await.unwrap();
    let mut text = String::new();
    soon("the refusal", stream.read_to_string(&mut text)).await.unwrap();
    text
}

#[tokio::test]
async fn an_address_has_only_so_many_connections_open() {
    let running = strict(Serve::default()).await;
    let mut open = vec![used(&running).await, used(&running).await];
    let response = refused(&running).await;
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 429 Too Many Requests\r\n"), "{head}");
    assert_eq!(
        serde_json::from_str::<Value>(body).unwrap(),
        json!({
            "type": "/docs/errors#TOO_MANY_CONNECTIONS",
            "title": "Too many open connections",
            "status": 429,
            "detail": "2 connections are open from this address: close one, or use them for more \
                       requests.",
            "code": "TOO_MANY_CONNECTIONS",
        })
    );
    open.pop();
    soon("room for another connection", async {
        loop {
            let mut stream = TcpStream::connect(running.service.addr).await.unwrap();
            stream.write_all(b"GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
            let mut status = [0; 15];
            let read = stream.read_exact(&mut status).await;
            if read.is_ok() && &status == b"HTTP/1.1 200 OK" {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn an_open_stream_is_a_connection_too() {
    let running = strict(Serve::default()).await;
    let mut streams = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(running.service.addr).await.unwrap();
        stream.write_all(b"GET /api/v1/stream HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        let mut status = [0; 15];
        soon("a response", stream.read_exact(&mut status)).await.unwrap();
        streams.push(stream);
    }
    assert!(refused(&running).await.starts_with("HTTP/1.1 429 "));
}

#[tokio::test]
async fn a_trusted_proxy_has_as_many_connections_as_it_likes() {
    let running = strict(settings()).await;
    let mut open = Vec::new();
    for _ in 0..10 {
        open.push(used(&running).await);
    }
}

/// Complete response to a request whose body the service does not read. The service must close the connection in order:
/// a reset could overtake the response.
async fn answered(running: &Running, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(running.service.addr).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut text = String::new();
    soon("the response", stream.read_to_string(&mut text)).await.unwrap();
    text
}

#[tokio::test]
async fn a_response_that_comes_before_the_end_of_the_request_is_never_lost() {
    let running = Running::new().await;
    let key = running.key("Aid", Tier::Partner).await;
    // The body exceeds the buffers of both sides, so the client is still sending when the response arrives.
    let body = vec![b' '; 16 << 20];
    for (authorization, status) in [
        (
            format!("Authorization: Bearer {}\r\n", key.as_str()),
            "HTTP/1.1 413 Payload Too Large\r\n",
        ),
        (String::new(), "HTTP/1.1 401 Unauthorized\r\n"),
    ] {
        let head = format!(
            "POST /api/v1/webhooks HTTP/1.1\r\nHost: a\r\n{authorization}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        let request = [head.as_bytes(), &body].concat();
        for _ in 0..3 {
            let response = answered(&running, &request).await;
            assert!(response.starts_with(status) && response.ends_with('}'), "{response}");
        }
    }
}

#[tokio::test]
async fn a_refused_connection_gets_the_reason_also_if_it_has_sent_a_request() {
    let running = strict(Serve::default()).await;
    let _open = [used(&running).await, used(&running).await];
    let request =
        format!("GET /robots.txt HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(8_000));
    for _ in 0..20 {
        let response = answered(&running, request.as_bytes()).await;
        assert!(response.starts_with("HTTP/1.1 429 ") && response.ends_with('}'), "{response}");
    }
}
