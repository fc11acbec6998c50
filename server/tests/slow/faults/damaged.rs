use std::{fs::File, io::Write};

use super::{ids, logged, pending, serve};
use crate::harness::{Svc, http};

const PAGE: usize = 4_096;

/// Overwrites every page that contains this text, as a failing disk does.
fn damage(svc: &Svc, text: &str) {
    let file = svc.path("data/svc.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let mut hits = 0;
    for page in bytes.chunks_mut(PAGE) {
        if page.windows(text.len()).any(|window| window == text.as_bytes()) {
            page.fill(0xff);
            hits += 1;
        }
    }
    assert!(hits > 0);
    let mut whole = File::create(&file).unwrap();
    whole.write_all(&bytes).unwrap();
}

#[tokio::test]
async fn a_damaged_page_is_said_and_the_rest_is_served_until_a_backup_is_restored() {
    let svc = Svc::with_migrated_file();
    assert_eq!(svc.import(pending(5_000), &[]).code, Some(0));
    svc.out(&["reports", "approve", "r0", "r1"]);
    svc.out(&["db", "backup", "copy.db"]);
    damage(&svc, "r4321");

    let mut scene = serve(&svc).await;
    scene.shows(2).await;
    let refused = scene.approve(&ids(4_321..4_322)).await;
    assert_eq!(refused.status, 503, "{}", refused.text());
    let said = "is damaged: stop the service and run `svc db restore FILE` with a backup; the damaged \
                file is kept";
    assert!(logged(&svc).contains(said), "{}", logged(&svc));
    let health = scene.ask(http().get(format!("{}/health", scene.served.ops))).await;
    assert_eq!((health.status, health.text().contains(said)), (503, true), "{}", health.text());
    for path in ["/api/v1/metrics", "/api/v1/reports", "/embed/globe"] {
        assert_eq!(scene.get(path).await.status, 200, "{path}");
    }
    let checked = svc.run(&["db", "check"]);
    assert_ne!(checked.code, Some(0), "{}", checked.out);
    let said = format!("{}{}", checked.out, checked.err);
    assert!(said.contains("svc db restore FILE"), "{said}");

    scene.served.stop();
    svc.out(&["db", "restore", "copy.db"]);
    let scene = serve(&svc).await;
    scene.shows(2).await;
    assert_eq!(scene.approve(&ids(4_321..4_322)).await.json()["changed"], 1);
    scene.shows(3).await;
    svc.out(&["db", "check"]);
}
