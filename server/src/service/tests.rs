use std::time::Duration;

use base::{
    clock::Clock,
    random::Random,
    time::{parse_date, parse_instant},
};
use domain::{report::NewReport, tier::Tier};
use model::ReportType;
use sqlx::Connection;
use store::{KeySettings, Missing, Mode, NewKey, Store, open_url};
use tempfile::TempDir;

use super::Service;
use crate::{
    api::v1::stream::TICK,
    config,
    keys::ApiKey,
    responses::snapshot::{MAX_AGE, POLL_INTERVAL},
};

struct Running {
    service: Service,
    clock: Clock,
    http: reqwest::Client,
    folder: TempDir,
}

impl Running {
    async fn new() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::stepped(parse_instant("2026-03-01T12:00:00.000Z").unwrap());
        let store = open_url(&url(&folder), Missing::Create).await.unwrap();
        let settings = config::Serve::default();
        let random = Random::seeded(1);
        let service = Service::start(settings, store, clock.clone(), random).await.unwrap();
        Self { service, clock, http: reqwest::Client::new(), folder }
    }

    /// Opens the database again, like another process.
    async fn elsewhere(&self) -> Store {
        let store = open_url(&url(&self.folder), Missing::Refuse).await.unwrap();
        store.with_clock(self.clock.clone())
    }

    /// Returns status and body of a response on the operator's side.
    async fn ops(&self, path: &str) -> (u16, String) {
        let url = format!("http://{}{path}", self.service.ops_addr.unwrap());
        let response = self.http.get(url).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// Returns the value of a metric.
    async fn number(&self, name: &str) -> f64 {
        let numbers = self.ops("/metrics").await.1;
        let mut lines = numbers.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(named, _)| *named == name).unwrap().1.parse().unwrap()
    }

    /// Changes the database as another tool would.
    async fn tamper(&self, sql: &'static str) {
        let mut connection = self.connection().await;
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }

    async fn connection(&self) -> sqlx::SqliteConnection {
        sqlx::SqliteConnection::connect(&url(&self.folder)).await.unwrap()
    }

    /// Advances the clock until `/health` returns this status and text.
    async fn health_becomes(&self, status: u16, text: &str) {
        let wanted = (status, text.to_owned());
        soon(text, async {
            while self.ops("/health").await != wanted {
                self.clock.advance(POLL_INTERVAL);
            }
        })
        .await;
    }
}

fn url(folder: &TempDir) -> String {
    format!("sqlite://{}", folder.path().join("svc.db").display())
}

fn report() -> NewReport {
    NewReport {
        id: domain::report_id::ReportId::stored("a".to_owned()),
        kind: ReportType::Spirit,
        city: "Campinas".to_owned(),
        region: String::new(),
        country: "Brazil".to_owned(),
        people_count: 1,
        event_date: parse_date("2026-03-01").unwrap(),
        created_at: parse_instant("2026-03-01T10:00:00.000Z").unwrap(),
        event_date_given: true,
        created_at_given: true,
        position: None,
    }
}

async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    // Longer than a writer waits for its turn.
    match tokio::time::timeout(Duration::from_secs(120), future).await {
        Ok(value) => value,
        Err(_) => panic!("{what} did not come"),
    }
}

#[tokio::test]
async fn slow_reads_of_requests_hold_up_neither_the_data_nor_streams_nor_new_keys() {
    let running = Running::new().await;
    let app = &running.service.app;
    let path = |path: &str| format!("http://{}{path}", running.service.addr);
    let mut stream = running.http.get(path("/api/v1/stream")).send().await.unwrap();
    let occupied = app.store.occupy().await.unwrap();

    let mut changes = app.snapshots.changes();
    let elsewhere = running.elsewhere().await;
    elsewhere.reports().import(&[report()], Mode::Approve).await.unwrap();
    let key = ApiKey::generate(&Random::system());
    let new = NewKey {
        prefix: key.prefix().to_owned(),
        hash: key.hash(),
        tier: Tier::Partner,
        scope: None,
        expires_at: None,
        settings: KeySettings::default(),
    };
    assert!(elsewhere.keys().create("Aid", &new).await.unwrap().is_some());
    running.clock.advance(POLL_INTERVAL);
    soon("the new snapshot", changes.changed()).await.unwrap();
    running.clock.advance(TICK);
    let mut sent = String::new();
    soon("a tick with the report", async {
        while !sent.contains("\"total\":1,") {
            sent.push_str(std::str::from_utf8(&stream.chunk().await.unwrap().unwrap()).unwrap());
        }
    })
    .await;
    assert!(!sent.contains("event: error"), "{sent}");
    let request = running.http.get(path("/api/v1/metrics")).bearer_auth(key.as_str());
    let answer = soon("an answer", request.send()).await.unwrap();
    let policy = answer.headers()["ratelimit-policy"].to_str().unwrap();
    assert_eq!((answer.status().as_u16(), policy), (200, "\"partner\";q=1000;w=60"));
    assert_eq!(soon("the health", running.ops("/health")).await, (200, "ok\n".to_owned()));
    drop(occupied);
}

