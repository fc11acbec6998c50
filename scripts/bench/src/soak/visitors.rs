//! Visitors: each follows the stream for a while, leaves, and is replaced by another one.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use anyhow::Result;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
    task::JoinSet,
    time,
};

const VISITORS: u8 = 200;
/// Duration of a visit, in milliseconds: from less than a tick up to several ticks.
const STAY: std::ops::Range<u64> = 2_000..20_000;

/// Running visitors. They leave when this is dropped.
pub(super) struct Visitors {
    tally: Arc<Tally>,
    _visitors: JoinSet<()>,
}

#[derive(Default)]
struct Tally {
    opened: AtomicU64,
    server_errors: AtomicU64,
}

impl Visitors {
    pub(super) fn start(addr: SocketAddr) -> Self {
        let tally = Arc::<Tally>::default();
        let mut visitors = JoinSet::new();
        for number in 0..VISITORS {
            visitors.spawn(visit(addr, number, Arc::clone(&tally)));
        }
        Self { tally, _visitors: visitors }
    }

    pub(super) fn opened(&self) -> u64 {
        self.tally.opened.load(Relaxed)
    }

    /// Number of streams with a server error or without a response.
    pub(super) fn server_errors(&self) -> u64 {
        self.tally.server_errors.load(Relaxed)
    }
}

/// Uses a separate source address, because streams count as requests for the rate limiter.
async fn visit(addr: SocketAddr, number: u8, tally: Arc<Tally>) {
    let mut rng = StdRng::seed_from_u64(number.into());
    let source = Ipv4Addr::new(127, 1, 0, number + 1);
    loop {
        let stay = Duration::from_millis(rng.random_range(STAY));
        // The timeout is the regular end of a visit.
        if let Ok(Err(_)) = time::timeout(stay, follow(addr, source, &tally)).await {
            tally.server_errors.fetch_add(1, Relaxed);
            time::sleep(Duration::from_secs(1)).await;
        }
    }
}

/// Reads until the stream ends, which happens only on an error.
async fn follow(addr: SocketAddr, source: Ipv4Addr, tally: &Tally) -> Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((source, 0).into())?;
    let mut stream = socket.connect(addr).await?;
    let request = format!("GET /api/v1/stream?country=BR HTTP/1.1\r\nHost: {addr}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = vec![0; 8 << 10];
    let read = stream.read(&mut buffer).await?;
    anyhow::ensure!(buffer[..read].starts_with(b"HTTP/1.1 200"), "no stream");
    tally.opened.fetch_add(1, Relaxed);
    loop {
        anyhow::ensure!(stream.read(&mut buffer).await? > 0, "the stream ended");
    }
}
