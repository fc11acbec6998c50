//! `svc health`: checks whether a service on this machine is ready.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use bytes::Bytes;
use clap::Args;
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpStream;

use super::{Exit, output};
use crate::config::{Output, parse_address};

/// Timeout of the whole check.
const TIMEOUT: Duration = Duration::from_secs(4);
/// Maximum size of the response in bytes.
const MAX_BYTES: usize = 16 << 10;

#[derive(Args, Debug)]
pub(super) struct Health {
    /// Operator's address of the service
    #[arg(
        long,
        env = "SVC_OPS_ADDR",
        value_name = "HOST:PORT",
        default_value = "127.0.0.1:3001",
        value_parser = parse_address
    )]
    ops_addr: SocketAddr,
}

pub(super) async fn run(
    Output { json }: Output,
    Health { ops_addr }: Health,
) -> anyhow::Result<Exit> {
    let addr = reachable(ops_addr);
    let (status, text) = tokio::time::timeout(TIMEOUT, ask(addr))
        .await
        .map_err(|_| anyhow!("no response within {} s", TIMEOUT.as_secs()))
        .and_then(|answer| answer)
        .with_context(|| format!("the service cannot be reached at http://{addr}/readyz"))?;
    let is_ready = status == StatusCode::OK;
    if json {
        output::json(&json!({ "ready": is_ready, "message": text.trim() }))?;
    } else if is_ready {
        output::line(text.trim())?;
    } else {
        bail!("the service is not ready: {}", text.trim());
    }
    Ok(if is_ready { Exit::Done } else { Exit::Failed })
}

/// Replaces the unspecified address with this machine's own.
fn reachable(addr: SocketAddr) -> SocketAddr {
    let ip = match addr.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, addr.port())
}

async fn ask(addr: SocketAddr) -> anyhow::Result<(StatusCode, String)> {
    let stream = TcpStream::connect(addr).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let request = Request::get("/readyz")
        .header(header::HOST, addr.to_string())
        .header(header::CONNECTION, "close")
        .body(Empty::<Bytes>::new())?;
    let answered = async {
        let response = sender.send_request(request).await?;
        let status = response.status();
        let body = Limited::new(response.into_body(), MAX_BYTES).collect().await;
        let body = body.map_err(|error| anyhow!(error))?.to_bytes();
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    };
    // The connection makes progress only while it is polled.
    let (answered, _) = tokio::join!(answered, connection);
    answered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_everywhere_is_asked_on_this_machine() {
        for (given, asked) in [
            ("0.0.0.0:3001", "127.0.0.1:3001"),
            ("[::]:3001", "[::1]:3001"),
            ("192.0.2.7:3001", "192.0.2.7:3001"),
        ] {
            assert_eq!(reachable(given.parse().unwrap()), asked.parse().unwrap());
        }
    }
}
