use std::time::{Duration, Instant};

use crate::{
    faults::{ids, pending, serve},
    harness::{Held, Svc},
};

const LOCKED: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_another_process_locks_the_database_for_half_a_minute_readers_are_served_and_decisions_wait()
 {
    let svc = Svc::migrated();
    assert_eq!(svc.import(pending(30), &[]).code, Some(0));
    let scene = serve(&svc).await;
    assert_eq!(scene.approve(&ids(0..10)).await.status, 200);
    scene.shows(10).await;

    let locked = Held::hold(&svc.database_url()).await;
    let mut command = svc.command(&["reports", "approve", "r10", "r11", "--json"]).spawn().unwrap();
    let begun = Instant::now();
    let (batch, release) = (ids(12..30), async {
        while begun.elapsed() < LOCKED {
            assert_eq!(scene.total().await, 10);
            for path in ["/api/v1/reports", "/readyz"] {
                assert_eq!(scene.get(path).await.status, 200, "{path}");
            }
            assert_eq!(svc.run(&["reports", "list", "--status", "PENDING"]).code, Some(0));
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        locked.commit().await;
    });
    let (decided, ()) = tokio::join!(scene.approve(&batch), release);
    assert_eq!(decided.status, 200, "{}", decided.text());
    assert_eq!(decided.json()["changed"], 18);
    assert!(begun.elapsed() >= LOCKED, "the decision did not wait");
    assert!(command.wait().unwrap().success());
    scene.shows(30).await;
    scene.tells(30).await;
    svc.out(&["db", "check"]);
}
