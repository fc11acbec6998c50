use app::model::ReportType::{Spirit, Water};
use reqwest::Response;
use serde_json::{Value, json};
use svc::api::v1::stream::TICK;

use crate::harness::{But, Running, report, soon};

/// An open stream, read event by event.
struct Events {
    response: Response,
    read: String,
}

#[derive(Debug, PartialEq)]
struct Event {
    name: String,
    data: Value,
}

impl Events {
    async fn open(running: &Running, path: &str) -> Self {
        let response = running.http.get(running.url(path)).send().await.unwrap();
        assert_eq!(response.status(), 200);
        Self { response, read: String::new() }
    }

    /// The next block of lines; `None` at the end of the stream.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.read.find("\n\n") {
                let block = self.read[..end].to_owned();
                self.read.drain(..end + 2);
                return Some(block);
            }
            let chunk = soon("the next event", self.response.chunk()).await.unwrap()?;
            self.read.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The next line, which says when to come back.
    async fn retry(&mut self) -> u64 {
        let block = self.block().await.unwrap();
        let (line, rest) = block.split_once('\n').unwrap_or((&block, ""));
        if !rest.is_empty() {
            self.read.insert_str(0, &format!("{rest}\n\n"));
        }
        line.strip_prefix("retry: ").unwrap().parse().unwrap()
    }

    async fn event(&mut self) -> Event {
        let block = self.block().await.unwrap();
        let (name, data) = block.split_once('\n').unwrap();
        let name = name.strip_prefix("event: ").unwrap().to_owned();
        let data = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        Event { name, data }
    }
}

#[tokio::test]
async fn begins_with_both_events_which_are_those_of_the_api() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let mut events = Events::open(&running, "/api/v1/stream").await;
    let header = |name: &str| events.response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!(header("cache-control"), "no-cache, no-transform");
    assert_eq!(header("x-accel-buffering"), "no");
    assert_eq!(header("access-control-allow-origin"), "*");
    assert!((2_000..7_000).contains(&events.retry().await));
    let metrics = Event { name: "metrics".into(), data: running.json("/api/v1/metrics").await };
    assert_eq!(events.event().await, metrics);
    let reports = Event { name: "reports".into(), data: running.json("/api/v1/reports").await };
    assert_eq!(events.event().await, reports);
}

#[tokio::test]
async fn says_when_to_come_back_along_with_the_first_event() {
    // Alone in a block, some clients take it for an empty message.
    let running = Running::new().await;
    let mut events = Events::open(&running, "/api/v1/stream").await;
    let block = events.block().await.unwrap();
    let fields: Vec<&str> =
        block.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
    assert_eq!(fields, ["retry", "event", "data"]);
}

#[tokio::test]
async fn is_never_compressed() {
    let running = Running::new().await;
    let request = running.http.get(running.url("/api/v1/stream")).header("accept-encoding", "br");
    let response = request.send().await.unwrap();
    assert_eq!(response.headers().get("content-encoding"), None);
}

#[tokio::test]
async fn ticks_every_five_seconds_with_what_is_new() {
    let running = Running::new().await;
    let mut events = Events::open(&running, "/api/v1/stream").await;
    events.retry().await;
    assert_eq!(events.event().await.data["total"], 0);
    events.event().await;
    running.publish(&[report("a", Spirit)]).await;
    for _ in 0..3 {
        running.clock.advance(TICK);
        let metrics = events.event().await;
        assert_eq!((metrics.name.as_str(), &metrics.data["total"]), ("metrics", &json!(1)));
        let reports = events.event().await;
        assert_eq!(reports.data["reports"][0]["id"], "a");
    }
}

#[tokio::test]
async fn takes_a_place_like_the_metrics() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water).at("Köln", "", "DE")]).await;
    let mut events = Events::open(&running, "/api/v1/stream?city=KOLN&country=Germany").await;
    events.retry().await;
    let metrics = running.json("/api/v1/metrics?city=koln").await;
    assert_eq!(events.event().await.data, metrics);
    let reports = events.event().await;
    assert_eq!(reports.data, running.json("/api/v1/reports?city=koln").await);
    running.publish(&[report("c", Spirit).at("Koln", "", "DE")]).await;
    running.clock.advance(TICK);
    assert_eq!(events.event().await.data["total"], 2);
}

#[tokio::test]
async fn a_failed_tick_is_the_error_event_and_the_next_good_one_brings_the_numbers() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    for path in ["/api/v1/stream", "/api/v1/stream?city=campinas"] {
        let mut events = Events::open(&running, path).await;
        events.retry().await;
        events.event().await;
        events.event().await;
        running.database.tamper("ALTER TABLE data_version RENAME TO elsewhere").await;
        running.service.app.snapshots.refresh().await;
        running.clock.advance(TICK);
        let failed = events.event().await;
        let message = "The data cannot be read at the moment. \
                       What was sent before is the last that is known.";
        assert_eq!(failed, Event { name: "error".into(), data: json!({ "message": message }) });
        running.database.tamper("ALTER TABLE elsewhere RENAME TO data_version").await;
        running.service.app.snapshots.refresh().await;
        running.clock.advance(TICK);
        let metrics = events.event().await;
        assert_eq!((metrics.name.as_str(), &metrics.data["total"]), ("metrics", &json!(1)));
        events.event().await;
    }
}

#[tokio::test]
async fn a_stop_ends_streams_at_once_and_spreads_their_return() {
    let running = Running::new().await;
    let mut events = Events::open(&running, "/api/v1/stream").await;
    events.retry().await;
    events.event().await;
    events.event().await;
    let Running { service, database: _database, .. } = running;
    let stopped = tokio::spawn(service.stop());
    assert!((2_000..7_000).contains(&events.retry().await));
    assert_eq!(events.block().await, None);
    soon("the stop", stopped).await.unwrap();
}

#[tokio::test]
async fn open_streams_are_counted_while_they_are_open() {
    let running = Running::new().await;
    let ops = running.service.ops_addr.unwrap();
    let open = async || {
        let text = running.http.get(format!("http://{ops}/metrics")).send().await.unwrap();
        let text = text.text().await.unwrap();
        let line = text.lines().find(|line| line.starts_with("svc_open_streams ")).unwrap();
        line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()
    };
    assert_eq!(open().await, 0);
    let mut events = Events::open(&running, "/api/v1/stream").await;
    events.retry().await;
    assert_eq!(open().await, 1);
    drop(events);
    soon("the end of the stream", async {
        while open().await != 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
