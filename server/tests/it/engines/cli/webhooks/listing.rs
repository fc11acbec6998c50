//! The table of `svc webhooks list`.

use base::{clock::Clock, random::Random};
use domain::{
    event::EventName::{MetricsUpdated, ReportCreated, ReportWithdrawn},
    event_filter::EventFilter,
    signature::Secret,
    subscription::NewSubscription,
};
use model::ReportType::{Both, Water};
use store::Store;

use svc::config::WebhookTargets;

use webhooks::{client::Client, dispatcher::Dispatcher, resolver::Resolver};

use crate::{
    cli::webhooks::{deserted_port, publish, subscribe, with_log, with_partner},
    harness::{START, instant},
};

/// Sends due deliveries.
async fn dispatch(store: &Store) {
    let client = Client::new(WebhookTargets::lenient(), Resolver::system()).unwrap();
    let clock = Clock::stepped(instant(START));
    let mut dispatcher = Dispatcher::new(store.clone(), clock, Random::seeded(1), client);
    dispatcher.dispatch_due().await.unwrap();
}

#[tokio::test]
async fn the_list_says_in_which_state_each_subscription_is_and_what_it_gets() {
    let svc = with_log().await;
    assert_eq!(
        svc.out(&["webhooks", "list"]),
        "ID                          PARTNER  STATE     FAILING SINCE             PENDING  DELIVERED  FAILED\n\
         sub_BBBBBBBBBBBBBBBBBBBBBB  Acme     DISABLED  2026-03-01T12:00:00.000Z  1        0          0\n  \
           https://example.com/\n  \
           report.created\n  \
           Disabled: The receiver answered 410 Gone at 2026-03-01T12:00:00.000Z.\n\
         sub_AAAAAAAAAAAAAAAAAAAAAA  Acme     FAILING   2026-03-01T12:00:00.000Z  0        1          1\n  \
           https://hooks.example.org/a/rather/long/path/to/events\n  \
           report.created, metrics.updated\n"
    );
}

#[tokio::test]
async fn the_list_shows_filters_and_pauses_and_cuts_what_is_too_long() {
    let (svc, store) = with_partner().await;
    let (port, _held) = deserted_port();
    let down = format!("http://127.0.0.1:{port}/hook");
    subscribe(&store, "sub_DDDDDDDDDDDDDDDDDDDDDD", &down, &[ReportCreated]).await;
    let filtered = NewSubscription {
        id: "sub_FFFFFFFFFFFFFFFFFFFFFF".to_owned(),
        partner_id: 1,
        url: format!("https://hooks.example.org/{}", "a".repeat(200)),
        events: vec![MetricsUpdated, ReportWithdrawn],
        filter: EventFilter::new(Some("BR"), None, Some("São Paulo"), &[Water, Both]),
        secret: Secret::generate(&Random::seeded(1)).as_str().to_owned(),
    };
    for number in 0..6 {
        publish(&store, &format!("r-{number}")).await;
    }
    assert!(store.subscriptions().create(&filtered, 25).await.unwrap().is_some());
    dispatch(&store).await;
    store.close().await;
    let shown = svc.json(&["webhooks", "list", "--json"]);
    let paused = shown["subscriptions"][1]["pausedUntil"].as_str().unwrap().to_owned();
    let seconds = (instant(&paused) - instant(START)).as_seconds_f64();
    assert!((4.0..=6.0).contains(&seconds), "{paused}");
    let shown = svc.out(&["webhooks", "list"]);
    assert_eq!(
        shown,
        format!(
            "ID                          PARTNER  STATE   FAILING SINCE             PENDING  DELIVERED  FAILED\n\
             sub_FFFFFFFFFFFFFFFFFFFFFF  Acme     ACTIVE  -                         0        0          0\n  \
               https://hooks.example.org/{}…\n  \
               metrics.updated, report.withdrawn\n  \
               Filter: country \"BR\", city \"São Paulo\", types water, both\n\
             sub_DDDDDDDDDDDDDDDDDDDDDD  Acme     PAUSED  2026-03-01T12:00:00.000Z  6        0          0\n  \
               {down}\n  \
               report.created\n  \
               Paused after failures; next attempt at {paused}\n",
            "a".repeat(89)
        )
    );
    assert!(shown.lines().all(|line| line.chars().count() <= 120));
}
