use std::time::Duration;

use model::ReportType::{Both, Spirit, Water};
use resvg::usvg::roxmltree::{Document, Node};
use serde_json::{Value, json};

use svc::config::{OpenData, Serve};

use crate::harness::{Answer, But, Running, START, reached_at, report};

const ATOM: &str = "http://www.w3.org/2005/Atom";

async fn with_reports(settings: Serve) -> Running {
    let running = Running::with(settings, START).await;
    running
        .backfill(&[
            report("a&b/<c>", Spirit)
                .at("<b>São & \"Paulo\"", "", "Brasil")
                .created("2026-02-01T10:00:00Z"),
            report("two", Water).at("Wien", "", "Österreich").created("2026-02-02T10:00:00.250Z"),
        ])
        .await;
    running
}

fn child<'a, 'i>(of: Node<'a, 'i>, name: &str) -> Node<'a, 'i> {
    of.children().find(|child| child.has_tag_name((ATOM, name))).unwrap()
}

fn text<'a>(of: Node<'a, '_>, name: &str) -> &'a str {
    child(of, name).text().unwrap()
}

fn link<'a>(of: Node<'a, '_>, relation: &str) -> Option<&'a str> {
    let mut links = of.children().filter(|child| child.has_tag_name((ATOM, "link")));
    links.find(|link| link.attribute("rel") == Some(relation))?.attribute("href")
}

fn entries<'a, 'i>(feed: Node<'a, 'i>) -> Vec<Node<'a, 'i>> {
    feed.children().filter(|child| child.has_tag_name((ATOM, "entry"))).collect()
}

#[tokio::test]
async fn an_atom_feed_has_the_newest_reports_with_lasting_ids_and_absolute_links() {
    let running = with_reports(reached_at("https://svc.example.org/counters")).await;
    let answer = running.get("/feeds/reports.atom").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/atom+xml; charset=utf-8");
    let xml = answer.text();
    let document = Document::parse(&xml).unwrap();
    let feed = document.root_element();
    assert!(feed.has_tag_name((ATOM, "feed")));
    assert_eq!(text(feed, "id"), "tag:svc.example.org,2026:reports");
    assert_eq!(text(feed, "title"), "Spirit and water – Latest reports");
    assert_eq!(text(feed, "updated"), "2026-02-02T10:00:00.250Z");
    let base = "https://svc.example.org/counters";
    assert_eq!(link(feed, "self"), Some(&*format!("{base}/feeds/reports.atom")));
    assert_eq!(link(feed, "alternate"), Some(&*format!("{base}/")));
    assert_eq!(link(feed, "hub"), None);
    let entries = entries(feed);
    let of = |name| entries.iter().map(|entry| text(*entry, name)).collect::<Vec<_>>();
    assert_eq!(of("title"), ["Water – Wien, Österreich", "Spirit – <b>São & \"Paulo\", Brasil"]);
    assert_eq!(of("content"), ["1 person", "1 person"]);
    let times = ["2026-02-02T10:00:00.250Z", "2026-02-01T10:00:00.000Z"];
    assert_eq!((of("updated"), of("published")), (times.to_vec(), times.to_vec()));
    assert_eq!(of("id")[1], "tag:svc.example.org,2026:report/a%26b%2F%3Cc%3E");
    let path = link(entries[1], "alternate").unwrap().strip_prefix(base).unwrap();
    let found = running.json(path).await;
    assert_eq!(found["report"]["id"], "a&b/<c>");
    assert_eq!(child(entries[0], "category").attribute("term"), Some("water"));
}

#[tokio::test]
async fn a_json_feed_has_the_same_entries_and_the_reports_themselves() {
    let running = with_reports(reached_at("https://svc.example.org")).await;
    let answer = running.get("/feeds/reports.json?lang=de&types=water").await;
    assert_eq!(answer.header("content-type"), "application/feed+json");
    assert_eq!(
        answer.json(),
        json!({
            "version": "https://jsonfeed.org/version/1.1",
            "title": "Geist und Wasser – Neueste Berichte",
            "home_page_url": "https://svc.example.org/",
            "feed_url": "https://svc.example.org/feeds/reports.json?lang=de&types=water",
            "language": "de",
            "authors": [{ "name": "Geist und Wasser", "url": "https://svc.example.org/" }],
            "items": [{
                "id": "tag:svc.example.org,2026:report/two",
                "url": "https://svc.example.org/api/v1/reports/two",
                "title": "Wasser – Wien, Österreich",
                "content_text": "1 Person",
                "date_published": "2026-02-02T10:00:00.250Z",
                "tags": ["water"],
                "_report": {
                    "id": "two", "city": "Wien", "country": "Österreich", "peopleCount": 1,
                    "type": "water", "createdAt": "2026-02-02T10:00:00.250Z",
                },
            }],
        })
    );
}

