mod hostile;

use std::{net::IpAddr, time::Duration};

use axum::{
    Router,
    response::Response,
    routing::{get, post},
};
use futures_util::stream;
use h2::client::{self, SendRequest};
use http::{HeaderMap, Method, Request, StatusCode, Version};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream},
    sync::mpsc,
    task::JoinHandle,
};
use tokio_util::task::TaskTracker;

use super::{super::tests::FOREVER, *};
use crate::{Admission, Peer, Permit, detached_stream, problem::Problem, stopping::Stopping};

/// Service on the other side of a pipe. `/` returns `hello`, `/large` more than fits into the windows, `/echo` the
/// request's body, `/unread` nothing and does not read the body, `/host` the requested host, `/feed` the frames that
/// the test sends, and `/never` does not respond.
struct Service {
    stopping: Stopping,
    tasks: TaskTracker,
    /// Ends of streams, in the order of their requests.
    feeds: mpsc::UnboundedReceiver<mpsc::Sender<Bytes>>,
    /// One receiver per request that waits in `/never`; it is closed when the request ends.
    waiting: mpsc::UnboundedReceiver<mpsc::Receiver<()>>,
}

const LARGE: usize = 300_000;

/// Admits four open requests, or any number if the peer is a trusted proxy.
#[derive(Debug, Default)]
struct FourRequests {
    open: Arc<()>,
    is_proxy: bool,
}

impl Admission for FourRequests {
    fn connection(&self, _: IpAddr) -> Result<Permit, Problem> {
        Ok(Permit::new(()))
    }

    fn request(&self, _: IpAddr) -> Option<Permit> {
        let is_free = self.is_proxy || Arc::strong_count(&self.open) <= 4;
        is_free.then(|| Permit::new(self.open.clone()))
    }

    fn is_proxy(&self, _: IpAddr) -> bool {
        self.is_proxy
    }
}

fn start(timeouts: &'static Timeouts) -> (DuplexStream, Service) {
    start_within(None, timeouts)
}

fn start_within(
    admission: Option<Arc<dyn Admission>>,
    timeouts: &'static Timeouts,
) -> (DuplexStream, Service) {
    let (stream, theirs) = tokio::io::duplex(64 << 10);
    let (feed_opened, feeds) = mpsc::unbounded_channel();
    let (wait_began, waiting) = mpsc::unbounded_channel();
    let endless = move || {
        let (sender, receiver) = mpsc::channel(1);
        feed_opened.send(sender).unwrap();
        let frames =
            stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
        let response: Response = detached_stream::response([], Box::pin(frames));
        async { response }
    };
    let never = async move || {
        let (sender, receiver) = mpsc::channel::<()>(1);
        wait_began.send(receiver).unwrap();
        std::future::pending::<()>().await;
        drop(sender);
    };
    let unread = async |request: axum::extract::Request| {
        std::future::pending::<()>().await;
        drop(request);
    };
    let routes = Router::new()
        .route("/", get(async || "hello"))
        .route("/large", get(async || vec![7; LARGE]))
        .route("/echo", post(async |body: Bytes| body))
        .route("/unread", post(unread))
        .route("/host", get(async |headers: HeaderMap| headers["host"].as_bytes().to_vec()))
        .route("/feed", get(endless))
        .route("/never", get(never));
    let (stopping, tasks) = (Stopping::default(), TaskTracker::new());
    let socket = Socket::with_timeouts(theirs, timeouts);
    let peer = Peer { addr: ([192, 0, 2, 1], 1).into(), tls: false };
    let respond = Respond { handler: routes, peer, admission };
    let context =
        super::super::Context { respond, stopping: stopping.clone(), tasks: tasks.clone() };
    tasks.spawn(super::super::serve(socket, context));
    (stream, Service { stopping, tasks, feeds, waiting })
}

impl Service {
    /// Waits until all tasks of the connection have ended.
    async fn over(self) {
        self.tasks.close();
        soon(self.tasks.wait()).await;
    }
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.unwrap()
}

type Driving = JoinHandle<Result<(), h2::Error>>;

async fn connect(stream: DuplexStream) -> (SendRequest<Bytes>, Driving) {
    let (client, connection) = client::handshake(stream).await.unwrap();
    (client.ready().await.unwrap(), tokio::spawn(connection))
}

fn request(method: Method, path: &str) -> Request<()> {
    let uri = format!("http://svc.example.org{path}");
    Request::builder().method(method).uri(uri).version(Version::HTTP_2).body(()).unwrap()
}