#[tokio::test]
async fn a_look_that_takes_too_long_is_told_by_the_health_and_the_age() {
    let running = Running::new().await;
    let age = async || running.number("svc_snapshot_age_seconds").await;
    assert_eq!(running.ops("/health").await, (200, "ok\n".to_owned()));
    assert_eq!(age().await, 0.0);
    let occupied = running.service.app.store.background().occupy().await.unwrap();
    running.clock.advance(MAX_AGE);
    assert_eq!(running.ops("/health").await, (200, "ok\n".to_owned()));
    running.clock.advance(Duration::from_millis(1_500));
    let late = "the data was last confirmed to be current 6 seconds ago\n";
    assert_eq!(running.ops("/health").await, (503, late.to_owned()));
    assert_eq!(running.ops("/readyz").await, (200, "ok\n".to_owned()));
    assert_eq!(running.ops("/healthz").await, (200, "ok\n".to_owned()));
    drop(occupied);
    soon("a look that succeeds", async {
        while running.ops("/health").await.0 != 200 {
            running.clock.advance(POLL_INTERVAL);
        }
    })
    .await;
}

#[tokio::test]
async fn the_numbers_say_how_far_the_clock_is_behind_the_last_publication() {
    let running = Running::new().await;
    assert_eq!(running.number("svc_clock_behind_seconds").await, 0.0);
    let ahead = Clock::stepped(running.clock.now() + Duration::from_secs(86_400));
    let elsewhere = running.elsewhere().await.with_clock(ahead.clone());
    elsewhere.reports().import(&[report()], Mode::Approve).await.unwrap();
    soon("a look", async {
        while running.number("svc_clock_behind_seconds").await == 0.0 {
            running.clock.advance(POLL_INTERVAL);
        }
    })
    .await;
    let behind = (ahead.now() - running.clock.now()).as_seconds_f64();
    assert_eq!(running.number("svc_clock_behind_seconds").await, behind);
    // The data is intact.
    assert_eq!(running.ops("/health").await, (200, "ok\n".to_owned()));
    running.clock.advance(Duration::from_secs(86_400));
    assert_eq!(running.number("svc_clock_behind_seconds").await, 0.0);
    elsewhere.close().await;
}

#[tokio::test]
async fn a_service_that_can_read_but_not_write_says_so_in_its_health() {
    let running = Running::new().await;
    running.health_becomes(200, "ok\n").await;
    running
        .tamper(
            "CREATE TRIGGER refuse BEFORE UPDATE ON keys_version
             BEGIN SELECT RAISE(ABORT, 'not today'); END",
        )
        .await;
    let problem = format!(
        "the data can be read, but not written: the database {} returned an unexpected error: not today\n",
        running.folder.path().join("svc.db").display()
    );
    running.health_becomes(503, &problem).await;
    running.tamper("DROP TRIGGER refuse").await;
    running.health_becomes(200, "ok\n").await;
}

#[tokio::test]
async fn a_service_of_which_a_worker_failed_says_so_and_can_be_stopped() {
    let Running { mut service, folder: _folder, .. } = Running::new().await;
    service.work("thinker", |_| async { panic!("out of ideas") });
    let failed = soon("the failure", service.failed()).await;
    assert_eq!((failed.worker, &*failed.reason), ("thinker", "it panicked: out of ideas"));
    soon("the stop", service.stop()).await;
}
