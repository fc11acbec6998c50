//! Changes to the source during a copy.

use domain::report::NewReport;
use store::{Corrected, Missing};

use super::{copy, dump, filled, interrupted::Waiting};
use crate::harness::Svc;

#[tokio::test]
async fn a_copy_is_of_one_moment_and_says_if_the_source_has_changed_since() {
    const CHANGED: &str = "The source has changed since the copy began: stop every service that uses it, and copy it \
        to another empty database.";
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
        let target = Svc::with_file();
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
            // The report is pending, so the public sees no change.
            assert_eq!(store.reports().correct("r43", more).await.unwrap(), Corrected::Now);
        }
        let ran = waiting.end().await;
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let has_changed = ran.out.contains("The source has changed");
        assert_eq!(has_changed, is_corrected, "{}", ran.out);
    }
}
