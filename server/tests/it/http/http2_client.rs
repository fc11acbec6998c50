//! HTTP/2 client.

use bytes::Bytes;
use h2::{
    RecvStream,
    client::{self, SendRequest},
};
use http::{Request, Response};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    task::JoinHandle,
};

use super::certificates::HOST;
use crate::harness::{Answer, Running, soon};

pub(super) struct Http2 {
    requests: SendRequest<Bytes>,
    scheme: &'static str,
    pub(super) driving: JoinHandle<Result<(), h2::Error>>,
}

impl Http2 {
    /// Connects without TLS, with prior knowledge of HTTP/2.
    pub(super) async fn plain(running: &Running) -> Self {
        let stream = TcpStream::connect(running.service.addr).await.unwrap();
        Self::over(stream, "http").await
    }

    pub(super) async fn over<S>(stream: S, scheme: &'static str) -> Self
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (requests, connection) = client::handshake(stream).await.unwrap();
        Self { requests, scheme, driving: tokio::spawn(connection) }
    }

    /// Sends a request, and returns when the response starts.
    pub(super) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &'static str,
    ) -> Result<Response<RecvStream>, h2::Error> {
        let uri = format!("{}://{HOST}{path}", self.scheme);
        let request = Request::builder().method(method).uri(uri).version(http::Version::HTTP_2);
        let request = headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, *value))
            .body(())
            .unwrap();
        let mut requests = self.requests.clone().ready().await?;
        let (response, mut sending) = requests.send_request(request, body.is_empty())?;
        if !body.is_empty() {
            sending.send_data(body.into(), true)?;
        }
        soon("a response", response).await
    }

    /// Sends a request through 127.0.0.1, a trusted proxy, which adds the client address.
    pub(super) async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let response = self.send(method, path, headers, "").await.unwrap();
        read(response).await
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[]).await
    }

    pub(super) async fn stream(&self) -> Events {
        let response = self.send("GET", "/api/v1/stream", &[], "").await.unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Events { body: response.into_body() }
    }
}

/// Reads a response to its end.
pub(super) async fn read(response: Response<RecvStream>) -> Answer {
    let (head, mut body) = response.into_parts();
    let mut whole = Vec::new();
    while let Some(data) = soon("the body", body.data()).await {
        let data = data.unwrap();
        body.flow_control().release_capacity(data.len()).unwrap();
        whole.extend(data);
    }
    Answer { status: head.status.as_u16(), headers: head.headers, body: whole }
}

/// Open event stream.
pub(super) struct Events {
    body: RecvStream,
}

impl Events {
    /// Reads until this event has arrived completely.
    pub(super) async fn until(&mut self, event: &str) -> String {
        let mut text = String::new();
        while !(text.contains(event) && text.ends_with("\n\n")) {
            text += &self.more().await.unwrap();
        }
        text
    }

    /// Reads to the end of the stream.
    pub(super) async fn rest(&mut self) -> String {
        let mut text = String::new();
        while let Some(more) = self.more().await {
            text += &more;
        }
        text
    }

    async fn more(&mut self) -> Option<String> {
        let data = soon("an event", self.body.data()).await?.unwrap();
        self.body.flow_control().release_capacity(data.len()).unwrap();
        Some(String::from_utf8(data.to_vec()).unwrap())
    }
}
