//! Opens many event streams and measures how late their ticks come. `make bench` runs it.
//!
//! `streams HOST:PORT COUNT SECONDS`

use std::{
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
    task::JoinSet,
};

const TICK: Duration = Duration::from_secs(5);

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, addr, count, seconds] = arguments.as_slice() else {
        return Err(std::io::Error::other("usage: streams HOST:PORT COUNT SECONDS"));
    };
    let number = |text: &str| text.parse::<u64>().map_err(std::io::Error::other);
    let (count, seconds) = (number(count)?, number(seconds)?);
    rlimit::increase_nofile_limit(u64::MAX)?;
    let mut streams = JoinSet::new();
    // Spread over one interval, as visitors are.
    let gap = TICK / u32::try_from(count).unwrap_or(u32::MAX);
    // Opening thousands of connections keeps this one thread busy: what is late then is its doing.
    let steady = Instant::now() + 2 * TICK;
    let end = steady + Duration::from_secs(seconds);
    let mut opening = tokio::time::interval(gap);
    for number in 0..count {
        opening.tick().await;
        streams.spawn(follow(addr.clone(), source(number), steady, end));
    }
    println!("{count} streams are open");
    let mut late = Vec::new();
    let mut failed = 0;
    while let Some(stream) = streams.join_next().await {
        match stream {
            Ok(Ok(times)) => late.extend(times),
            _ => failed += 1,
        }
    }
    late.sort_unstable();
    let at = |part: usize| late.get(late.len() * part / 1_000).copied().unwrap_or_default();
    println!(
        "{} ticks, {failed} streams failed; late by {:.1} ms (median), {:.1} ms (p99; budget 100), {:.1} ms (most)",
        late.len(),
        at(500).as_secs_f64() * 1e3,
        at(990).as_secs_f64() * 1e3,
        late.last().copied().unwrap_or_default().as_secs_f64() * 1e3,
    );
    Ok(())
}

/// Where the stream comes from: an address of this machine's own network may have twenty.
fn source(number: u64) -> Ipv4Addr {
    let [.., second, third, fourth] = (number / 20 + 2).to_be_bytes();
    Ipv4Addr::new(127, second, third, fourth)
}

/// Follows one stream until `end`; how late each tick after `steady` came, by the rhythm of the
/// first.
async fn follow(
    addr: String,
    source: Ipv4Addr,
    steady: Instant,
    end: Instant,
) -> std::io::Result<Vec<Duration>> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((source, 0).into())?;
    let mut stream = socket.connect(addr.parse().map_err(std::io::Error::other)?).await?;
    let request = format!("GET /api/v1/stream HTTP/1.1\r\nHost: {addr}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = vec![0; 8 << 10];
    let mut first = None;
    let mut late = Vec::new();
    loop {
        let Ok(read) = tokio::time::timeout_at(end.into(), stream.read(&mut buffer)).await else {
            return Ok(late);
        };
        let read = read?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let ticks = buffer[..read].windows(14).any(|bytes| bytes == b"event: metrics");
        if !ticks {
            continue;
        }
        let now = Instant::now();
        match first {
            None => first = Some((now, 0)),
            Some((began, count)) => {
                let due = began + TICK * (count + 1);
                if now >= steady {
                    late.push(now.saturating_duration_since(due));
                }
                first = Some((began, count + 1));
            }
        }
    }
}
