//! `svc webhooks replay`: which events are sent again, and what the operator is told.

use std::future::ready;

use domain::{cursor::Cursor, event::EventName::ReportCreated};
use serde_json::json;
use store::{NextStep, Store};

use crate::{
    cli::webhooks::{ACTIVE, OTHER, publish, subscribe, with_partner},
    harness::{START, Svc, instant},
    leasing::deliver,
};

/// Two events that were delivered and one that has failed for good, all at the same time, and a
/// subscription that was only made later.
async fn with_past() -> (Svc, Store) {
    let (svc, store) = with_partner().await;
    subscribe(&store, ACTIVE, "https://example.com/", &[ReportCreated]).await;
    for id in ["r-1", "r-2", "r-3"] {
        publish(&store, id).await;
    }
    deliver(&store, 1, Ok(204), NextStep::Delivered).await;
    deliver(&store, 1, Ok(500), NextStep::Failed { failures: 10 }).await;
    deliver(&store, 1, Ok(204), NextStep::Delivered).await;
    subscribe(&store, OTHER, "https://example.com/", &[ReportCreated]).await;
    (svc, store)
}

fn replay(svc: &Svc, flags: &[&str]) -> String {
    svc.out(&[&["webhooks", "replay", ACTIVE], flags].concat())
}

/// How many events a running service would still send to each subscription, the newest first.
fn pending(svc: &Svc) -> Vec<i64> {
    let listed = svc.json(&["webhooks", "list", "--json"]);
    let listed = listed["subscriptions"].as_array().unwrap();
    listed.iter().map(|listed| listed["pending"].as_i64().unwrap()).collect()
}

fn cursor(event: i64) -> String {
    Cursor::after(event).unwrap().to_string()
}

#[tokio::test]
async fn everything_from_a_time_or_after_a_cursor_is_sent_again() {
    let (svc, store) = with_past().await;
    assert_eq!(pending(&svc), [0, 0]);
    assert_eq!(
        replay(&svc, &["--from", START]),
        format!("3 events will be sent to {ACTIVE} again by the running service.\n")
    );
    assert_eq!(pending(&svc), [0, 3]);
    // Of each report there are two events, one of which the subscription does not list.
    assert_eq!(
        svc.json(&["webhooks", "replay", OTHER, "--from", &cursor(4), "--json"]),
        json!({ "subscription": OTHER, "events": 1 })
    );
    assert_eq!(pending(&svc), [1, 3]);
    store.close().await;
}

#[tokio::test]
async fn only_what_has_failed_is_sent_again_with_failed() {
    let (svc, store) = with_past().await;
    let nothing = format!("There is nothing to send to {ACTIVE} again.\n");
    assert_eq!(replay(&svc, &["--failed", "--from", &cursor(4)]), nothing);
    assert_eq!(pending(&svc), [0, 0]);
    assert_eq!(
        replay(&svc, &["--failed", "--from", "2026-03-01T12:00:00Z"]),
        format!("1 event will be sent to {ACTIVE} again by the running service.\n")
    );
    assert_eq!(pending(&svc), [0, 1]);
    assert_eq!(replay(&svc, &["--failed"]), nothing);
    let shown = svc.json(&["webhooks", "replay", ACTIVE, "--failed", "--json"]);
    assert_eq!(shown, json!({ "subscription": ACTIVE, "events": 0 }));
    store.close().await;
}

