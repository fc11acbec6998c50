use std::{process::Command, time::Duration};

use super::{ids, logged, pending, serve};
use crate::harness::Svc;

/// Time after which a service writes nothing more, if nothing happens.
const AT_REST: Duration = Duration::from_secs(4);

/// Makes the database files unwritable, even for processes that have them open, or writable again. A file system that
/// becomes read-only after an error does the same. Returns false without administrator rights.
fn set_writable(svc: &Svc, writable: bool) -> bool {
    let mut chattr = Command::new("chattr");
    chattr.arg(if writable { "-i" } else { "+i" });
    for name in svc.files("data") {
        chattr.arg(svc.path("data").join(name));
    }
    chattr.output().is_ok_and(|ran| ran.status.success())
}

#[tokio::test]
async fn a_file_system_that_becomes_read_only_refuses_decisions_and_serves_on_until_it_is_mended() {
    let svc = Svc::with_migrated_file();
    assert_eq!(svc.import(pending(20), &[]).code, Some(0));
    let scene = serve(&svc).await;
    assert_eq!(scene.approve(&ids(0..10)).await.status, 200);
    scene.shows(10).await;
    scene.tells(10).await;
    // SQLite's processes share memory through a file. After a commit, the next reader writes to it, and if it cannot, the
    // system ends the process (SIGBUS). So this waits until the uses of keys and the lease are written.
    tokio::time::sleep(AT_REST).await;
    if !set_writable(&svc, false) {
        set_writable(&svc, true);
        eprintln!("not tried: this system lets no test make open files unwritable");
        return;
    }
    let refused = scene.approve(&ids(10..20)).await;
    let served = (scene.get("/api/v1/reports").await.status, scene.total().await);
    let list = svc.run(&["reports", "approve", "r10"]);
    assert!(set_writable(&svc, true));
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert_eq!(served, (200, 10));
    assert_eq!(list.code, Some(1));
    let said = "cannot be used: let the user that svc runs as read and write it and its folder\n";
    assert!(list.err.ends_with(said), "{}", list.err);
    let said =
        "the system reported an I/O error (SQLite code 778). Check the disk and the system's log";
    assert!(logged(&svc).contains(said), "{}", logged(&svc));
    let mended = scene.approve(&ids(10..20)).await;
    assert_eq!(mended.json()["changed"], 10, "{}, {}", mended.text(), logged(&svc));
    scene.shows(20).await;
    scene.tells(20).await;
    svc.out(&["db", "check"]);
}
