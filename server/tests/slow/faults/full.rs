use super::{Scene, ids, mounted::Mounted, pending};
use crate::harness::{Answer, http, soon};

const REPORTS: usize = 2_000;
const AT_ONCE: usize = 20;

async fn ops(scene: &Scene, path: &str) -> Answer {
    scene.ask(http().get(format!("{}{path}", scene.served.ops))).await
}

#[tokio::test]
async fn a_disk_that_fills_up_while_reports_are_approved_loses_none_and_counts_none_twice() {
    let Some(mounted) = Mounted::start("32m", &pending(REPORTS)).await else { return };
    let scene = &mounted.scene;
    let batches: Vec<Vec<String>> =
        (0..REPORTS / AT_ONCE).map(|batch| ids(batch * AT_ONCE..(batch + 1) * AT_ONCE)).collect();
    mounted.fill_up_to(256);

    let mut approved = 0;
    let refused = loop {
        let answer = scene.approve(&batches[approved]).await;
        if answer.status != 200 {
            break answer;
        }
        assert_eq!(answer.json()["changed"], AT_ONCE);
        approved += 1;
    };
    assert_eq!((refused.status, refused.header("retry-after")), (503, "5"), "{}", refused.text());
    assert!((1..batches.len()).contains(&approved), "{approved}");
    assert_eq!(
        refused.json()["detail"],
        "Changes cannot be saved at the moment. Try again in a few seconds."
    );
    // Health and metrics show the fault at once.
    let health = ops(scene, "/health").await;
    assert_eq!(health.status, 503);
    let text = health.text();
    assert!(text.starts_with("the data can be read, but not written: the database /"), "{text}");
    assert!(text.contains("its disk is full"), "{text}");
    let numbers = ops(scene, "/metrics").await.text();
    assert!(numbers.contains("\nsvc_database_unwritable 1\n"), "{numbers}");
    let of_decisions = "svc_http_request_duration_seconds_count{side=\"operator\",\
                        route=\"/operator/v1/reports/approve\",status=\"5xx\"} 1\n";
    assert!(numbers.contains(of_decisions), "{numbers}");
    // Confirmed approvals are visible, and no others.
    let shown = u64::try_from(approved * AT_ONCE).unwrap();
    scene.shows(shown).await;
    for path in ["/api/v1/reports", "/embed/metrics", "/readyz"] {
        assert_eq!(scene.get(path).await.status, 200, "{path}");
    }
    let said = "the database cannot grow because its disk is full: free some space. What was written \
                before is safe";
    assert!(mounted.logged().contains(said), "{}", mounted.logged());

    assert_eq!(mounted.run("rm disk/filler").code, Some(0));
    for batch in &batches[approved..] {
        let answer = scene.approve(batch).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json()["changed"], AT_ONCE);
    }
    soon("the health", async {
        while ops(scene, "/health").await.status != 200 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let numbers = ops(scene, "/metrics").await.text();
    assert!(numbers.contains("\nsvc_database_unwritable 0\n"), "{numbers}");
    scene.shows(u64::try_from(REPORTS).unwrap()).await;
    scene.tells(REPORTS).await;
    let checked = mounted.run("$SVC db check");
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
}

#[tokio::test]
async fn a_few_megabytes_are_enough_for_a_disk_that_was_full() {
    let Some(mounted) = Mounted::start("48m", &pending(REPORTS)).await else { return };
    let scene = &mounted.scene;
    let batches: Vec<Vec<String>> =
        (0..REPORTS / AT_ONCE).map(|batch| ids(batch * AT_ONCE..(batch + 1) * AT_ONCE)).collect();
    mounted.fill_up_to(4 << 10);
    let mut approved = 0;
    while scene.approve(&batches[approved]).await.status == 200 {
        approved += 1;
    }
    assert_eq!(mounted.run("truncate -s -3M disk/filler").code, Some(0));
    for batch in &batches[approved..] {
        let answer = scene.approve(batch).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    scene.shows(u64::try_from(REPORTS).unwrap()).await;
    let checked = mounted.run("$SVC db check");
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
}
