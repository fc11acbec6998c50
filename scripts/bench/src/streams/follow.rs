//! A stream follower without an HTTP client and without a buffer, so that 50,000 of them remain cheap.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use tokio::{
    io::AsyncWriteExt,
    net::{TcpSocket, TcpStream},
    sync::watch,
    time,
};

use super::{TICK, crowd::Tally};

/// A stream to follow.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) addr: SocketAddr,
    pub(super) path: &'static str,
    /// Bytes whose arrival means that the stream is live.
    pub(super) live_on: &'static [u8],
}

impl Target {
    /// The stream of the service.
    pub(super) fn svc(addr: SocketAddr) -> Self {
        Self { addr, path: "/api/v1/stream", live_on: b"event: metrics" }
    }
}

/// An event that comes with every tick.
const TICKING: &[u8] = b"event: metrics";

/// End of a stream.
enum End {
    /// The stream was live.
    Lost,
    /// The response was 429.
    Refused,
    /// Another response, or an end before the stream was live.
    Failed(String),
}

/// Follows a stream until it ends. After that, waits for the next call.
pub(super) async fn follow(
    target: Target,
    number: u32,
    tally: Arc<Tally>,
    mut calls: watch::Receiver<u64>,
) {
    loop {
        let end = follow_once(target, source(number), &tally).await;
        match end.unwrap_or_else(|error| End::Failed(error.to_string())) {
            End::Lost => {
                tally.live.fetch_sub(1, Relaxed);
                tally.error("the stream was lost");
                if calls.changed().await.is_err() {
                    return;
                }
            }
            End::Refused => {
                tally.refusals.fetch_add(1, Relaxed);
                time::sleep(Duration::from_secs(1)).await;
            }
            End::Failed(why) => {
                tally.error(why);
                time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Follows a stream once. Returns an error only if the stream was not yet live.
async fn follow_once(target: Target, source: Ipv4Addr, tally: &Tally) -> io::Result<End> {
    let stream = connect(target, source).await?;
    let mut is_live = false;
    // Time of the first tick, and number of ticks that were due since.
    let mut rhythm: Option<(Instant, u32)> = None;
    loop {
        stream.readable().await?;
        let mut buffer = [0; 8 << 10];
        let read = match stream.try_read(&mut buffer) {
            Ok(read) if read > 0 => &buffer[..read],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            _ if is_live => return Ok(End::Lost),
            read => return read.map(|_| End::Failed("the connection was closed".to_owned())),
        };
        let now = Instant::now();
        if !is_live {
            match status(read) {
                Some("200") | None => {}
                Some("429") => return Ok(End::Refused),
                Some(other) => return Ok(End::Failed(format!("status {other}"))),
            }
            is_live = contains(read, target.live_on);
            tally.live.fetch_add(u64::from(is_live), Relaxed);
        }
        if !contains(read, TICKING) {
            continue;
        }
        rhythm = match rhythm {
            None => Some((now, 0)),
            Some((first, ticks)) => {
                tally.late_by(distance(now, first + TICK * (ticks + 1)));
                // A missed tick counts once: the others are on time again.
                Some((first, nearest(now.duration_since(first)).max(ticks + 1)))
            }
        };
    }
}

async fn connect(target: Target, source: Ipv4Addr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((source, 0).into())?;
    let Target { addr, path, .. } = target;
    let mut stream = socket.connect(addr).await?;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {addr}\r\nAccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    Ok(stream)
}

/// Absolute difference. A tick that is too early means that the first one was late.
fn distance(now: Instant, due: Instant) -> Duration {
    now.saturating_duration_since(due).max(due.saturating_duration_since(now))
}

/// Number of ticks after the first, for one that comes at this time.
fn nearest(since: Duration) -> u32 {
    ((since + TICK / 2).as_millis() / TICK.as_millis()).try_into().unwrap_or(u32::MAX)
}

/// The status, if this is the start of a response.
fn status(read: &[u8]) -> Option<&str> {
    std::str::from_utf8(read.strip_prefix(b"HTTP/1.1 ")?.get(..3)?).ok()
}

fn contains(read: &[u8], what: &[u8]) -> bool {
    memchr::memmem::find(read, what).is_some()
}

/// Source address of a stream. Each loopback address opens at most twenty streams.
fn source(number: u32) -> Ipv4Addr {
    let [_, second, third, fourth] = (number / 20 + 2).to_be_bytes();
    Ipv4Addr::new(127, second, third, fourth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_streams_share_an_address() {
        assert_eq!(source(0), Ipv4Addr::new(127, 0, 0, 2));
        assert_eq!(source(19), source(0));
        assert_eq!(source(20), Ipv4Addr::new(127, 0, 0, 3));
        assert_eq!(source(14_999), Ipv4Addr::new(127, 0, 2, 239));
    }

    #[test]
    fn only_the_head_of_a_response_has_a_status() {
        assert_eq!(status(b"HTTP/1.1 429 Too Many Requests\r\n"), Some("429"));
        assert_eq!(status(b"event: metrics\n"), None);
        assert_eq!(status(b"HTTP/1.1 2"), None);
    }

    #[test]
    fn a_tick_belongs_to_the_nearest_time_at_which_one_is_due() {
        let ticks =
            [0, 2_499, 2_500, 7_499, 15_100].map(|late| nearest(Duration::from_millis(late)));
        assert_eq!(ticks, [0, 0, 1, 1, 3]);
    }

    #[test]
    fn a_tick_is_late_by_its_distance_whether_before_or_after() {
        let due = Instant::now();
        let apart = Duration::from_millis(7);
        assert_eq!(distance(due + apart, due), apart);
        assert_eq!(distance(due, due + apart), apart);
    }
}
