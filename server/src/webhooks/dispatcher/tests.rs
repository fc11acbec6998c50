use app::model::ReportType;
use sqlx::{Connection, SqliteConnection};

use super::*;
use crate::{
    config::Endpoints,
    domain::{event::EventName, report::NewReport, subscription::NewSubscription, tier::Tier},
    store::{Missing, Mode, NewKey, open_url},
    time::{parse_date, parse_instant},
    webhooks::resolver::Resolver,
};

/// A store with one delivery due, to an address where nobody listens.
async fn with_delivery(url: &str, clock: &Clock) -> Store {
    let store = open_url(url, Missing::Create).await.unwrap().with_clock(clock.clone());
    let key = NewKey {
        prefix: "svc_AAAAAAAA".to_owned(),
        hash: [0; 32],
        tier: Tier::Partner,
        expires_at: None,
    };
    store.create_key("Acme", &key).await.unwrap().unwrap();
    let subscription = NewSubscription {
        id: "sub_AAAAAAAAAAAAAAAAAAAAAA".to_owned(),
        partner_id: store.keys_in_force().await.unwrap()[0].partner_id,
        url: "http://127.0.0.1:9/".to_owned(),
        events: vec![EventName::ReportCreated],
        secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".to_owned(),
    };
    store.subscribe(&subscription, 1).await.unwrap().unwrap();
    let report = NewReport {
        id: "r-1".to_owned(),
        kind: ReportType::Spirit,
        city: "Oslo".to_owned(),
        region: String::new(),
        country: "Norway".to_owned(),
        people_count: 1,
        event_date: parse_date("2026-03-01").unwrap(),
        created_at: clock.now(),
        event_date_given: true,
        created_at_given: true,
        position: None,
    };
    store.import(&[report], Mode::Approve).await.unwrap();
    store
}

/// Bodies are read after the claim's transaction, which may take long, too.
#[tokio::test]
async fn a_claim_is_released_instead_of_sent_if_its_lease_could_end_during_the_attempt() {
    let clock = Clock::stepped(parse_instant("2026-03-01T12:00:00.000Z").unwrap());
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("svc.db").display());
    let store = with_delivery(&url, &clock).await;
    let endpoints = Endpoints::lenient();
    let client = Client::new(endpoints, Resolver::system()).unwrap();
    let mut dispatcher = Dispatcher::new(store.clone(), clock.clone(), Random::seeded(1), client);
    let looked = dispatcher.tally();

    // Between the look for what is due and the claim, all connections that read become busy.
    let mut other = SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let round = tokio::spawn(async move { dispatcher.round().await });
    while looked.looks.load(Ordering::Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
    let reading = store.occupy().await;
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    let lease = "SELECT lease IS NOT NULL, due_at FROM deliveries";
    let mut delivery =
        async || sqlx::query_as::<_, (bool, i64)>(lease).fetch_one(&mut other).await.unwrap();
    while !delivery().await.0 {
        tokio::task::yield_now().await;
    }
    clock.advance(Duration::from_millis(15_001));
    drop(reading);

    assert_eq!(round.await.unwrap().unwrap(), 0);
    assert_eq!(delivery().await, (false, clock.now().timestamp_millis()));
    store.close().await;
}
