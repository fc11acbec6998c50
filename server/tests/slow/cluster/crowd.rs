//! Clients that follow the stream like browsers: after each end they reconnect after the retry time.

use std::{
    collections::BTreeSet,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
    task::JoinSet,
    time,
};

use super::timeline::Timeline;

/// Number of streams per address. Twenty are permitted, and those of a killed node count until its lease ends.
const PER_ADDRESS: u32 = 10;
/// Reconnection delay of browsers without a retry time.
const RETRY: Duration = Duration::from_secs(3);
/// Minimum duration of a stream that counts as back: a draining node ends new streams at once.
const LASTING: Duration = Duration::from_secs(1);

pub(super) struct Crowd {
    seen: Arc<Seen>,
    _followers: JoinSet<()>,
}

#[derive(Default)]
struct Seen {
    returns: Mutex<Vec<Return>>,
    refusals: Mutex<Vec<(Instant, String)>>,
    /// Times of `error` events.
    errors: Mutex<Vec<Instant>>,
    latest: Mutex<Vec<Latest>>,
}

/// Latest data of a stream: the total, and the id of the newest report.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Latest {
    pub(super) total: String,
    pub(super) newest: String,
}

/// Stream that was lost and came back.
#[derive(Clone, Copy)]
pub(super) struct Return {
    pub(super) lost: Instant,
    pub(super) after: Duration,
}

impl Crowd {
    /// Opens `count` streams, spread over `within`.
    pub(super) async fn open(
        target: SocketAddr,
        count: u32,
        within: Duration,
        timeline: &Arc<Timeline>,
    ) -> Self {
        let (seen, mut followers) = (Arc::<Seen>::default(), JoinSet::new());
        seen.latest.lock().unwrap().resize(count as usize, Latest::default());
        let begin = Instant::now();
        for number in 0..count {
            time::sleep_until((begin + within * number / count).into()).await;
            let follower = Follower { number, target, source: source(number), retry: RETRY };
            followers.spawn(follower.follow(Arc::clone(&seen), Arc::clone(timeline)));
        }
        Self { seen, _followers: followers }
    }

    pub(super) fn returns(&self) -> Vec<Return> {
        self.seen.returns.lock().unwrap().clone()
    }

    /// Different states that streams have received last.
    pub(super) fn latest(&self) -> BTreeSet<Latest> {
        self.seen.latest.lock().unwrap().iter().cloned().collect()
    }

    /// Times of `error` events.
    pub(super) fn errors(&self) -> Vec<Instant> {
        self.seen.errors.lock().unwrap().clone()
    }

    /// Responses that were not a stream.
    pub(super) fn refusals(&self) -> Vec<(Instant, String)> {
        self.seen.refusals.lock().unwrap().clone()
    }
}

impl Seen {
    /// Notes the data in a part of a stream. An event that is split is missed; the next one comes in seconds.
    fn read(&self, number: u32, part: &[u8]) {
        let text = String::from_utf8_lossy(part);
        if text.contains("event: error") {
            self.errors.lock().unwrap().push(Instant::now());
        }
        let after = |before: &str, end: char| {
            Some(text.split_once(before)?.1.split_once(end)?.0.to_owned())
        };
        let mut latest = self.latest.lock().unwrap();
        let latest = &mut latest[number as usize];
        if let Some(total) = after("\"total\":", ',') {
            latest.total = total;
        }
        if let Some(newest) = after("{\"reports\":[{\"id\":\"", '"') {
            latest.newest = newest;
        }
    }
}

fn source(number: u32) -> Ipv4Addr {
    let [_, _, third, fourth] = (number / PER_ADDRESS + 2).to_be_bytes();
    Ipv4Addr::new(127, 1, third, fourth)
}

struct Follower {
    number: u32,
    target: SocketAddr,
    source: Ipv4Addr,
    retry: Duration,
}

impl Follower {
    async fn follow(mut self, seen: Arc<Seen>, timeline: Arc<Timeline>) {
        let mut lost = None;
        loop {
            let begun = Instant::now();
            if let Err(error) = self.follow_once(&mut lost, &seen, &timeline).await {
                seen.refusals.lock().unwrap().push((begun, error.to_string()));
            }
            time::sleep(self.retry).await;
        }
    }

    /// Opens a stream and reads it to its end. An error contains the response received instead. `lost` is the time
    /// since which there has been no stream.
    async fn follow_once(
        &mut self,
        lost: &mut Option<Instant>,
        seen: &Seen,
        timeline: &Timeline,
    ) -> io::Result<()> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((self.source, 0).into())?;
        let mut stream = socket.connect(self.target).await?;
        let request = "GET /api/v1/stream HTTP/1.1\r\nHost: svc.example.org\r\n\
            Accept: text/event-stream\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await?;
        let mut buffer = vec![0; 4 << 10];
        let mut head = Vec::new();
        while !contains(&head, b"event: metrics") {
            let read = stream.read(&mut buffer).await?;
            head.extend_from_slice(&buffer[..read]);
            if read == 0 || !b"HTTP/1.1 200".starts_with(&head[..head.len().min(12)]) {
                return Err(io::Error::other(String::from_utf8_lossy(&head).into_owned()));
            }
        }
        let begun = Instant::now();
        timeline.opened();
        self.read_retry(&head);
        seen.read(self.number, &head);
        let mut is_back = false;
        loop {
            let read = time::timeout(LASTING, stream.read(&mut buffer)).await;
            if !is_back && begun.elapsed() >= LASTING {
                is_back = true;
                if let Some(lost) = lost.take() {
                    let after = begun - lost;
                    seen.returns.lock().unwrap().push(Return { lost, after });
                }
            }
            match read {
                Err(_) => {}
                Ok(Ok(read)) if read > 0 => {
                    self.read_retry(&buffer[..read]);
                    seen.read(self.number, &buffer[..read]);
                }
                Ok(_) => break,
            }
        }
        timeline.cut();
        lost.get_or_insert_with(Instant::now);
        Ok(())
    }

    fn read_retry(&mut self, read: &[u8]) {
        let text = String::from_utf8_lossy(read);
        let value = text.split_once("retry: ").and_then(|(_, rest)| rest.lines().next());
        if let Some(millis) = value.and_then(|value| value.trim().parse().ok()) {
            self.retry = Duration::from_millis(millis);
        }
    }
}

fn contains(read: &[u8], what: &[u8]) -> bool {
    read.windows(what.len()).any(|bytes| bytes == what)
}