async fn ask(client: &mut SendRequest<Bytes>, request: Request<()>) -> Response<Bytes> {
    let (response, _) = client.send_request(request, true).unwrap();
    let (head, mut body) = response.await.unwrap().into_parts();
    let mut all = Vec::new();
    while let Some(data) = soon(body.data()).await {
        let data = data.unwrap();
        body.flow_control().release_capacity(data.len()).unwrap();
        all.extend(data);
    }
    Response::from_parts(head, all.into())
}

/// Fails unless the body is at its end.
async fn ended(body: &mut h2::RecvStream) {
    assert_eq!(soon(body.data()).await.transpose().unwrap().unwrap_or_default(), "");
    assert!(body.is_end_stream());
}

async fn get_text(client: &mut SendRequest<Bytes>, path: &str) -> String {
    let response = ask(client, request(Method::GET, path)).await;
    String::from_utf8(response.into_body().to_vec()).unwrap()
}

#[tokio::test]
async fn requests_are_answered_as_with_http_1() {
    let (stream, service) = start(&FOREVER);
    let (mut client, driving) = connect(stream).await;
    let response = ask(&mut client, request(Method::GET, "/")).await;
    assert_eq!((response.status(), response.version()), (StatusCode::OK, Version::HTTP_2));
    assert_eq!(response.headers()["content-length"], "5");
    assert!(httpdate::parse_http_date(response.headers()["date"].to_str().unwrap()).is_ok());
    assert_eq!(response.body(), "hello");
    let response = ask(&mut client, request(Method::HEAD, "/")).await;
    assert_eq!(
        (response.headers()["content-length"].as_bytes(), response.body().len()),
        (&b"5"[..], 0)
    );
    assert_eq!(ask(&mut client, request(Method::GET, "/nowhere")).await.status(), 404);
    let response = ask(&mut client, request(Method::GET, "/large")).await;
    assert_eq!(response.body(), &vec![7; LARGE]);
    assert_eq!(get_text(&mut client, "/host").await, "svc.example.org");
    drop(client);
    soon(driving).await.unwrap().unwrap();
    service.over().await;
}

#[tokio::test]
async fn the_body_of_a_request_may_be_larger_than_its_window() {
    let (stream, _service) = start(&FOREVER);
    let (mut client, _driving) = connect(stream).await;
    let (response, mut body) = client.send_request(request(Method::POST, "/echo"), false).unwrap();
    let sent = Bytes::from(vec![3; 200_000]);
    body.send_data(sent.clone(), true).unwrap();
    let mut response = soon(response).await.unwrap().into_body();
    let mut echo = Vec::new();
    while let Some(data) = response.data().await {
        let data = data.unwrap();
        response.flow_control().release_capacity(data.len()).unwrap();
        echo.extend(data);
    }
    assert_eq!(echo, sent);
}

/// Sends up to 1,500,000 bytes as the windows allow, and returns the largest number of bytes that could be sent at
/// once. Waits up to `timeout` for more room.
async fn most_at_once(stream: DuplexStream, path: &str, timeout: Duration) -> usize {
    let mut builder = client::Builder::new();
    let handshake = builder.max_send_buffer_size(8 << 20).handshake::<_, Bytes>(stream);
    let (client, connection) = handshake.await.unwrap();
    let driving = tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    let (_response, mut body) = client.send_request(request(Method::POST, path), false).unwrap();
    let (mut most, mut sent) = (0, 0);
    while sent < 1_500_000 {
        body.reserve_capacity(4 << 20);
        let capacity = poll_fn(|context| body.poll_capacity(context));
        let Ok(capacity) = tokio::time::timeout(timeout, capacity).await else { break };
        let capacity = capacity.unwrap().unwrap();
        most = most.max(capacity);
        sent += capacity;
        body.send_data(vec![3; capacity].into(), false).unwrap();
    }
    driving.abort();
    most
}

#[tokio::test]
async fn a_large_body_that_is_read_arrives_in_large_parts_and_one_that_is_not_does_not() {
    let (stream, _service) = start(&FOREVER);
    let most = most_at_once(stream, "/echo", Duration::from_secs(60)).await;
    assert!(most > UPLOAD_WINDOW as usize / 2, "{most}");
    let (stream, _service) = start(&FOREVER);
    let most = most_at_once(stream, "/unread", Duration::from_millis(200)).await;
    assert_eq!(most, STREAM_WINDOW as usize);
}

