//! A plain HTTP/1.1 client: one connection, one request after the other.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

use anyhow::Result;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{
    HeaderMap, Method, Request, Response,
    body::Incoming,
    client::conn::http1::{self, SendRequest},
    header::{CONTENT_TYPE, HOST},
};
use hyper_util::rt::TokioIo;
use tokio::net::TcpSocket;

/// An open connection.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    host: String,
}

/// A response, with the time until its body was complete.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) took: Duration,
}

/// A response whose body was counted instead of kept.
pub(crate) struct Drained {
    pub(crate) status: u16,
    /// Number of line breaks in the body.
    pub(crate) lines: u64,
    pub(crate) took: Duration,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl Connection {
    pub(crate) async fn open(addr: SocketAddr) -> Result<Self> {
        Self::open_from(Ipv4Addr::LOCALHOST, addr).await
    }

    /// Opens a connection from another address of the loopback network.
    pub(crate) async fn open_from(source: Ipv4Addr, addr: SocketAddr) -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_nodelay(true)?;
        socket.bind((IpAddr::V4(source), 0).into())?;
        let stream = socket.connect(addr).await?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(async move {
            // Errors appear in the request that used the connection.
            let _ = connection.await;
        });
        Ok(Self { sender, host: addr.to_string() })
    }

    /// Sets the host name of the next requests.
    pub(crate) fn use_host(&mut self, host: String) {
        self.host = host;
    }

    pub(crate) async fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> Result<Answer> {
        self.send(Method::GET, path, headers, Bytes::new()).await
    }

    /// Sends a `POST` with a JSON body.
    pub(crate) async fn post(
        &mut self,
        path: &str,
        authorization: &str,
        body: &serde_json::Value,
    ) -> Result<Answer> {
        let headers =
            [("authorization", authorization), (CONTENT_TYPE.as_str(), "application/json")];
        self.send(Method::POST, path, &headers, body.to_string().into()).await
    }

    /// Sends `GET path`, and reads the body without keeping it.
    pub(crate) async fn drain(&mut self, path: &str, headers: &[(&str, &str)]) -> Result<Drained> {
        let start = Instant::now();
        let (head, mut body) =
            self.request(Method::GET, path, headers, Bytes::new()).await?.into_parts();
        let mut lines = 0;
        while let Some(frame) = body.frame().await {
            if let Ok(data) = frame?.into_data() {
                lines += data.iter().filter(|byte| **byte == b'\n').count() as u64;
            }
        }
        Ok(Drained { status: head.status.as_u16(), lines, took: start.elapsed() })
    }

    async fn request(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> Result<Response<Incoming>> {
        let mut request = Request::builder().method(method).uri(path).header(HOST, &self.host);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body))?;
        self.sender.ready().await?;
        Ok(self.sender.send_request(request).await?)
    }

    async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> Result<Answer> {
        let start = Instant::now();
        let (head, body) = self.request(method, path, headers, body).await?.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok(Answer {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
            took: start.elapsed(),
        })
    }
}
