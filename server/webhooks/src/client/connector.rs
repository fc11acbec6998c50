//! Connections to receivers, with a limit on the bytes read from them.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures_util::future::BoxFuture;
use http::Uri;
use hyper_util::{
    client::legacy::connect::{Connected, Connection, HttpConnector},
    rt::TokioIo,
};
use rustls::pki_types::ServerName;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::timeout,
};
use tokio_rustls::TlsConnector;
use tower::BoxError;
use tower::Service;

use crate::resolver::VettedResolver;

/// Maximum number of bytes that are read between two requests: any number of interim responses, the head of the
/// response, and some of its body.
const MAX_RESPONSE_BYTES: usize = 128 << 10;

/// Connects to checked addresses, with TLS if the URL requires it. Cheap to clone.
#[derive(Clone)]
pub(super) struct Connector {
    http: HttpConnector<VettedResolver>,
    tls: TlsConnector,
    timeout: Duration,
}

/// Error: the receiver sent more than the limit.
#[derive(Debug, thiserror::Error)]
#[error("the response is too long")]
pub(super) struct TooLong;

impl Connector {
    /// Connector with a timeout per connection, which includes the name lookup.
    pub(super) fn new(resolver: VettedResolver, tls: TlsConnector, timeout: Duration) -> Self {
        let mut http = HttpConnector::new_with_resolver(resolver);
        http.enforce_http(false);
        http.set_nodelay(true);
        Self { http, tls, timeout }
    }

    async fn connect(mut self, uri: Uri) -> Result<TokioIo<Bounded>, BoxError> {
        let name = match uri.scheme_str() {
            Some("https") => {
                let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
                Some(ServerName::try_from(host.to_owned())?)
            }
            _ => None,
        };
        let tcp = self.http.call(uri).await?.into_inner();
        let stream: Box<dyn Stream> = match name {
            Some(name) => Box::new(self.tls.connect(name, tcp).await?),
            None => Box::new(tcp),
        };
        Ok(TokioIo::new(Bounded { stream, left: MAX_RESPONSE_BYTES }))
    }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<Bounded>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.clone().connect(uri);
        let time = self.timeout;
        Box::pin(async move {
            match timeout(time, connecting).await {
                Ok(connected) => connected,
                Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
            }
        })
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Connection with a limit on the bytes read after each request.
pub(super) struct Bounded {
    stream: Box<dyn Stream>,
    left: usize,
}

impl Connection for Bounded {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl AsyncRead for Bounded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 {
            return Poll::Ready(Err(io::Error::other(TooLong)));
        }
        // A read exceeds the limit only a little: hyper's buffer is as large as was needed so far.
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        self.left = self.left.saturating_sub(read);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Bounded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.left = MAX_RESPONSE_BYTES;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
