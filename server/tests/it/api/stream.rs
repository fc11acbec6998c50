use std::{io::Write, time::Duration};

use domain::report::NewReport;
use flate2::write::GzDecoder;
use model::ReportType::{Spirit, Water};
use reqwest::Response;
use serde_json::{Value, json};
use store::Corrected;

use svc::api::v1::stream::TICK;

use super::live::query;
use crate::harness::{But, Running, report, soon};

/// Open stream, read event by event.
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

    /// Next block of lines; `None` at the end of the stream.
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

    /// Reads the next line, which contains the retry time.
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
    // Some clients treat a retry time that is alone in a block as an empty message.
    let running = Running::new().await;
    let mut events = Events::open(&running, "/api/v1/stream").await;
    let block = events.block().await.unwrap();
    let fields: Vec<&str> =
        block.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
    assert_eq!(fields, ["retry", "event", "data"]);
}

#[tokio::test]
async fn is_compressed_for_a_client_that_accepts_gzip_and_a_tick_takes_only_what_is_new() {
    let running = Running::new().await;
    let town = |number: usize| {
        let city = format!("Town {number}");
        report(&format!("r{number}"), Spirit).at(&city, "", "Brazil")
    };
    running.publish(&(0..20).map(town).collect::<Vec<_>>()).await;
    let path = views(&["lang=de"]);
    let mut plain = running.http.get(running.url(&path)).send().await.unwrap();
    assert_eq!(plain.headers().get("content-encoding"), None);
    let packed = running.http.get(running.url(&path)).header("accept-encoding", "gzip, br");
    let mut packed = packed.send().await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    let mut vary = packed.headers().get_all("vary").iter();
    assert!(vary.any(|name| name == "accept-encoding"));
    let (mut expected, mut decoder) = (Vec::new(), GzDecoder::new(Vec::new()));
    let mut sizes = Vec::new();
    for number in 20..24 {
        let (read, mut size) = (expected.len(), 0);
        while !expected[read..].ends_with(b"event: tick\ndata: {}\n\n") {
            expected.extend(soon("the next event", plain.chunk()).await.unwrap().unwrap());
        }
        while decoder.get_ref().len() < expected.len() {
            let part = soon("the next part", packed.chunk()).await.unwrap().unwrap();
            size += part.len();
            decoder.write_all(&part).unwrap();
            decoder.flush().unwrap();
        }
        // Only the retry time differs.
        let events =
            |text: &[u8]| text.split(|byte| *byte == b'\n').skip(1).collect::<Vec<_>>().concat();
        assert_eq!(events(decoder.get_ref()), events(&expected));
        sizes.push((size, expected.len() - read));
        running.publish(&[town(number)]).await;
        running.clock.advance(TICK);
    }
    let [(first, _), later @ ..] = &sizes[..] else { panic!() };
    assert!(*first < 800, "{sizes:?}");
    assert!(later.iter().all(|(packed, plain)| *packed < 200 && *plain > 2_000), "{sizes:?}");
}

#[tokio::test]
async fn without_gzip_it_is_not_compressed() {
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
async fn a_place_has_the_very_bytes_of_the_api_whenever_either_is_asked() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water).at("Lyon", "", "FR")]).await;
    let data = |block: &str| block.split_once("data: ").unwrap().1.to_owned();
    let metrics = running.get("/api/v1/metrics?country=FR").await.text();
    running.clock.advance(Duration::from_secs(90));
    let mut events = Events::open(&running, "/api/v1/stream?country=FR").await;
    events.retry().await;
    assert_eq!(data(&events.block().await.unwrap()), metrics);
    let reports = data(&events.block().await.unwrap());
    running.clock.advance(TICK);
    assert_eq!(running.get("/api/v1/reports?country=FR").await.text(), reports);

    let mut events = Events::open(&running, &views(&["country=FR"])).await;
    events.retry().await;
    let list = reports.strip_prefix("{\"reports\":").unwrap();
    let view = format!("{{\"view\":\"country=FR\",\"metrics\":{metrics},\"reports\":{list}");
    assert_eq!(data(&events.block().await.unwrap()), view);
}

/// Path of a stream with these views.
fn views(views: &[&str]) -> String {
    format!("/api/v1/stream?{}", query(views))
}

#[tokio::test]
async fn carries_several_views_and_of_each_only_what_changes() {
    let running = Running::new().await;
    let lyon = |id| report(id, Water).at("Lyon", "", "France");
    running.publish(&[report("a", Spirit), lyon("b")]).await;
    // A view that is requested twice is sent once.
    let path = views(&["country=FR&limit=1", "", "city=campinas&types=water&lang=de", ""]);
    let mut events = Events::open(&running, &path).await;
    events.retry().await;
    let view = async |view: &str, metrics: &str, reports: Value| Event {
        name: "view".into(),
        data: json!({
            "view": view,
            "metrics": running.json(&format!("/api/v1/metrics?{metrics}")).await,
            "reports": reports,
        }),
    };
    let tick = || Event { name: "tick".into(), data: json!({}) };
    let all = async || running.json("/api/v1/reports").await["reports"].clone();
    let french = running.json("/api/v1/reports?country=FR").await["reports"].clone();
    assert_eq!(events.event().await, view("country=FR&limit=1", "country=FR", french).await);
    assert_eq!(events.event().await, view("", "", all().await).await);
    let nothing = view("city=campinas&types=water&lang=de", "city=campinas", json!([])).await;
    assert_eq!(events.event().await, nothing);
    assert_eq!(events.event().await, tick());

    running.clock.advance(TICK);
    assert_eq!(events.event().await, tick());

    running.publish(&[lyon("c")]).await;
    running.clock.advance(TICK);
    let first = events.event().await;
    assert_eq!(
        (&first.data["view"], &first.data["metrics"]["total"]),
        (&json!("country=FR&limit=1"), &json!(2))
    );
    assert_eq!(first.data["reports"][0]["id"], "c");
    assert_eq!(events.event().await, view("", "", all().await).await);
    // Of the third view, only the time at which its counters were computed has changed.
    assert_eq!(events.event().await, tick());
}

