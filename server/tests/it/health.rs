//! Health checks for supervisors, load balancers and operators.

use model::ReportType::Spirit;

use svc::{config::Serve, ops::writing::TRY_EVERY};

use crate::harness::{Answer, Running, START, reached_at, report, settings, soon};

const DOCS: &str = include_str!("../../../docs/operate/monitor.md");
const PATHS: [&str; 3] = ["/healthz", "/readyz", "/health"];

/// Status and text of each of [`PATHS`] on the operator listener, and of the first two on the public one.
async fn states(running: &Running) -> [(u16, String); 5] {
    let mut states = Vec::new();
    for path in PATHS {
        states.push(state(&ops(running, path).await));
    }
    for path in &PATHS[..2] {
        states.push(state(&running.get(path).await));
    }
    states.try_into().unwrap()
}

async fn ops(running: &Running, path: &str) -> Answer {
    let url = format!("http://{}{path}", running.service.ops_addr.unwrap());
    Answer::of(running.http.get(url).send().await.unwrap()).await
}

fn state(answer: &Answer) -> (u16, String) {
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    (answer.status, answer.text())
}

fn expected(states: [(u16, &str); 5]) -> [(u16, String); 5] {
    states.map(|(status, text)| (status, format!("{text}\n")))
}

const HEALTHY: (u16, &str) = (200, "ok");

#[tokio::test]
async fn a_service_that_is_well_says_ok_everywhere() {
    let running = Running::new().await;
    assert_eq!(states(&running).await, expected([HEALTHY; 5]));
}

#[tokio::test]
async fn who_cannot_read_is_ready_all_the_same_because_no_other_node_can_and_what_is_known_is_served()
 {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    running.database.tamper("ALTER TABLE data_version RENAME TO elsewhere").await;
    running.service.app.snapshots.refresh().await;
    let why = (503, "the data cannot be read");
    assert_eq!(states(&running).await, expected([HEALTHY, HEALTHY, why, HEALTHY, HEALTHY]));
    assert_eq!(running.json("/api/v1/metrics").await["total"], 1);
    running.database.tamper("ALTER TABLE elsewhere RENAME TO data_version").await;
    running.service.app.snapshots.refresh().await;
    assert_eq!(states(&running).await, expected([HEALTHY; 5]));
}

#[tokio::test]
async fn who_can_read_but_not_write_is_ready() {
    let running = Running::new().await;
    running.database.refuse("UPDATE ON keys_version").await;
    soon("a failed try to write", async {
        while ops(&running, "/health").await.status == 200 {
            running.clock.advance(TRY_EVERY);
            running.service.app.snapshots.refresh().await;
        }
    })
    .await;
    let [alive, ready, well, alive_there, ready_there] = states(&running).await;
    assert_eq!(
        [alive, ready, alive_there, ready_there],
        [(); 4].map(|()| (200, "ok\n".to_owned()))
    );
    assert!(well.1.starts_with("the data can be read, but not written: "), "{well:?}");
}

#[tokio::test]
async fn who_drains_is_not_ready_but_lives_and_answers() {
    let running = Running::with(serve_with_delay(), START).await;
    let draining = running.service.app.draining.clone();
    let drained = tokio::spawn(async move { draining.drain().await });
    soon("the drain", running.service.app.draining.begun()).await;
    let why = (503, "the node is draining: it is about to stop");
    assert_eq!(
        states(&running).await,
        expected([HEALTHY, why, HEALTHY, HEALTHY, (503, "not ready")])
    );
    let answer = running.get("/api/v1/metrics").await;
    assert_eq!((answer.status, answer.header("connection")), (200, "close"));
    drained.abort();
}

fn serve_with_delay() -> Serve {
    let mut serve = settings();
    serve.draining.drain_delay = 60;
    serve
}

#[tokio::test]
async fn a_load_balancer_may_ask_as_often_as_it_likes_and_below_a_path_too() {
    let running = Running::with(reached_at("https://example.org/counters"), START).await;
    let from = [("x-forwarded-for", "192.0.2.1")];
    for path in ["/readyz", "/counters/readyz", "/healthz", "/counters/healthz"] {
        for _ in 0..70 {
            let answer = running.get_with(path, &from).await;
            assert_eq!(
                (state(&answer), answer.header("ratelimit")),
                ((200, "ok\n".to_owned()), "")
            );
        }
    }
    let metrics = running.get_with("/api/v1/metrics", &from).await;
    assert_eq!(metrics.header("ratelimit"), "\"public\";r=59;t=60");
}

#[tokio::test]
async fn what_only_the_operator_may_know_is_not_on_the_public_side() {
    let running = Running::new().await;
    assert_eq!(running.get("/health").await.status, 404);
    assert_eq!(running.get("/metrics").await.status, 404);
}

#[test]
fn all_of_it_is_documented() {
    for path in PATHS {
        assert!(DOCS.contains(&format!("| `{path}` |")), "{path}");
    }
}
