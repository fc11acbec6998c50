use std::{
    future::Future,
    io,
    net::{Ipv4Addr, SocketAddr},
};

use domain::signature::Secret;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::timeout,
};

use super::*;

mod answers;
mod faults;
mod policy;
mod responses;
mod tls;

const LENIENT: WebhookTargets = WebhookTargets::lenient();
const NO_BODY: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";
const ID: &str = "evt_2N9SyZbZ8yHkVwUe3rQ1Tg";
const BODY: &[u8] = "{\"city\":\"São Paulo\", \"n\" : 1.0}\n".as_bytes();

fn now() -> DateTime<Utc> {
    "2026-03-01T12:00:00.900Z".parse().unwrap()
}

fn secrets() -> Secrets {
    let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    Secret::from_stored(secret.to_owned()).into()
}

/// Resolver that maps all names to this machine.
fn resolver() -> Resolver {
    Resolver::scripted(|_| Ok(vec![Ipv4Addr::LOCALHOST.into()]))
}

/// Long timeouts for events that must come, and a short one for those that must not.
const PATIENT: Timeouts = Timeouts {
    connect: Duration::from_secs(3_600),
    answer: Duration::from_secs(3_600),
    drain: Duration::from_millis(50),
};

/// Timeout after which a test fails instead of hanging. Not a measure of speed.
const STUCK: Duration = Duration::from_secs(60);

fn client(timeouts: Timeouts) -> Client {
    Client::with_timeouts(LENIENT, resolver(), timeouts).unwrap()
}

async fn post(client: &Client, url: &str) -> Answer {
    let body = Bytes::from_static(BODY);
    let secrets = secrets();
    let answer =
        client.post(Post { url, secrets: &secrets, id: ID, sequence: 4711, now: now(), body });
    timeout(STUCK, answer).await.expect("the client is stuck")
}

fn failed(reason: &str) -> Answer {
    Answer { outcome: Err(reason.to_owned()), is_ours: false, retry_after: None, response: None }
}

fn failed_here(reason: &str) -> Answer {
    Answer { is_ours: true, ..failed(reason) }
}

fn answered(status: u16) -> Answer {
    Answer { outcome: Ok(status), is_ours: false, retry_after: None, response: None }
}

fn refused(status: u16, response: &str) -> Answer {
    Answer { response: Some(response.to_owned()), ..answered(status) }
}

/// Server on this machine that handles each connection as the test requires.
struct Receiver<T> {
    address: SocketAddr,
    /// Peers in the order of their connections.
    peers: mpsc::UnboundedReceiver<SocketAddr>,
    /// Results of the connections.
    ends: mpsc::UnboundedReceiver<T>,
}

impl<T: Send + 'static> Receiver<T> {
    async fn start<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> Self
    where
        F: Future<Output = T> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (to_peers, peers) = mpsc::unbounded_channel();
        let (to_ends, ends) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, peer)) = listener.accept().await {
                let _ = to_peers.send(peer);
                let (end, to_ends) = (serve(stream), to_ends.clone());
                tokio::spawn(async move { to_ends.send(end.await) });
            }
        });
        Self { address, peers, ends }
    }

    fn url(&self) -> String {
        format!("http://{}/hook?token=t0p", self.address)
    }

    /// Waits for a connection to end.
    async fn end(&mut self) -> T {
        timeout(STUCK, self.ends.recv()).await.expect("the connection stays open").unwrap()
    }

    /// Whether nobody has connected: in that case, this function's own connection is the first.
    async fn is_untouched(&mut self) -> bool {
        let ours = TcpStream::connect(self.address).await.unwrap();
        self.peers.recv().await == Some(ours.local_addr().unwrap())
    }
}

/// Received request.
#[derive(Debug, PartialEq, Eq)]
struct Received {
    head: String,
    body: Vec<u8>,
}

impl Received {
    /// Headers with names in lower case, sorted.
    fn headers(&self) -> Vec<(String, &str)> {
        let lines = self.head.lines().skip(1);
        let mut headers: Vec<_> = lines
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value))
            .collect();
        headers.sort();
        headers
    }
}

/// Reads one request, if it is complete.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Received> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(head).unwrap();
    let received = Received { head: head.trim_end().to_owned(), body: Vec::new() };
    let headers = received.headers();
    let length = headers.iter().find(|(name, _)| name == "content-length").unwrap().1;
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).await?;
    Ok(Received { body, ..received })
}

/// Sends these bytes as the response to each request on a connection, until the client disconnects. The result is the
/// list of requests.
async fn answering(bytes: &'static [u8]) -> Receiver<Vec<Received>> {
    Receiver::start(move |mut stream| async move {
        let mut requests = Vec::new();
        while let Ok(request) = read_request(&mut stream).await {
            requests.push(request);
            stream.write_all(bytes).await.unwrap();
        }
        requests
    })
    .await
}

/// Reads a request, sends these bytes and disconnects.
async fn answering_once(bytes: Vec<u8>) -> Receiver<()> {
    Receiver::start(move |mut stream| {
        let bytes = bytes.clone();
        async move {
            read_request(&mut stream).await.unwrap();
            stream.write_all(&bytes).await.unwrap();
        }
    })
    .await
}

/// Reads a request, sends `first`, then sends `again` repeatedly at this pace until the client disconnects. The
/// result is the number of sent bytes.
async fn answering_forever(
    first: &'static [u8],
    again: &'static [u8],
    pace: Duration,
) -> Receiver<usize> {
    Receiver::start(move |mut stream| async move {
        if read_request(&mut stream).await.is_err() || stream.write_all(first).await.is_err() {
            return 0;
        }
        let mut written = first.len();
        while stream.write_all(again).await.is_ok() {
            written += again.len();
            if pace > Duration::ZERO {
                tokio::time::sleep(pace).await;
            }
        }
        written
    })
    .await
}

/// Waits until the client disconnects.
async fn until_closed(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) {
    let mut rest = [0; 1_024];
    while stream.read(&mut rest).await.is_ok_and(|count| count > 0) {}
}
