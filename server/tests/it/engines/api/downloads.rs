use std::{io::Read, time::Duration};

use domain::{report::NewReport, tier::Tier};
use flate2::read::GzDecoder;
use model::ReportType::{self, Both, Spirit, Water};
use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
};

use crate::harness::{Answer, But, Running, Svc, instant, report, soon};

const FILES: [(&str, &str); 3] = [
    ("csv", "text/csv; charset=utf-8; header=present"),
    ("geojson", "application/geo+json"),
    ("ndjson", "application/x-ndjson"),
];

fn made(number: usize) -> NewReport {
    let (city, region, country) = [
        ("Campinas", "São Paulo", "Brazil"),
        ("Wien", "", "Österreich"),
        ("Köln", "NRW", "DE"),
        ("Deep, \"down\"", "", "Atlantis"),
    ][number % 4];
    let kind = [Spirit, Water, Both][number % 3];
    let day = 1 + number % 28;
    report(&format!("r{number:05}"), kind)
        .at(city, region, country)
        .on(&format!("2026-01-{day:02}"))
        .created(&format!("2026-02-{:02}T10:{:02}:00.000Z", 1 + number % 17, number % 60))
}

async fn with_reports(count: usize) -> Running {
    let running = Running::new().await;
    running.backfill(&(0..count).map(made).collect::<Vec<_>>()).await;
    running
}

/// All reports of the list, page by page.
async fn listed(running: &Running, query: &str) -> Vec<Value> {
    let mut path = format!("/api/v1/reports?limit=100&{query}");
    let mut all = Vec::new();
    loop {
        let page = running.get(&path).await;
        assert_eq!(page.status, 200, "{}", page.text());
        all.extend(page.json()["reports"].as_array().unwrap().iter().cloned());
        let next = page.header("link").split(", ").find(|link| link.ends_with("rel=\"next\""));
        let Some(next) = next else { return all };
        let next = next.trim_start_matches('<').split('>').next().unwrap();
        path = format!("/api/v1/{next}");
    }
}