#[tokio::test]
async fn a_correction_that_leaves_counters_and_lists_as_they_were_is_told_all_the_same() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let mut events = Events::open(&running, &views(&["country=BR"])).await;
    events.retry().await;
    let first = events.event().await;
    assert_eq!(events.event().await.name, "tick");
    running.clock.advance(Duration::from_secs(1));
    // Trends show this change: a trend requests its series again when it gets its view.
    let moved = |before: &NewReport| Ok::<_, ()>(before.clone().on("2026-02-27"));
    let done = running.database.store.reports().correct("a", moved).await.unwrap();
    assert_eq!(done, Corrected::Now);
    running.service.app.snapshots.refresh().await;
    running.clock.advance(TICK - Duration::from_secs(1));
    let again = events.event().await;
    assert_eq!(again.name, "view");
    assert_eq!(again.data["reports"], first.data["reports"]);
    assert_ne!(again.data["metrics"]["updatedAt"], first.data["metrics"]["updatedAt"]);
    assert_eq!(events.event().await.name, "tick");
    running.clock.advance(TICK);
    assert_eq!(events.event().await.name, "tick");
}

#[tokio::test]
async fn after_a_tick_that_failed_every_view_is_told_again() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let mut events = Events::open(&running, &views(&["", "country=FR"])).await;
    events.retry().await;
    let first = [events.event().await, events.event().await];
    assert_eq!(events.event().await.name, "tick");
    running.database.tamper("ALTER TABLE data_version RENAME TO elsewhere").await;
    running.service.app.snapshots.refresh().await;
    running.clock.advance(TICK);
    assert_eq!(events.event().await.name, "error");
    running.database.tamper("ALTER TABLE elsewhere RENAME TO data_version").await;
    running.service.app.snapshots.refresh().await;
    running.clock.advance(TICK);
    assert_eq!([events.event().await, events.event().await], first);
    assert_eq!(events.event().await.name, "tick");
}

#[tokio::test]
async fn a_view_that_cannot_be_read_is_refused_by_name() {
    let running = Running::new().await;
    let too_many: Vec<String> = (0..17).map(|number| format!("city=c{number}")).collect();
    let too_many: Vec<&str> = too_many.iter().map(String::as_str).collect();
    let in_view = |view: &str, detail: &str| format!("In the view {view:?}: {detail}");
    for (path, code, detail) in [
        (
            views(&["", "limit=0"]),
            "INVALID_LIMIT",
            in_view("limit=0", "\"limit\" is \"0\": give a whole number from 1 to 100."),
        ),
        (
            views(&["types=spirit,fire"]),
            "INVALID_PARAMETER",
            in_view(
                "types=spirit,fire",
                "\"types\" is \"spirit,fire\": give some of spirit, water and both, separated by \
                 commas.",
            ),
        ),
        (
            views(&["lang=tlh"]),
            "INVALID_PARAMETER",
            in_view("lang=tlh", "\"lang\" is \"tlh\": give one of en, pt, es, fr, de, ar."),
        ),
        (
            views(&["contry=FR"]),
            "INVALID_PARAMETER",
            in_view("contry=FR", "There is no parameter \"contry\": did you mean \"country\"?"),
        ),
        (
            views(&["city=Oslo&utm=1"]),
            "INVALID_PARAMETER",
            in_view(
                "city=Oslo&utm=1",
                "There is no parameter \"utm\": give some of country, region, city, from, to, types, limit, \
                 dates and lang.",
            ),
        ),
        (
            views(&["x%=%ff"]),
            "INVALID_PARAMETER",
            in_view(
                "x%=%ff",
                "There is no parameter \"x%\": give some of country, region, city, from, to, types, limit, \
                 dates and lang.",
            ),
        ),
        (
            views(&["country=FR"]) + "&city=lyon",
            "INVALID_PARAMETER",
            "Both views and a place are given: put the place into a view.".to_owned(),
        ),
        (
            views(&too_many),
            "INVALID_PARAMETER",
            "More than 16 views are requested: open another stream for the others.".to_owned(),
        ),
    ] {
        let problem = running.get(&path).await;
        assert_eq!(problem.status, 400, "{path}");
        let body = problem.json();
        assert_eq!((body["code"].as_str(), body["detail"].as_str()), (Some(code), Some(&*detail)));
    }
    Events::open(&running, &views(&too_many[..16])).await;
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
        let message =
            "The data cannot be read at the moment. Previously sent data is the latest available.";
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
