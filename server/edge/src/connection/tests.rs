use axum::{Router, response::Response, routing::get};
use bytes::Bytes;
use futures_util::stream;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, DuplexStream},
    sync::mpsc,
    task::JoinHandle,
};

use super::*;
use crate::Peer;

const AN_HOUR: Duration = Duration::from_secs(3_600);
pub(super) const FOREVER: Timeouts =
    Timeouts { head: AN_HOUR, idle: AN_HOUR, write: AN_HOUR, silence: AN_HOUR };

/// Client of a connection that is being served.
struct Client {
    stream: DuplexStream,
    stopping: Stopping,
    serving: JoinHandle<()>,
}

/// Serves a connection. `/` returns `hello`, `/feed` streams `frames`, and `/last` does the same while the service
/// stops.
fn serve_with(timeouts: &'static Timeouts, frames: Vec<&'static str>) -> Client {
    let (stream, theirs) = tokio::io::duplex(64 << 10);
    let socket = Socket::with_timeouts(theirs, timeouts);
    let feed = move || {
        let frames = frames.clone().into_iter().map(Bytes::from);
        let response = detached_stream::response([], Box::pin(stream::iter(frames)));
        async { response }
    };
    let stopping = Stopping::default();
    let (ending, last) = (stopping.ending.clone(), feed.clone());
    let last = move || {
        ending.begin();
        last()
    };
    let routes = Router::new().route("/", get(async || "hello"));
    let routes = routes.route("/feed", get(feed)).route("/last", get(last));
    let peer = Peer { addr: ([192, 0, 2, 1], 1).into(), tls: false };
    let respond = Respond { handler: routes, peer, admission: None };
    let context = Context { respond, stopping: stopping.clone(), tasks: TaskTracker::new() };
    let serving = tokio::spawn(serve(socket, context));
    Client { stream, stopping, serving }
}

impl Client {
    async fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).await.unwrap();
    }

    /// All input until the connection is closed.
    async fn rest(&mut self) -> String {
        let mut text = String::new();
        self.stream.read_to_string(&mut text).await.unwrap();
        text
    }

    /// Reads until `text` has arrived, and nothing after it.
    async fn expect(&mut self, text: &str) {
        let mut seen = Vec::new();
        while !seen.ends_with(text.as_bytes()) {
            seen.push(self.stream.read_u8().await.unwrap());
        }
    }
}

/// Status line and JSON of a response.
fn problem(response: &str) -> (&str, Value) {
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("\r\nconnection: close"), "{head}");
    assert!(head.contains(&format!("\r\ncontent-length: {}", body.len())), "{head}");
    (head.lines().next().unwrap(), serde_json::from_str(body).unwrap())
}

#[tokio::test]
async fn a_head_that_does_not_end_in_time_is_a_problem() {
    let timeouts = const { &Timeouts { head: Duration::from_millis(50), ..FOREVER } };
    for begun in ["G", "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: "] {
        let mut client = serve_with(timeouts, vec![]);
        client.send(begun).await;
        assert_eq!(
            problem(&client.rest().await),
            (
                "HTTP/1.1 408 Request Timeout",
                json!({
                    "type": "/docs/errors#REQUEST_TIMEOUT",
                    "title": "The request timed out",
                    "status": 408,
                    "detail": "The head of the request did not arrive within 0 seconds.",
                    "code": "REQUEST_TIMEOUT",
                })
            )
        );
    }
}

#[tokio::test]
async fn the_time_of_a_head_counts_for_later_requests_too() {
    let timeouts = const { &Timeouts { head: Duration::from_millis(50), ..FOREVER } };
    let mut client = serve_with(timeouts, vec![]);
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    client.expect("\r\n\r\nhello").await;
    client.send("GET / HT").await;
    assert_eq!(problem(&client.rest().await).0, "HTTP/1.1 408 Request Timeout");
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed_without_a_word() {
    let timeouts = const { &Timeouts { idle: Duration::from_millis(50), ..FOREVER } };
    let mut client = serve_with(timeouts, vec![]);
    assert_eq!(client.rest().await, "");
    let mut client = serve_with(timeouts, vec![]);
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(client.rest().await.ends_with("\r\n\r\nhello"));
}

#[tokio::test]
async fn what_cannot_be_parsed_is_a_problem() {
    for request in ["\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"] {
        let mut client = serve_with(&FOREVER, vec![]);
        client.send(request).await;
        let response = client.rest().await;
        let (status, body) = problem(&response);
        assert_eq!(
            (status, &body["code"]),
            ("HTTP/1.1 400 Bad Request", &json!("MALFORMED_REQUEST"))
        );
    }
    let mut client = serve_with(&FOREVER, vec![]);
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n").await;
    let responses = client.rest().await;
    let (first, second) = responses.split_once("hello").unwrap();
    assert!(first.starts_with("HTTP/1.1 200 OK"), "what came before is answered");
    assert_eq!(problem(second).0, "HTTP/1.1 400 Bad Request");
}

#[tokio::test]
async fn a_head_that_is_too_large_is_a_problem_that_the_client_gets_to_read() {
    let mut client = serve_with(&FOREVER, vec![]);
    // More than is read before the refusal: the client is still sending then.
    let long = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(100 << 10));
    client.send(&long).await;
    let response = client.rest().await;
    let (status, body) = problem(&response);
    assert_eq!(status, "HTTP/1.1 431 Request Header Fields Too Large");
    assert_eq!(body["code"], "HEAD_TOO_LARGE");
    assert_eq!(body["detail"], "Request line and headers may have 16384 bytes together.");
}

