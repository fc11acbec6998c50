//! Webhook receivers on this machine: real TCP and HTTP, as faulty as a test needs.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use sha2::Sha256;
use standardwebhooks::Webhook;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader},
    net::TcpListener,
    sync::{Semaphore, watch},
    task::{JoinHandle, JoinSet},
};
use tokio_rustls::TlsAcceptor;

use crate::harness::soon;

/// Reaction of a receiver to a request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Responds at once, without a body.
    Status(u16),
    /// Responds without a body once the test permits it: see [`Receiver::let_go`].
    Held(u16),
    /// Sends exactly this text, and reads the next request.
    Text(String),
    /// Sends a whole response byte by byte.
    Slow(u16),
    /// Sends this text and closes the connection.
    Cut(&'static str),
    /// Sends this text, and then nothing until the client closes the connection.
    Stuck(&'static str),
    /// Sends the text, then repeats the bytes at this interval until the client closes the connection.
    Endless(&'static str, &'static [u8], Duration),
}

/// Received request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Server on its own port. Dropping the value closes it and its connections.
pub(crate) struct Receiver {
    pub address: SocketAddr,
    scheme: &'static str,
    seen: Arc<Seen>,
    listening: JoinHandle<()>,
}

/// Chooses the reaction to a request from the request and its number.
type Script = dyn Fn(&Request, usize) -> Reply + Send + Sync;

struct Seen {
    script: Box<Script>,
    requests: Mutex<Vec<Request>>,
    count: watch::Sender<usize>,
    gate: Semaphore,
    /// Number of bytes sent before the client closed the connection.
    left: watch::Sender<Option<usize>>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Receiver {
    /// Starts a receiver that refuses the report with this id and accepts everything else.
    pub(crate) async fn refusing(id: &'static str) -> Self {
        let reply = move |request: &Request, _| {
            Reply::Status(if request.report() == id { 500 } else { 200 })
        };
        Self::scripted(reply).await
    }

    /// Starts a receiver that treats every request alike.
    pub(crate) async fn with(reply: Reply) -> Self {
        Self::scripted(move |_, _| reply.clone()).await
    }

    /// Starts a receiver with a script that gets each request and its number, from 1.
    pub(crate) async fn scripted(
        script: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::start(script, None).await
    }

    /// Starts a receiver that accepts everything, over TLS.
    pub(crate) async fn behind(tls: TlsAcceptor) -> Self {
        Self::start(|_, _| Reply::Status(200), Some(tls)).await
    }

    async fn start(
        script: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
        tls: Option<TlsAcceptor>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen {
            script: Box::new(script),
            requests: Mutex::default(),
            count: watch::Sender::new(0),
            gate: Semaphore::new(0),
            left: watch::Sender::new(None),
        });
        let scheme = if tls.is_some() { "https" } else { "http" };
        let listening = tokio::spawn(listen(listener, tls, Arc::clone(&seen)));
        Self { address, scheme, seen, listening }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}://{}/hook", self.scheme, self.address)
    }

    /// All received requests, in order.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.seen.requests.lock().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        *self.seen.count.borrow()
    }

    /// Waits until `count` requests have arrived.
    pub(crate) async fn until(&self, count: usize) {
        let mut counted = self.seen.count.subscribe();
        let enough = counted.wait_for(|seen| *seen >= count);
        soon(&format!("request {count}"), enough).await.unwrap();
    }

    /// Releases `count` held responses, longest-held first.
    pub(crate) fn let_go(&self, count: usize) {
        self.seen.gate.add_permits(count);
    }

    /// Releases all responses, held now or later.
    pub(crate) fn let_all_go(&self) {
        self.seen.gate.add_permits(1_000_000);
        self.seen.gate.forget_permits(usize::MAX);
    }

    /// Waits until the client has closed the connection of an endless response, and returns the number of bytes sent:
    /// those that the client read and those in the system's buffers.
    pub(crate) async fn left(&self) -> usize {
        let mut left = self.seen.left.subscribe();
        let left = soon("the client's hanging up", left.wait_for(Option::is_some)).await;
        left.unwrap().unwrap()
    }
}

