//! Shutdown of the process after a signal.

use std::{
    os::unix::net::UnixDatagram,
    process::Command,
    time::{Duration, Instant},
};

use tokio::task::{JoinHandle, JoinSet};

use super::serve;
use crate::{
    harness::{Answer, Svc, http, soon},
    served::Served,
};

impl Served {
    pub(super) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits for the process to exit and returns its exit code.
    async fn exits(&mut self) -> Option<i32> {
        let ended = async {
            loop {
                if let Some(ended) = self.child.try_wait().unwrap() {
                    return ended.code();
                }
                tokio::task::yield_now().await;
            }
        };
        soon("the end", ended).await
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        Answer::of(http().get(format!("{}{path}", self.url)).send().await.unwrap()).await
    }

    async fn is_draining(&self) {
        soon("the drain", async {
            while http().get(format!("{}/readyz", self.ops)).send().await.unwrap().status() != 503 {
            }
        })
        .await;
    }

    /// Opens a stream, and returns after its first event.
    async fn stream(&self) -> Stream {
        let request = http().get(format!("{}/api/v1/stream", self.url));
        let mut response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let mut text = String::new();
        while !text.contains("event: reports") {
            text += str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap();
        }
        tokio::spawn(async move {
            while let Some(chunk) = response.chunk().await.unwrap() {
                text += str::from_utf8(&chunk).unwrap();
            }
            (Instant::now(), text)
        })
    }
}

/// Open stream: its end time and everything received.
type Stream = JoinHandle<(Instant, String)>;

/// Waits for the end of a stream, which must be a retry time, and returns when it ended.
async fn end(stream: Stream) -> Instant {
    let (at, text) = soon("the end of the stream", stream).await.unwrap();
    let last = text.trim_end().rsplit('\n').next().unwrap();
    let wait: u64 = last.strip_prefix("retry: ").unwrap().parse().unwrap();
    assert!((2_000..7_000).contains(&wait) && text.ends_with("\n\n"), "{text}");
    at
}

#[tokio::test]
async fn sigterm_makes_it_unready_then_ends_its_streams_one_by_one_and_then_it_exits() {
    let svc = Svc::new();
    let mut served = serve(&svc, &["--drain-delay=1", "--drain-spread=2"]);
    let mut streams = Vec::new();
    for _ in 0..8 {
        streams.push(served.stream().await);
    }
    let told = Instant::now();
    served.signal("TERM");
    served.is_draining().await;

    assert!(streams.iter().all(|stream| !stream.is_finished()));
    let ready = served.get("/readyz").await;
    assert_eq!((ready.status, ready.text().as_str()), (503, "not ready\n"));
    assert_eq!(served.get("/healthz").await.status, 200);
    let metrics = served.get("/api/v1/metrics").await;
    assert_eq!((metrics.status, metrics.header("connection")), (200, "close"));
    let late = served.get("/api/v1/stream").await;
    let events: Vec<_> =
        late.text().lines().map(|line| line.split(':').next().unwrap().to_owned()).collect();
    assert_eq!((late.status, events.join(" ")), (200, "retry event data  event data ".to_owned()));
    let wait =
        late.text().lines().next().unwrap().strip_prefix("retry: ").unwrap().parse().unwrap();
    assert!((500..1_500).contains(&wait), "{wait}: another node has room at once");

    let ends: JoinSet<Instant> = streams.into_iter().map(end).collect();
    let mut ends = ends.join_all().await;
    ends.sort();
    assert!(ends[0] - told >= Duration::from_secs(1), "none ends before the delay is over");
    // The streams end at eight moments spread over the two seconds.
    assert!(ends[7] - ends[0] >= Duration::from_millis(500), "{ends:?}");
    assert_eq!(served.exits().await, Some(0));
    svc.out(&["db", "check"]);
}

#[test]
fn without_streams_sigterm_stops_it_at_once() {
    let svc = Svc::new();
    let mut served = serve(&svc, &["--drain-spread=3600"]);
    served.signal("TERM");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    svc.out(&["db", "check"]);
}

#[tokio::test]
async fn a_second_signal_ends_the_draining() {
    for (second, flag) in [("TERM", "--drain-delay=3600"), ("INT", "--drain-spread=3600")] {
        let svc = Svc::new();
        let mut served = serve(&svc, &[flag]);
        let stream = served.stream().await;
        served.signal("TERM");
        served.is_draining().await;
        assert!(!stream.is_finished());
        served.signal(second);
        end(stream).await;
        assert_eq!(served.exits().await, Some(0));
        svc.out(&["db", "check"]);
    }
}

#[tokio::test]
async fn ctrl_c_waits_for_no_streams() {
    let svc = Svc::new();
    let mut served = serve(&svc, &["--drain-delay=3600", "--drain-spread=3600"]);
    let stream = served.stream().await;
    served.signal("INT");
    end(stream).await;
    assert_eq!(served.exits().await, Some(0));
}

#[tokio::test]
async fn a_signal_while_it_stops_abandons_what_is_in_flight() {
    use tokio::{io::AsyncWriteExt, net::TcpStream};
    let svc = Svc::migrated();
    let key = svc.json(&["keys", "create", "--partner", "Aid", "--json"]);
    let mut served = serve(&svc, &[]);
    let address = served.url.strip_prefix("http://").unwrap().to_owned();
    // A request whose body is never sent.
    let mut request = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /api/v1/webhooks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{",
        key["key"].as_str().unwrap()
    );
    request.write_all(head.as_bytes()).await.unwrap();
    soon("the request", async {
        let counted = async || {
            let numbers = http().get(format!("{}/metrics", served.ops)).send().await.unwrap();
            numbers.text().await.unwrap().contains("\nsvc_http_requests_total{side=\"public\"} 1\n")
        };
        while !counted().await {}
    })
    .await;
    served.signal("INT");
    soon("the stop", async { while TcpStream::connect(&address).await.is_ok() {} }).await;
    assert_eq!(served.child.try_wait().unwrap(), None);
    served.signal("INT");
    assert_eq!(served.exits().await, Some(1));
    svc.out(&["db", "check"]);
}

#[tokio::test]
async fn systemd_is_told_when_it_serves_and_when_it_goes() {
    let svc = Svc::new();
    let socket = UnixDatagram::bind(svc.path("notify")).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let told = || {
        let mut bytes = [0; 256];
        let length = socket.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    };
    let mut command = svc.command(&["serve", "--addr=127.0.0.1:0", "--ops-addr=127.0.0.1:0"]);
    command.env("NOTIFY_SOCKET", svc.path("notify"));
    let mut served = Served::of(command).unwrap();
    assert_eq!(told(), "READY=1\nSTATUS=Serving\n");
    served.signal("TERM");
    let draining = "STOPPING=1\nSTATUS=Draining: no longer ready, streams are ending\n";
    assert_eq!(told(), draining);
    assert_eq!(told(), "STOPPING=1\nSTATUS=Stopping\n");
    assert_eq!(served.exits().await, Some(0));
}