#[tokio::test]
async fn a_stream_takes_the_connection_over() {
    let mut client = serve_with(&FOREVER, vec!["one", "and two"]);
    client.send("GET /feed HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let response = client.rest().await;
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    let last = "\r\nconnection: close\r\ntransfer-encoding: chunked";
    assert!(head.ends_with(last) && !head.contains("length"), "{head}");
    assert_eq!(body, "3\r\none\r\n7\r\nand two\r\n0\r\n\r\n");
}

#[tokio::test]
async fn a_stream_takes_the_connection_over_although_the_service_stops_just_then() {
    let mut client = serve_with(&FOREVER, vec!["one"]);
    client.send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(client.rest().await.ends_with("\r\n\r\n3\r\none\r\n0\r\n\r\n"));
}

#[tokio::test]
async fn a_feed_comes_after_the_responses_to_what_was_asked_before_it() {
    let mut client = serve_with(&FOREVER, vec!["one"]);
    let [hello, feed] =
        ["/", "/feed"].map(|path| format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
    client.send(&format!("{hello}{hello}{feed}{hello}")).await;
    let responses = client.rest().await;
    assert_eq!(responses.matches("HTTP/1.1 200 OK").count(), 3, "{responses}");
    assert_eq!(responses.matches("\r\n\r\nhello").count(), 2, "{responses}");
    assert!(responses.ends_with("\r\n\r\n3\r\none\r\n0\r\n\r\n"), "{responses}");
}

#[tokio::test]
async fn http_1_0_gets_the_frames_of_a_feed_as_they_are() {
    let mut client = serve_with(&FOREVER, vec!["one", "and two"]);
    client.send("GET /feed HTTP/1.0\r\n\r\n").await;
    let response = client.rest().await;
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(head.ends_with("\r\nconnection: close") && !head.contains("chunked"), "{head}");
    assert_eq!(body, "oneand two");
}

#[tokio::test]
async fn head_of_a_feed_has_no_frames() {
    let mut client = serve_with(&FOREVER, vec!["one"]);
    client.send("HEAD /feed HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    let response = client.rest().await;
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    assert!(response.ends_with("\r\n\r\n") && !response.contains("one"), "{response}");
}

#[tokio::test]
async fn when_the_service_stops_connections_without_a_request_close_at_once() {
    let mut client = serve_with(&FOREVER, vec![]);
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    client.expect("\r\n\r\nhello").await;
    client.stopping.ending.begin();
    assert_eq!(client.rest().await, "");
    client.serving.await.unwrap();
}

#[tokio::test]
async fn while_the_service_drains_a_connection_ends_with_its_next_response() {
    let mut client = serve_with(&FOREVER, vec![]);
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    client.expect("\r\n\r\nhello").await;
    client.stopping.draining.begin();
    // The connection waits for a request that may be in flight.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let response = timeout(Duration::from_secs(60), client.rest()).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    assert!(response.contains("\r\nconnection: close\r\n"), "{response}");
    assert!(response.ends_with("\r\n\r\nhello"), "{response}");
    client.serving.await.unwrap();
}

#[tokio::test]
async fn a_feed_ends_when_its_client_is_gone() {
    let (frames, receiver) = mpsc::channel::<Bytes>(1);
    let frames_of =
        stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    let (mut client, theirs) = tokio::io::duplex(1_024);
    let head = Response::new(()).into_parts().0;
    let taken = TakeOver { version: http::Version::HTTP_11, head, frames: Box::pin(frames_of) };
    let sending = tokio::spawn(detached_stream::send(theirs, taken, None));
    frames.send("one".into()).await.unwrap();
    client.read_u8().await.unwrap();
    drop(client);
    sending.await.unwrap();
    frames.closed().await;
}

/// Each open stream is a task of its own, so the size of its future is a budget. tokio adds 96 bytes, and rounds up to a
/// multiple of 128.
#[test]
fn the_task_of_an_open_stream_is_small() {
    fn size<A, B, C, R>(_: impl Fn(A, B, C) -> R) -> usize {
        size_of::<R>()
    }
    let bytes = size(detached_stream::send::<TimedWrites<tokio::net::TcpStream>>);
    assert!(bytes <= 256, "{bytes} bytes");
}