#[tokio::test]
async fn a_replay_ends_at_a_time_or_with_the_event_of_a_cursor() {
    let (svc, store) = with_past().await;
    let nothing = format!("There is nothing to send to {ACTIVE} again.\n");
    for flags in [
        &["--from", START, "--to", START][..],
        &["--from", &cursor(4), "--to", &cursor(4)],
        &["--failed", "--to", &cursor(2)],
    ] {
        assert_eq!(replay(&svc, flags), nothing, "{flags:?}");
    }
    assert_eq!(pending(&svc), [0, 0]);
    // Of each report there are two events, one of which the subscription does not list. The second has failed.
    assert_eq!(
        replay(&svc, &["--failed", "--to", &cursor(3)]),
        format!("1 event will be sent to {ACTIVE} again by the running service.\n")
    );
    assert_eq!(
        replay(&svc, &["--from", START, "--to", &cursor(4)]),
        format!("2 events will be sent to {ACTIVE} again by the running service.\n")
    );
    assert_eq!(pending(&svc), [0, 2]);
    let wide = ["--from", START, "--to", "2100-01-01T00:00:00Z"];
    let again = format!("3 events will be sent to {ACTIVE} again by the running service.\n");
    assert_eq!(replay(&svc, &wide), again);
    assert_eq!(pending(&svc), [0, 3]);
    let ran = svc.run(&["webhooks", "replay", ACTIVE, "--to", START]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    // A subscription that is further on has no delivery of what came before it.
    let json = ["webhooks", "replay", OTHER, "--from", &cursor(2), "--to", &cursor(4), "--json"];
    assert_eq!(svc.json(&json), json!({ "subscription": OTHER, "events": 1 }));
    assert_eq!(pending(&svc), [1, 3]);
    store.close().await;
}

#[tokio::test]
async fn a_disabled_subscription_gets_a_replay_when_it_is_enabled() {
    let (svc, store) = with_past().await;
    svc.out(&["webhooks", "disable", ACTIVE]);
    assert_eq!(
        replay(&svc, &["--from", START]),
        format!("{ACTIVE} is disabled: 3 events will be sent to it again once it is enabled.\n")
    );
    assert_eq!(
        svc.out(&["webhooks", "enable", ACTIVE]),
        format!("{ACTIVE} is active again; 3 deliveries that it missed are due.\n")
    );
    store.close().await;
}

#[tokio::test]
async fn a_replay_from_where_there_is_no_log_says_so() {
    let (svc, store) = with_past().await;
    let refused = |flags: &[&str], code: i32, error: &str| {
        let ran = svc.run(&[&["webhooks", "replay"], flags].concat());
        // Named only where a variable names the database.
        let err = ran.err.replace(" --database-url <URL>", "");
        assert_eq!((ran.code, &*ran.out, &*err), (Some(code), "", error), "{flags:?}");
    };
    refused(
        &[ACTIVE, "--from", &cursor(1_000)],
        1,
        "svc: this cursor is ahead of the log: was the database restored?\n",
    );
    let unknown = "svc: there is no subscription \"sub_x\": `svc webhooks list` shows all\n";
    refused(&["sub_x", "--failed"], 1, unknown);
    refused(
        &[ACTIVE],
        2,
        "error: the following required arguments were not provided:\n  \
           <--from <INSTANT|CURSOR>|--failed>\n\n\
         Usage: svc webhooks replay <--from <INSTANT|CURSOR>|--failed> <ID>\n\n\
         For more information, try '--help'.\n",
    );
    refused(
        &["--failed"],
        2,
        "error: the following required arguments were not provided:\n  <ID>\n\n\
         Usage: svc webhooks replay <--from <INSTANT|CURSOR>|--failed> <ID>\n\n\
         For more information, try '--help'.\n",
    );
    for wrong in ["yesterday", "2026-03-01", "c_abcde", "c_", "-1", ""] {
        refused(
            &[ACTIVE, &format!("--from={wrong}")],
            2,
            &format!(
                "error: invalid value '{wrong}' for '--from <INSTANT|CURSOR>': give an instant such as \
                 2026-03-01T12:00:00Z, or a cursor of the log of events\n\n\
                 For more information, try '--help'.\n"
            ),
        );
    }
    assert_eq!(pending(&svc), [0, 0]);
    store.event_log().prune(instant("2026-03-02T12:00:00Z"), || ready(())).await.unwrap();
    refused(
        &[ACTIVE, "--from", &cursor(1)],
        1,
        "svc: events after this cursor are no longer kept: give an instant to begin with the oldest\n",
    );
    store.close().await;
}
