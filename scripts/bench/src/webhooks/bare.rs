//! Requests of a plain HTTP client that looks like the dispatcher to the receiver, and records
//! nothing: the limit of this machine.

use std::{net::SocketAddr, thread};

use anyhow::{Context as _, Result};
use futures_util::future::try_join_all;
use serde_json::json;
use tokio::sync::oneshot;

use crate::client::Connection;

/// Sends `requests` in all over this many connections, one after the other on each, from a thread of
/// its own.
pub(super) async fn send(addr: SocketAddr, connections: u64, requests: u64) -> Result<()> {
    let (done, sent) = oneshot::channel();
    thread::spawn(move || {
        // The receiver of a failed measurement is gone.
        let _ = done.send(send_all(addr, connections, requests));
    });
    sent.await.context("the sender panicked")?
}

fn send_all(addr: SocketAddr, connections: u64, requests: u64) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let each = requests.div_ceil(connections);
        try_join_all((0..connections).map(|number| send_from(addr, number, each))).await?;
        Ok(())
    })
}

/// Sends requests of the size of a webhook.
async fn send_from(addr: SocketAddr, endpoint: u64, requests: u64) -> Result<()> {
    let path = format!("/{endpoint}");
    let signature = format!("v1,{}", "a".repeat(44));
    let body = json!({
        "event": "report.created",
        "timestamp": "2026-03-01T10:00:00.000Z",
        "data": {
            "id": "demo-1-20000-17", "type": "spirit", "city": "Yasenevo", "country": "Russia",
            "peopleCount": 3, "status": "APPROVED", "createdAt": "2026-03-01T10:00:00.000Z",
        },
    });
    let mut connection = Connection::open(addr).await?;
    for _ in 0..requests {
        connection.post(&path, &signature, &body).await?;
    }
    Ok(())
}
