//! Everything is counted again at the end: from the rows of the database, and by all ways of reading them.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::Value;

use super::{
    POLL_INTERVAL,
    checks::Failures,
    crowd::{Crowd, Latest},
    editor::Edited,
    machines::{Machines, blocking},
    node::Node,
    rows::{self, EventRow, Row},
    scene::Scene,
    writers::Written,
};
use crate::harness::{http, soon};

/// Maximum time until webhooks have arrived: those of a killed node wait for the end of its leases, and refused ones for
/// their next attempt.
const DELIVERED_WITHIN: Duration = Duration::from_secs(90);

impl Failures {
    /// Stops the writers, checks everything that was written, and returns a summary.
    pub(super) async fn recount(&mut self, scene: Scene) -> String {
        let Scene {
            writers, editor, traffic, crowd, mirror, subscriber, machines, operator, ..
        } = scene;
        let (written, edited) = (writers.stop().await, editor.stop().await);
        drop(traffic);
        let rows = rows::reports(machines.postgres.primary()).await;
        self.rows(&rows, &written, &edited);
        self.counters(&machines, &rows).await;
        self.lists(&machines, &operator, &rows).await;
        self.streams_end(&machines, &crowd).await;
        drop(crowd);

        let mut events = Vec::new();
        let arrived = tokio::time::timeout(DELIVERED_WITHIN, async {
            // History is announced some seconds after an import.
            loop {
                events = rows::events(machines.postgres.primary()).await;
                let ids: BTreeSet<String> = events.iter().map(|event| event.id.clone()).collect();
                let read: BTreeSet<String> = mirror.read().ids.into_iter().collect();
                if announced(&events) >= written.history && subscriber.ids() == ids && read == ids {
                    return;
                }
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        });
        let in_time = arrived.await.is_ok();
        self.events(&events, &rows, &written, &edited);
        let ids: BTreeSet<String> = events.iter().map(|event| event.id.clone()).collect();
        let (arrived, read) = (subscriber.ids(), mirror.read());
        self.require(in_time && arrived == ids, || {
            let (missing, unknown) = (ids.difference(&arrived), arrived.difference(&ids));
            format!("webhooks: missing {:?}, unknown {:?}", list(missing), list(unknown))
        });
        let log: Vec<&String> = events.iter().map(|event| &event.id).collect();
        self.require(read.ids.iter().collect::<Vec<_>>() == log, || {
            format!("a mirror read {} events of {}", read.ids.len(), log.len())
        });
        self.require(read.sequences.is_sorted_by(|one, next| one < next), || {
            "a mirror read events in another order than that of their numbers".to_owned()
        });
        let disorder = subscriber.disorder();
        self.require(disorder.is_empty(), || {
            format!("{} webhooks in a wrong order: {}", disorder.len(), disorder[0])
        });
        let (deliveries, wrong) = subscriber.deliveries();
        self.require(wrong == 0, || format!("{wrong} webhooks were not signed"));
        let checked =
            blocking(|| machines.svc.run(&["db", "check", "--database-url", &machines.url]));
        self.require(checked.code == Some(0), || format!("check: {}{}", checked.out, checked.err));
        format!(
            "{} reports were published, {} edited and {} imported; {} events were delivered by {deliveries} requests; \
             the mirror started again {} times",
            written.published,
            edited.named.len() + edited.unnamed.len(),
            written.history,
            events.len(),
            read.starts_again
        )
    }

    /// Checks that everything that was confirmed is in the database once, and nothing else.
    fn rows(&mut self, rows: &[Row], written: &Written, edited: &Edited) {
        let mut expected: BTreeMap<String, &str> =
            (0..written.published).map(|number| (format!("p-{number}"), "APPROVED")).collect();
        expected.extend(written.history_ids().map(|id| (id, "APPROVED")));
        expected.extend(edited.named.iter().map(|id| (id.clone(), "APPROVED")));
        expected.extend(edited.withdrawn.iter().map(|id| (id.clone(), "WITHDRAWN")));
        let is_unnamed = |row: &&Row| row.people >= super::editor::MARK as i64;
        let mut unnamed: Vec<i64> = rows.iter().filter(is_unnamed).map(|row| row.people).collect();
        unnamed.sort_unstable();
        let confirmed: Vec<i64> = edited.unnamed.iter().map(|people| *people as i64).collect();
        self.require(unnamed == confirmed, || {
            format!("of reports without an id, {confirmed:?} were confirmed and {unnamed:?} exist")
        });
        let named = rows.iter().filter(|row| !is_unnamed(row));
        let named: BTreeMap<String, &str> =
            named.map(|row| (row.id.clone(), row.status.as_str())).collect();
        self.require(named == expected, || {
            let (there, confirmed) =
                (named.iter().collect(), expected.iter().collect::<BTreeSet<_>>());
            let there: BTreeSet<_> = there;
            let (lost, unknown) = (confirmed.difference(&there), there.difference(&confirmed));
            format!("reports: lost {:?}, unknown {:?}", list(lost), list(unknown))
        });
        for id in &edited.corrected {
            let row = rows.iter().find(|row| row.id == *id);
            let is_corrected = row.is_some_and(|row| row.city == "Paris" && row.people == 7);
            self.require(is_corrected, || format!("{id} is not corrected: {row:?}"));
        }
        let wrong: Vec<_> = rows
            .iter()
            .filter(|row| row.imports != i64::from(!row.id.starts_with("p-")))
            .map(|row| (&row.id, row.imports))
            .collect();
        self.require(wrong.is_empty(), || format!("not in one import: {:?}", list(wrong.iter())));
    }

    /// Checks the counters of all nodes.
    async fn counters(&mut self, machines: &Machines, rows: &[Row]) {
        let queries = rows::queries(rows);
        let world = queries[0].1;
        for (number, node) in machines.nodes.iter().enumerate() {
            let mut clients = Clients::of(number);
            soon(&format!("the total {} of node {number}", world[3]), async {
                while metrics(node, "", &clients.next()).await != world {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            })
            .await;
            for (query, expected) in &queries {
                let counted = metrics(node, query, &clients.next()).await;
                self.require(counted == *expected, || {
                    format!("node {number} counts {counted:?} for {query}, not {expected:?}")
                });
            }
        }
        for path in [
            "/api/v1/metrics",
            "/api/v1/reports?limit=100",
            "/api/v1/reports?country=Norway&limit=100",
        ] {
            let mut answers = BTreeSet::new();
            for (number, node) in machines.nodes.iter().enumerate() {
                let answer = node.get(path, &format!("10.3.0.{number}")).await;
                answers.insert((answer.status, answer.text()));
            }
            self.require(answers.len() == 1, || format!("nodes differ on {path}: {answers:?}"));
        }
    }

    /// Checks that the list, files, the feed, and the operator's list have the approved reports, each once.
    async fn lists(&mut self, machines: &Machines, operator: &str, rows: &[Row]) {
        let approved = rows.iter().filter(|row| row.status == "APPROVED");
        let mut expected: Vec<String> = approved.map(|row| row.id.clone()).collect();
        expected.sort_unstable();
        let [first, second, third] = machines.nodes.as_slice() else { unreachable!() };
        let listed = listed(first).await;
        let feed = second.get("/feeds/reports.json", "10.5.1.1").await.json();
        let feed: Vec<String> =
            feed["items"].as_array().unwrap().iter().map(|item| id(&item["_report"])).collect();
        self.require(feed == listed[..feed.len()] && feed.len() == 50.min(listed.len()), || {
            format!("the feed has {feed:?}, the list {:?}", &listed[..feed.len()])
        });
        let lines = third.get("/api/v1/reports.ndjson", "10.5.1.2").await.text();
        let lines = lines.lines().map(|line| id(&serde_json::from_str(line).unwrap())).collect();
        let csv = second.get("/api/v1/reports.csv", "10.5.1.3").await.text();
        let mut csv = csv.trim_start_matches('\u{feff}').lines();
        let column = csv.next().unwrap().split(',').position(|name| name == "id").unwrap();
        let csv = csv.map(|line| line.split(',').nth(column).unwrap().to_owned()).collect();
        let operators = listed_for_operators(third, operator).await;
        for (name, mut ids) in
            [("list", listed), ("NDJSON", lines), ("CSV", csv), ("operators' list", operators)]
        {
            ids.sort_unstable();
            self.require_same(&format!("reports of the {name}"), &ids, &expected);
        }
    }

    /// Checks that sorted ids are the expected ones, each once.
    fn require_same(&mut self, what: &str, ids: &[String], expected: &[String]) {
        self.require(ids == expected, || {
            let (all, there): (BTreeSet<_>, BTreeSet<_>) =
                (expected.iter().collect(), ids.iter().collect());
            let (lost, unknown) = (all.difference(&there), there.difference(&all));
            let (there, all) = (ids.len(), expected.len());
            format!("{there} {what} of {all}: lost {:?}, unknown {:?}", list(lost), list(unknown))
        });
    }

    /// Checks that all streams receive the final state.
    async fn streams_end(&mut self, machines: &Machines, crowd: &Crowd) {
        let node = &machines.nodes[0];
        let total = node.get("/api/v1/metrics", "10.5.2.1").await.json()["total"].to_string();
        let newest = id(&node.get("/api/v1/reports", "10.5.2.1").await.json()["reports"][0]);
        let last = BTreeSet::from([Latest { total, newest }]);
        let reached = tokio::time::timeout(Duration::from_secs(30), async {
            while crowd.latest() != last {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        });
        let reached = reached.await.is_ok();
        self.require(reached, || format!("streams have {:?}, not {last:?}", crowd.latest()));
    }

    /// Checks that the log has each event once.
    fn events(&mut self, events: &[EventRow], rows: &[Row], written: &Written, edited: &Edited) {
        let of = |name: &str| {
            let named = events.iter().filter(|event| event.name == name);
            let mut reports: Vec<String> =
                named.map(|event| event.report.clone().unwrap_or_default()).collect();
            reports.sort_unstable();
            reports
        };
        let published = rows.iter().filter(|row| !row.id.starts_with("h-"));
        let mut published: Vec<String> = published.map(|row| row.id.clone()).collect();
        let [mut corrected, mut withdrawn] = [edited.corrected.clone(), edited.withdrawn.clone()];
        let metrics = vec![String::new(); published.len()];
        for ids in [&mut published, &mut corrected, &mut withdrawn] {
            ids.sort_unstable();
        }
        for (name, expected) in [
            ("report.created", published),
            ("report.updated", corrected),
            ("report.withdrawn", withdrawn),
            ("metrics.updated", metrics),
        ] {
            self.require_same(&format!("events {name}"), &of(name), &expected);
        }
        let announced = announced(events);
        self.require(announced == written.history, || {
            format!("{announced} imported reports were announced, {} imported", written.history)
        });
    }
}

/// Number of reports in the announcements of history.
fn announced(events: &[EventRow]) -> usize {
    let announced: i64 = events
        .iter()
        .filter(|event| event.name == "reports.imported")
        .filter_map(|event| event.reports)
        .sum();
    announced.try_into().unwrap()
}

async fn metrics(node: &Node, query: &str, client: &str) -> rows::Counted {
    let path = format!("/api/v1/metrics?{}", query.replace(' ', "%20"));
    let answer = node.get(&path, client).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    rows::counted(&serde_json::from_slice(&answer.body).unwrap())
}

/// Ids of the public list, page by page.
async fn listed(node: &Node) -> Vec<String> {
    let (mut path, mut ids, mut clients) =
        ("/api/v1/reports?limit=100".to_owned(), Vec::new(), Clients::of(9));
    loop {
        let page = node.get(&path, &clients.next()).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text());
        ids.extend(page.json()["reports"].as_array().unwrap().iter().map(id));
        let next = page.header("link").split(", ").find(|link| link.ends_with("rel=\"next\""));
        let Some(next) = next else { return ids };
        let next = next.trim_start_matches('<').split('>').next().unwrap();
        path = format!("/api/v1/{next}");
    }
}

/// Ids of approved reports in the operators' list, page by page.
async fn listed_for_operators(node: &Node, key: &str) -> Vec<String> {
    let (mut after, mut ids) = (String::new(), Vec::new());
    loop {
        let path = format!("/operator/v1/reports?status=APPROVED&limit=100{after}");
        let request = http().get(format!("http://{}{path}", node.address)).bearer_auth(key);
        let page: Value =
            serde_json::from_str(&request.send().await.unwrap().text().await.unwrap()).unwrap();
        ids.extend(page["items"].as_array().unwrap().iter().map(id));
        if page["more"] != true {
            return ids;
        }
        after = format!("&after={}", page["next"].as_str().unwrap());
    }
}

fn id(report: &Value) -> String {
    report["id"].as_str().unwrap().to_owned()
}

/// Addresses, so that each request comes from another client.
struct Clients {
    third: usize,
    requests: usize,
}

impl Clients {
    fn of(third: usize) -> Self {
        Self { third, requests: 0 }
    }

    fn next(&mut self) -> String {
        self.requests += 1;
        format!("10.{}.{}.{}", 100 + self.third, self.requests / 250, 1 + self.requests % 250)
    }
}

/// The first few, for messages.
fn list<T>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.take(8).collect()
}