async fn file(running: &Running, extension: &str, query: &str) -> Answer {
    let answer = running.get(&format!("/api/v1/reports.{extension}?{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer
}

fn lines(answer: &Answer) -> Vec<Value> {
    answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_file_has_the_reports_of_the_list_under_any_filter() {
    let running = with_reports(330).await;
    running.publish(&(330..350).map(made).collect::<Vec<_>>()).await;
    running.withdraw("r00007").await;
    for query in [
        "",
        "types=water,both",
        "country=Brasil",
        "city=koln&country=Germany",
        "from=2026-01-05&to=2026-01-09",
        "since=2026-02-10T10:00:00Z",
        "since=2026-02-10T10:00:00Z&country=AT&types=spirit",
        "country=Brazil&region=sao+paulo&from=2026-01-10&include=region,eventDate,position&lang=de",
        "include=countryCode,typeLabel",
        "country=Nowhere",
    ] {
        let expected = listed(&running, query).await;
        assert_eq!(lines(&file(&running, "ndjson", query).await), expected, "{query}");
        let collection = file(&running, "geojson", query).await.json();
        assert_eq!(collection["type"], "FeatureCollection");
        let features = collection["features"].as_array().unwrap();
        let reports: Vec<Value> = features
            .iter()
            .map(|feature| {
                assert_eq!(
                    (&feature["type"], &feature["id"]),
                    (&json!("Feature"), &feature["properties"]["id"])
                );
                let mut report = feature["properties"].clone();
                let precision = report.as_object_mut().unwrap().remove("precision");
                assert_eq!(
                    precision.is_some(),
                    feature["geometry"]["type"] == "Point",
                    "{feature}"
                );
                report
            })
            .collect();
        assert_eq!(reports, expected, "{query}");
        let csv = file(&running, "csv", query).await.text();
        let csv = csv.strip_prefix('\u{FEFF}').unwrap().to_owned();
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let ids = reader.records().map(|row| row.unwrap()[0].to_owned()).collect::<Vec<_>>();
        let expected: Vec<_> =
            expected.iter().map(|report| report["id"].as_str().unwrap()).collect();
        assert_eq!(ids, expected, "{query}");
    }
    assert_eq!(listed(&running, "").await.len(), 349);
}

#[tokio::test]
async fn filters_select_the_same_reports_together_as_in_the_list() {
    let running = with_reports(250).await;
    let (mut tried, mut found) = (0, 0);
    for place in ["", "country=AT", "country=Brasil&city=CAMPINAS", "country=DE&region=nrw"] {
        for types in ["", "types=spirit", "types=water,both"] {
            for period in ["", "from=2026-01-10", "from=2026-01-05&to=2026-01-20"] {
                for since in ["", "since=2026-02-09T10:30:00Z"] {
                    let given = [place, types, period, since];
                    let given: Vec<_> = given.into_iter().filter(|part| !part.is_empty()).collect();
                    let query = given.join("&");
                    let expected = listed(&running, &query).await;
                    assert_eq!(lines(&file(&running, "ndjson", &query).await), expected, "{query}");
                    tried += 1;
                    found += usize::from(!expected.is_empty());
                }
            }
        }
    }
    assert_eq!((tried, found > 50), (72, true), "{found}");
}

#[tokio::test]
async fn a_file_of_several_parts_is_one_file() {
    let running = with_reports(9_000).await;
    let csv = file(&running, "csv", "").await.text();
    assert_eq!(csv.lines().count(), 9_001);
    let ids: std::collections::HashSet<&str> =
        csv.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(ids.len(), 9_000);
    let collection = file(&running, "geojson", "").await.json();
    assert_eq!(collection["features"].as_array().unwrap().len(), 9_000);
    let packed =
        running.get_with("/api/v1/reports.ndjson", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    let mut plain = String::new();
    GzDecoder::new(&*packed.body).read_to_string(&mut plain).unwrap();
    assert_eq!(plain, file(&running, "ndjson", "").await.text());
    assert!(packed.body.len() * 4 < plain.len());
}

#[tokio::test]
async fn positions_are_those_of_cities_never_of_reports() {
    let running = Running::new().await;
    let mut here = report("here", Spirit);
    here.position = Some((12.345, 67.891));
    running.publish(&[here, report("nowhere", Water).at("Deep", "", "Atlantis")]).await;
    for (extension, _) in FILES {
        let text = file(&running, extension, "include=position").await.text();
        assert!(!text.contains("12.3") && !text.contains("67.89"), "{text}");
    }
    let collection = file(&running, "geojson", "").await.json();
    let of = |id: &str| {
        let features = collection["features"].as_array().unwrap();
        features.iter().find(|feature| feature["id"] == id).unwrap().clone()
    };
    let here = of("here");
    assert_eq!(here["properties"]["precision"], "city");
    let [lng, lat] = [0, 1].map(|index| here["geometry"]["coordinates"][index].as_f64().unwrap());
    assert!((-47.5..-46.5).contains(&lng) && (-23.5..-22.5).contains(&lat), "{here}");
    assert_eq!(of("nowhere")["geometry"], Value::Null);
    let csv =
        file(&running, "csv", "include=position,countryCode,typeLabel&types=spirit").await.text();
    assert_eq!(
        csv.lines().next().unwrap(),
        "\u{FEFF}id,type,city,region,country,peopleCount,eventDate,createdAt,countryCode,positionLat,positionLng,\
         positionPrecision,typeLabel"
    );
    let row = csv.lines().nth(1).unwrap();
    assert!(row.contains(",BR,-22.") && row.ends_with(",city,Spirit"), "{row}");
}

#[tokio::test]
async fn a_file_says_what_it_is_and_is_not_sent_again_until_the_data_changes() {
    let running = with_reports(10).await;
    for (extension, kind) in FILES {
        let path = format!("/api/v1/reports.{extension}");
        let answer = running.get(&path).await;
        assert_eq!(answer.header("content-type"), kind);
        assert_eq!(answer.header("x-robots-tag"), "noindex");
        assert_eq!(
            answer.header("content-disposition"),
            format!("attachment; filename=\"reports-2026-03-01.{extension}\"")
        );
        let head = running.ask(running.http.head(running.url(&path)), &[]).await;
        assert_eq!((head.status, head.body.len(), head.header("content-length")), (200, 0, ""));
        for name in ["etag", "content-type", "content-disposition", "cache-control", "x-robots-tag"]
        {
            assert_eq!(head.header(name), answer.header(name), "{name}");
        }
        let etag = answer.header("etag").to_owned();
        let known = [("if-none-match", &*etag)];
        let again = running.get_with(&path, &known).await;
        assert_eq!((again.status, again.body.len()), (304, 0));
        let other = running.get_with(&format!("{path}?types=spirit"), &known).await;
        assert_eq!(other.status, 200, "another query is another file");
        running.publish(&[report(extension, Spirit)]).await;
        let changed = running.get_with(&path, &known).await;
        assert_eq!(changed.status, 200);
        assert_ne!(changed.header("etag"), etag);
    }
}

#[tokio::test]
async fn a_file_has_one_state_of_the_data_while_reports_are_published() {
    let running = with_reports(9_000).await;
    let url = running.url("/api/v1/reports.ndjson");
    let mut response = running.http.get(url).send().await.unwrap();
    assert_eq!(response.status(), 200);
    running.publish(&[report("late", Spirit)]).await;
    running.withdraw("r00000").await;
    let mut text = Vec::new();
    while let Some(part) = response.chunk().await.unwrap() {
        text.extend_from_slice(&part);
    }
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().count(), 9_000);
    assert!(text.contains("\"r00000\"") && !text.contains("\"late\""));
}

#[tokio::test]
async fn a_csv_file_can_be_imported_into_another_service() {
    let running = with_reports(100).await;
    let formulas = [
        report("=1+1", Spirit).at("@cmd", "-x", "Brazil"),
        report("plain", Both).at("'s-Hertogenbosch", "Noord, \"Brabant\"", "NL"),
    ];
    running.backfill(&formulas).await;
    let csv = file(&running, "csv", "").await.body;
    let text = String::from_utf8(csv.clone()).unwrap();
    assert!(text.contains("\r\n'=1+1,spirit,'@cmd,'-x,Brazil,1,"), "{text}");
    let svc = Svc::migrated();
    let imported = svc.import(&csv, &["--backfill"]);
    assert_eq!(imported.code, Some(0), "{}{}", imported.out, imported.err);
    let other = svc.open(store::Missing::Refuse).await;
    let counters = |store: &store::Store| {
        let store = store.clone();
        async move {
            let today = instant("2026-03-01T12:00:00Z").date_naive();
            let all = store::Filter::default();
            let read = store.counters().metrics_of(&all, store::ALL_TYPES, today).await.unwrap();
            let mut shown = read.value.shown(read.last.at);
            shown.updated_at = String::new();
            shown
        }
    };
    assert_eq!(counters(&other).await, counters(&running.database.store).await);
    for id in ["=1+1", "plain", "r00003"] {
        let [here, there] = [&running.database.store, &other];
        let find = async |store: &store::Store| store.reports().approved(id).await.unwrap().value;
        let (here, there) = (find(here).await.unwrap(), find(there).await.unwrap());
        assert_eq!(
            (here.report, here.region, here.event_date),
            (there.report, there.region, there.event_date)
        );
    }
    other.close().await;
}

#[tokio::test]
async fn a_large_file_counts_as_several_requests_and_is_refused_before_it_begins() {
    let running = with_reports(5).await;
    let who = ("x-forwarded-for", "192.0.2.9");
    let small = running.get_with("/api/v1/reports.csv", &[who]).await;
    assert!(small.header("ratelimit").contains("r=59"), "{}", small.header("ratelimit"));
    running.backfill(&(5..25_000).map(made).collect::<Vec<_>>()).await;
    let large = running.get_with("/api/v1/reports.csv", &[who]).await;
    assert_eq!(large.status, 200);
    assert!(large.header("ratelimit").contains("r=56"), "{}", large.header("ratelimit"));
    let part = running.get_with("/api/v1/reports.csv?types=spirit", &[who]).await;
    assert!(part.header("ratelimit").contains("r=55"), "{}", part.header("ratelimit"));
    for _ in 0..53 {
        running.get_with("/api/v1/metrics", &[who]).await;
    }
    let refused = running.get_with("/api/v1/reports.csv?to=2030-01-01", &[who]).await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["code"], "RATE_LIMITED");
    assert!(!refused.header("retry-after").is_empty());
    let head = running.http.head(running.url("/api/v1/reports.csv"));
    assert_eq!(running.ask(head, &[who]).await.status, 200, "the head is one request");
    let key = running.key("Aid", Tier::Enterprise).await;
    let bearer = format!("Bearer {}", key.as_str());
    let unlimited = running.get_with("/api/v1/reports.csv", &[("authorization", &bearer)]).await;
    assert_eq!(unlimited.status, 200);
}

/// A report of which a file needs some hundred bytes.
fn long(number: usize, kind: ReportType) -> NewReport {
    report(&format!("{number:0120}"), kind).at(&"x".repeat(200), &"y".repeat(200), "Brazil")
}

#[tokio::test]
async fn a_client_that_reads_too_slowly_gets_no_end_and_frees_its_place() {
    let running = Running::new().await;
    let many: Vec<_> = (0..40_000).map(|number| long(number, Spirit)).collect();
    for part in many.chunks(10_000) {
        running.backfill(part).await;
    }
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(16 << 10).unwrap();
    socket.set_nonblocking(true).unwrap();
    let socket = TcpSocket::from_std_stream(socket.into());
    let mut slow = socket.connect(running.service.addr).await.unwrap();
    let request =
        "GET /api/v1/reports.csv HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n";
    let waiting = running.clock.waiting();
    slow.write_all(request.as_bytes()).await.unwrap();
    let mut start = vec![0; 1_024];
    soon("the start", slow.read_exact(&mut start)).await.unwrap();
    assert!(start.starts_with(b"HTTP/1.1 200"));
    let same = ("x-forwarded-for", "192.0.2.7");
    let second = running.get_with("/api/v1/reports.csv", &[same]).await;
    assert_eq!((second.status, second.json()["code"].as_str()), (503, Some("UNAVAILABLE")));
    assert!(running.clock.waiting() > waiting);
    running.clock.advance(Duration::from_secs(600));
    let mut rest = Vec::new();
    // The connection ends without the last chunk.
    let _ = soon("the end of the connection", slow.read_to_end(&mut rest)).await;
    assert!(!rest.ends_with(b"0\r\n\r\n"), "{} bytes", rest.len());
    assert!(rest.len() < 20_000_000);
    let freed = async {
        loop {
            let again = running.get_with("/api/v1/reports.csv?types=water", &[same]).await;
            if again.status == 200 {
                return;
            }
        }
    };
    soon("the client's place", freed).await;
}