#[tokio::test]
async fn what_begins_like_http_2_is_waited_for_byte_by_byte() {
    let (mut stream, service) = start(&FOREVER);
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    for byte in super::super::socket::PREFACE.iter().chain(&settings) {
        stream.write_all(&[*byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(head[3], 4, "the server's settings");
    drop(stream);
    service.over().await;
}

#[tokio::test]
async fn what_only_begins_like_http_2_is_http_1() {
    for (request, status) in [
        (&b"PRI * HTTP/2.0\r\n\r\nSN\r\n\r\n"[..], "HTTP/1.1 400 Bad Request"),
        (
            b"PRI / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 405 Method Not Allowed",
        ),
        (
            b"P / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 405 Method Not Allowed",
        ),
    ] {
        let (mut stream, _service) = start(&FOREVER);
        for byte in request {
            stream.write_all(&[*byte]).await.unwrap();
            tokio::task::yield_now().await;
        }
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert_eq!(response.lines().next(), Some(status));
    }
    let timeouts = const { &Timeouts { head: Duration::from_millis(50), ..FOREVER } };
    for begun in ["PR", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r"] {
        let (mut stream, _service) = start(timeouts);
        stream.write_all(begun.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert_eq!(response.lines().next(), Some("HTTP/1.1 408 Request Timeout"));
    }
}

#[tokio::test]
async fn the_frames_of_a_feed_are_the_body_as_they_are() {
    let (stream, mut service) = start(&FOREVER);
    let (mut client, _driving) = connect(stream).await;
    let response = ask(&mut client, request(Method::HEAD, "/feed")).await;
    assert_eq!((response.status(), response.body().len()), (StatusCode::OK, 0));
    assert!(service.feeds.recv().await.unwrap().is_closed());
    let (response, _) = client.send_request(request(Method::GET, "/feed"), true).unwrap();
    let response = response.await.unwrap();
    assert_eq!(response.headers().get("content-length"), None);
    let mut body = response.into_body();
    let feed = service.feeds.recv().await.unwrap();
    for frame in ["one", "and two"] {
        feed.send(frame.into()).await.unwrap();
        assert_eq!(body.data().await.unwrap().unwrap(), frame);
    }
    drop(feed);
    ended(&mut body).await;
}

#[tokio::test]
async fn many_feeds_are_one_connection_and_each_ends_when_its_client_leaves() {
    let (stream, mut service) = start(&FOREVER);
    let (mut client, _driving) = connect(stream).await;
    let mut bodies = Vec::new();
    for _ in 0..100 {
        let (response, _) = client.send_request(request(Method::GET, "/feed"), true).unwrap();
        let body = response.await.unwrap().into_body();
        bodies.push((service.feeds.recv().await.unwrap(), body));
    }
    for (feed, _) in &bodies {
        feed.send("tick".into()).await.unwrap();
    }
    for (_, body) in &mut bodies {
        assert_eq!(body.data().await.unwrap().unwrap(), "tick");
    }
    let (feed, body) = bodies.pop().unwrap();
    drop(body);
    soon(feed.closed()).await;
    assert!(bodies.iter().all(|(feed, _)| !feed.is_closed()));
}

#[tokio::test]
async fn a_request_that_is_reset_is_not_worked_on_any_more() {
    let (stream, mut service) = start(&FOREVER);
    let (mut client, _driving) = connect(stream).await;
    let (response, _) = client.send_request(request(Method::GET, "/never"), true).unwrap();
    let mut waiting = service.waiting.recv().await.unwrap();
    drop(response);
    assert_eq!(soon(waiting.recv()).await, None);
    assert_eq!(get_text(&mut client, "/").await, "hello");
}

#[tokio::test]
async fn a_client_that_is_gone_ends_all_that_it_asked_for() {
    let (stream, mut service) = start(&FOREVER);
    let (mut client, driving) = connect(stream).await;
    let (_never, _) = client.send_request(request(Method::GET, "/never"), true).unwrap();
    let (_feed, _) = client.send_request(request(Method::GET, "/feed"), true).unwrap();
    service.waiting.recv().await.unwrap();
    let feed = service.feeds.recv().await.unwrap();
    driving.abort();
    soon(feed.closed()).await;
    service.over().await;
}

#[tokio::test]
async fn an_address_has_only_so_many_requests_open_on_all_its_connections() {
    let admission = Arc::new(FourRequests::default());
    let (stream, mut service) = start_within(Some(admission.clone()), &FOREVER);
    let (mut client, driving) = connect(stream).await;
    let (other, _other_service) = start_within(Some(admission), &FOREVER);
    let (mut other, _driving) = connect(other).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        open.push(client.send_request(request(Method::GET, "/never"), true).unwrap());
        service.waiting.recv().await.unwrap();
    }
    let (refused, _) = other.send_request(request(Method::GET, "/"), true).unwrap();
    assert_eq!(refused.await.unwrap_err().reason(), Some(Reason::REFUSED_STREAM));
    drop((open, client));
    soon(driving).await.unwrap().unwrap();
    service.over().await;
    assert_eq!(get_text(&mut other, "/").await, "hello");
}

#[tokio::test]
async fn when_the_service_stops_requests_in_flight_are_answered_and_no_others() {
    let (stream, mut service) = start(&FOREVER);
    let (mut client, driving) = connect(stream).await;
    let (response, _) = client.send_request(request(Method::GET, "/feed"), true).unwrap();
    let mut body = response.await.unwrap().into_body();
    let feed = service.feeds.recv().await.unwrap();
    service.stopping.ending.begin();
    soon(async {
        while let Ok((response, _)) = client.send_request(request(Method::GET, "/"), true) {
            drop(response.await);
        }
    })
    .await;
    feed.send("retry".into()).await.unwrap();
    assert_eq!(body.data().await.unwrap().unwrap(), "retry");
    drop(feed);
    ended(&mut body).await;
    soon(driving).await.unwrap().unwrap();
    service.over().await;
}

#[tokio::test]
async fn when_the_service_stops_a_connection_without_requests_closes() {
    let (stream, service) = start(&FOREVER);
    let (mut client, driving) = connect(stream).await;
    assert_eq!(get_text(&mut client, "/").await, "hello");
    service.stopping.ending.begin();
    soon(driving).await.unwrap().unwrap();
    service.over().await;
}

#[tokio::test]
async fn while_the_service_drains_a_connection_takes_no_more_requests() {
    let (stream, mut service) = start(&FOREVER);
    let (mut client, driving) = connect(stream).await;
    let (response, _) = client.send_request(request(Method::GET, "/feed"), true).unwrap();
    let mut body = response.await.unwrap().into_body();
    let feed = service.feeds.recv().await.unwrap();
    service.stopping.draining.begin();
    soon(async {
        while let Ok((response, _)) = client.send_request(request(Method::GET, "/"), true) {
            match response.await {
                Ok(response) => assert_eq!(response.status(), StatusCode::OK),
                // The request was not handled: the client sends it again on another connection.
                Err(error) => assert!(error.is_go_away() && error.is_remote(), "{error}"),
            }
        }
    })
    .await;
    feed.send("tick".into()).await.unwrap();
    assert_eq!(body.data().await.unwrap().unwrap(), "tick", "what is open goes on");
    drop(feed);
    ended(&mut body).await;
    soon(driving).await.unwrap().unwrap();
    service.over().await;
}

#[tokio::test]
async fn a_connection_that_is_opened_while_the_service_drains_has_its_request_answered() {
    let (stream, service) = start(&FOREVER);
    service.stopping.draining.begin();
    let (mut client, driving) = connect(stream).await;
    // Lets the service send everything it has to send.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(get_text(&mut client, "/").await, "hello");
    soon(driving).await.unwrap().unwrap();
    service.over().await;
}

#[tokio::test]
async fn host_and_authority_are_one_or_the_request_is_malformed() {
    let (stream, _service) = start(&FOREVER);
    let (mut client, _driving) = connect(stream).await;
    let mut with_host = async |host: &str| {
        let mut request = request(Method::GET, "/host");
        request.headers_mut().insert("host", host.parse().unwrap());
        ask(&mut client, request).await
    };
    assert_eq!(with_host("SVC.example.org").await.status(), 200);
    let refused = with_host("elsewhere.example.org").await;
    assert_eq!(
        serde_json::from_slice::<Value>(refused.body()).unwrap(),
        json!({
            "type": "/docs/errors#MALFORMED_REQUEST",
            "title": "The request is not valid HTTP",
            "status": 400,
            "detail": "Host and :authority are not the same.",
            "code": "MALFORMED_REQUEST",
        })
    );
}

#[tokio::test]
async fn a_connection_without_requests_is_closed_after_a_while() {
    let timeouts = const { &Timeouts { idle: Duration::from_millis(50), ..FOREVER } };
    let (stream, service) = start(timeouts);
    let (mut client, driving) = connect(stream).await;
    assert_eq!(get_text(&mut client, "/").await, "hello");
    soon(driving).await.unwrap().unwrap();
    service.over().await;
}

#[tokio::test]
async fn a_peer_with_an_open_stream_may_say_nothing_as_long_as_it_answers_pings() {
    let timeouts = const {
        &Timeouts { silence: Duration::from_millis(20), idle: Duration::from_millis(20), ..FOREVER }
    };
    let (stream, mut service) = start(timeouts);
    let (mut client, _driving) = connect(stream).await;
    let (response, _) = client.send_request(request(Method::GET, "/feed"), true).unwrap();
    let mut body = response.await.unwrap().into_body();
    let feed = service.feeds.recv().await.unwrap();
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        feed.send("tick".into()).await.unwrap();
        assert_eq!(body.data().await.unwrap().unwrap(), "tick");
    }
}