async fn listen(listener: TcpListener, tls: Option<TlsAcceptor>, seen: Arc<Seen>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        stream.set_nodelay(true).unwrap();
        let (tls, seen) = (tls.clone(), Arc::clone(&seen));
        connections.spawn(async move {
            match tls {
                None => serve(stream, &seen).await,
                Some(tls) => serve(tls.accept(stream).await?, &seen).await,
            }
        });
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, seen: &Seen) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let request = read(&mut stream).await?;
        let reply = seen.take(request);
        answer(&mut stream, reply, seen).await?;
    }
}

impl Seen {
    fn take(&self, request: Request) -> Reply {
        let mut requests = self.requests.lock().unwrap();
        let reply = (self.script)(&request, requests.len() + 1);
        requests.push(request);
        self.count.send_replace(requests.len());
        reply
    }
}

async fn answer(
    stream: &mut BufReader<impl AsyncRead + AsyncWrite + Unpin>,
    reply: Reply,
    seen: &Seen,
) -> io::Result<()> {
    match reply {
        Reply::Status(status) => stream.write_all(head(status).as_bytes()).await,
        Reply::Text(text) => stream.write_all(text.as_bytes()).await,
        Reply::Held(status) => {
            tokio::select! {
                permit = seen.gate.acquire() => permit.map_err(io::Error::other)?.forget(),
                _ = hung_up(stream) => return Err(io::ErrorKind::NotConnected.into()),
            }
            stream.write_all(head(status).as_bytes()).await
        }
        Reply::Slow(status) => {
            for byte in head(status).into_bytes() {
                stream.write_all(&[byte]).await?;
                stream.flush().await?;
                tokio::task::yield_now().await;
            }
            Ok(())
        }
        Reply::Cut(text) => {
            stream.write_all(text.as_bytes()).await?;
            stream.shutdown().await?;
            Err(io::ErrorKind::NotConnected.into())
        }
        Reply::Stuck(text) => {
            stream.write_all(text.as_bytes()).await?;
            hung_up(stream).await
        }
        Reply::Endless(first, again, pace) => {
            stream.write_all(first.as_bytes()).await?;
            let mut sent = first.len();
            while stream.write_all(again).await.is_ok() {
                sent += again.len();
                if pace > Duration::ZERO {
                    tokio::time::sleep(pace).await;
                }
            }
            seen.left.send_replace(Some(sent));
            Err(io::ErrorKind::NotConnected.into())
        }
    }
}

fn head(status: u16) -> String {
    format!("HTTP/1.1 {status} So\r\nContent-Length: 0\r\n\r\n")
}

/// Waits until the client closes the connection. Clients send nothing more before they have the response.
async fn hung_up(stream: &mut BufReader<impl AsyncRead + Unpin>) -> io::Result<()> {
    stream.fill_buf().await?;
    Err(io::ErrorKind::NotConnected.into())
}

async fn read(stream: &mut BufReader<impl AsyncRead + Unpin>) -> io::Result<Request> {
    let mut headers = HeaderMap::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match line.trim_end().split_once(": ") {
            Some((name, value)) => {
                let name: HeaderName = name.parse().map_err(io::Error::other)?;
                headers.append(name, HeaderValue::from_str(value).map_err(io::Error::other)?);
            }
            None if line == "\r\n" => break,
            // Request line.
            None => {}
        }
    }
    let length = headers.get("content-length").and_then(|value| value.to_str().ok());
    let length = length.and_then(|length| length.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(Request { headers, body })
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Id of the event.
    pub(crate) fn id(&self) -> &str {
        self.header("webhook-id")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Id of the report in the event.
    pub(crate) fn report(&self) -> String {
        self.json()["data"]["id"].as_str().unwrap().to_owned()
    }

    /// Whether both signatures were made with this secret. The first is compared with the published library of Standard
    /// Webhooks, the other with the description in the docs. The library's `verify` also checks the timestamp against
    /// the system's clock, which fails under a stepped clock.
    pub(crate) fn is_signed_with(&self, secret: &str) -> bool {
        let library = Webhook::new(secret).unwrap();
        let timestamp = self.header("webhook-timestamp").parse().unwrap();
        let standard = library.sign(self.id(), timestamp, &self.body).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(&self.body);
        let own = format!("sha256={}", hex::encode(mac.finalize().into_bytes()));
        self.header("webhook-signature") == standard && self.header("x-svc-signature") == own
    }
}
