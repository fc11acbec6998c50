//! A source that changes: while it is copied, and between two copies.

use domain::report::NewReport;
use store::{Corrected, Missing};

use super::{copied, copy, dump, filled, import, interrupted::Waiting};
use crate::harness::Svc;

#[tokio::test]
async fn a_copy_is_of_one_moment_and_says_if_the_source_has_changed_since() {
    const CHANGED: &str = "The source has changed meanwhile: stop the service that uses it, and run this again \
                           before you start one on the copy.";
    let source = filled().await;
    for change in [&["reports", "reject", "r43"][..], &["keys", "create", "--partner", "New"]] {
        let target = Svc::with_server();
        let before = dump(&source.database_url()).await;
        let waiting = Waiting::start(&source, &target).await;
        source.out(change);
        let ran = waiting.end().await;
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert_eq!(ran.out.lines().last(), Some(CHANGED));
        assert_eq!(dump(&target.database_url()).await, before);
        let ran = copy(&source, &target);
        assert_ne!(ran.out.lines().last(), Some(CHANGED));
        assert_eq!(dump(&target.database_url()).await, dump(&source.database_url()).await);
    }
}

#[tokio::test]
async fn changes_that_the_public_does_not_see_are_noticed_too() {
    let source = filled().await;
    let store = source.open(Missing::Refuse).await;
    for is_corrected in [true, false] {
        let target = Svc::with_server();
        let waiting = Waiting::start(&source, &target).await;
        if is_corrected {
            let more = |before: &NewReport| {
                Ok::<_, ()>(NewReport { people_count: 1_000, ..before.clone() })
            };
            // It is pending.
            assert_eq!(store.correct("r43", more).await.unwrap(), Corrected::Now);
        }
        let ran = waiting.end().await;
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let has_changed = ran.out.contains("The source has changed meanwhile");
        assert_eq!(has_changed, is_corrected, "{}", ran.out);
    }
}

#[tokio::test]
async fn the_next_copy_follows_what_was_inserted_changed_and_removed() {
    let source = filled().await;
    let (server, file) = (Svc::with_server(), Svc::with_file());
    copied(&source, &server);
    copied(&source, &file);
    import(&source, 60..70, &["--approve"]);
    source.out(&["reports", "withdraw", "r3", "r4"]);
    source.out(&["keys", "create", "--partner", "New"]);
    source.out(&["webhooks", "enable", &super::id(2)]);
    source
        .change(
            "DELETE FROM attempts; DELETE FROM deliveries; DELETE FROM events WHERE seq < 5;
             UPDATE event_log SET pruned_up_to = 4; DELETE FROM idempotency_keys WHERE key = 'a key';
             DELETE FROM subscriptions WHERE seq = 3",
        )
        .await;
    let expected = dump(&source.database_url()).await;
    for target in [&server, &file] {
        let totals = copied(&source, target);
        let table = |name: &str| {
            totals["tables"]
                .as_array()
                .unwrap()
                .iter()
                .find(|table| table["table"] == name)
                .unwrap()
        };
        assert_eq!(table("reports")["removed"], 0);
        assert_eq!(table("events")["removed"], 4);
        assert_eq!(table("subscriptions")["removed"], 1);
        assert_eq!(table("idempotency_keys")["written"], 0);
        let copy = dump(&target.database_url()).await;
        for (table, rows) in &expected {
            assert_eq!(&copy[table], rows, "{table}");
        }
    }
}

/// As after a restore of an earlier backup, which goes on with the same numbers.
#[tokio::test]
async fn values_that_no_two_rows_share_may_change_places() {
    let source = filled().await;
    let (server, file) = (Svc::with_server(), Svc::with_file());
    copied(&source, &server);
    copied(&source, &file);
    source
        .change(
            "UPDATE partners SET name = 'x' WHERE id = 1; UPDATE partners SET name = 'Acme' WHERE id = 2;
             UPDATE partners SET name = 'Aid' WHERE id = 1;
             UPDATE keys SET prefix = 'x' WHERE id = 1; UPDATE keys SET prefix = 'y' WHERE id = 2;
             UPDATE subscriptions SET id = 'x' WHERE seq = 1;
             UPDATE subscriptions SET id = 'sub_0000000000000000000001' WHERE seq = 2;
             UPDATE reports SET id = 'x' WHERE seq = 3; UPDATE reports SET id = 'r2' WHERE seq = 1000;
             UPDATE events SET id = 'x' WHERE seq = 1;
             UPDATE events SET id = (SELECT id FROM events WHERE seq = 3) || 'y' WHERE seq = 2;
             UPDATE reports SET position = NULL WHERE seq = 5;
             DELETE FROM reports WHERE seq = 700; UPDATE reports SET seq = 700 WHERE seq = 5",
        )
        .await;
    let expected = dump(&source.database_url()).await;
    for target in [&server, &file] {
        // Such a source does not agree with its reports, which is found after the copy.
        assert_eq!(copy(&source, target).code, Some(1));
        let copy = dump(&target.database_url()).await;
        for (table, rows) in &expected {
            assert_eq!(&copy[table], rows, "{table}");
        }
    }
}