#[tokio::test]
async fn readers_that_keep_only_the_date_of_a_feed_get_it_after_every_change() {
    let running = with_reports(reached_at("https://svc.example.org")).await;
    let read = async |path: &str, headers: &[(&str, &str)]| {
        let answer = running.get_with(path, headers).await;
        let date =
            answer.headers.get("last-modified").map(|date| date.to_str().unwrap().to_owned());
        (answer.status, answer.body.len(), date)
    };
    for path in ["/feeds/reports.atom", "/feeds/reports.json"] {
        // In the second of a change, another one may follow.
        running.publish(&[report(path, Both)]).await;
        let (status, _, none) = read(path, &[]).await;
        assert_eq!((status, none), (200, None), "{path}");
        running.clock.advance(Duration::from_secs(1));
        let (_, _, date) = read(path, &[]).await;
        let date = date.unwrap();
        let since = ("if-modified-since", &*date);
        assert_eq!(read(path, &[since]).await, (304, 0, Some(date.clone())), "{path}");
        let coded = [since, ("accept-encoding", "gzip")];
        assert_eq!(read(path, &coded).await, (304, 0, Some(date.clone())), "{path}");
        assert_eq!(read(path, &[since, ("if-none-match", "\"other\"")]).await.0, 200, "{path}");
        let earlier = ("if-modified-since", "Sun, 01 Feb 2026 10:00:00 GMT");
        assert_eq!(read(path, &[earlier]).await.0, 200, "{path}");
        assert_eq!(read(path, &[earlier, ("if-none-match", "*")]).await.0, 304, "{path}");
        // Without a newer report.
        running.withdraw(path).await;
        assert_eq!(read(path, &[since]).await.0, 200, "{path}");
        running.clock.advance(Duration::from_secs(1));
        let (status, _, later) = read(path, &[since]).await;
        assert_eq!(status, 200, "{path}");
        assert_ne!(later.as_deref(), Some(&*date), "{path}");
        assert_eq!(read(path, &[("if-modified-since", &later.unwrap())]).await.0, 304, "{path}");
    }
}

#[tokio::test]
async fn feeds_have_at_most_fifty_reports_of_the_filter_and_are_sent_again_when_they_change() {
    let running = with_reports(reached_at("https://svc.example.org")).await;
    let many: Vec<_> = (0..60).map(|number| report(&format!("r{number}"), Both)).collect();
    running.publish(&many).await;
    let read = async |query: &str| running.get(&format!("/feeds/reports.json{query}")).await;
    let ids = |answer: &Answer| -> Vec<String> {
        let items = answer.json()["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["_report"]["id"].as_str().unwrap().to_owned()).collect()
    };
    let all = read("").await;
    assert_eq!(ids(&all).len(), 50);
    let body = running.json("/api/v1/reports?limit=50").await;
    let listed: Vec<&str> = body["reports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|report| report["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids(&all), listed);
    let austria = read("?country=AT&unknown=1").await;
    assert_eq!(ids(&austria), ["two"]);
    let body = austria.json();
    assert_eq!(body["feed_url"], "https://svc.example.org/feeds/reports.json?country=AT");
    assert_eq!(body["title"], "Spirit and water – Latest reports – Austria");
    let none = read("?country=Nowhere").await.json();
    assert_eq!(none["items"], Value::Array(Vec::new()));
    assert_eq!(read("?contry=AT").await.status, 400);
    let known = [("if-none-match", austria.header("etag"))];
    let path = "/feeds/reports.json?country=AT";
    let again = running.get_with(path, &known).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    running.publish(&[report("graz", Spirit).at("Graz", "", "AT")]).await;
    assert_eq!(ids(&running.get_with(path, &known).await), ["graz", "two"]);
}

#[tokio::test]
async fn feeds_name_the_hub_and_pages_name_the_feeds() {
    let open_data = OpenData {
        websub_hub: Some("https://hub.example.org/?a&b".parse().unwrap()),
        ..OpenData::default()
    };
    let settings = Serve { open_data, ..crate::harness::settings() };
    let running = with_reports(settings).await;
    let answer = running.get("/feeds/reports.atom?types=water").await;
    let xml = answer.text();
    let document = Document::parse(&xml).unwrap();
    assert_eq!(link(document.root_element(), "hub"), Some("https://hub.example.org/?a&b"));
    assert!(answer.header("link").ends_with("<https://hub.example.org/?a&b>; rel=\"hub\""));
    let body = running.json("/feeds/reports.json").await;
    assert_eq!(body["hubs"], json!([{ "type": "WebSub", "url": "https://hub.example.org/?a&b" }]));
    for (page, query) in [
        ("/?language=en", ""),
        ("/data?language=en", ""),
        ("/embed/feed", ""),
        ("/embed/feed?country=BR&types=water&theme=dark&limit=5", "?country=BR&amp;types=water"),
    ] {
        let html = running.get(page).await.text();
        for (path, kind) in [("atom", "application/atom+xml"), ("json", "application/feed+json")] {
            let base = running.url("");
            let link = format!(
                "<link rel=\"alternate\" type=\"{kind}\" href=\"{base}/feeds/reports.{path}{query}\""
            );
            assert!(
                html.contains(&link),
                "{link} in {page}: {}",
                html.split("<body").next().unwrap()
            );
        }
    }
}
