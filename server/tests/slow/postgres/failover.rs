//! Failover from a primary to its replica.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use base::{clock::Clock, random::Random};
use domain::event::EventName;
use futures_util::future::join_all;
use model::ReportType::Water;
use scratch::postgres::Stop;
use store::secrets::Keyring;
use store::{LogQuery, LostPlace, Missing, Mode, PlaceFilter, Store, open_url, open_with};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use webhooks::{client::Client, dispatcher::Dispatcher, resolver::Resolver};

use super::{pair, publish, seen, texts, url_of};
use crate::{
    harness::{Answer, Svc, http, property_cases, report, soon},
    node::{LENIENT, PATIENT, ReportCreated, partner, subscribe},
    receiver::{Receiver, Reply},
    served::Served,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_store_goes_on_with_the_promoted_replica_and_forgets_what_that_never_got() {
    let (first, second) = pair();
    let store = open_url(&url_of(&first, &second), Missing::Create).await.unwrap();
    publish(&store, "r-1", "Recife").await;
    second.catch_up_with(&first);
    second.stop(Stop::Fast);
    // The promoted server will use its numbers again.
    publish(&store, "r-2", "Lost").await;
    let before = seen(&store).await;
    assert_eq!(before, (2, texts(&["r-2", "r-1"]), texts(&["Lost", "Recife"])));
    let (era, lost) = (store.era(), store.last_change().await.unwrap());

    first.stop(Stop::Immediate);
    second.start_again();
    store.last_change().await.unwrap_err();
    second.promote();
    let promoted = Instant::now();
    soon("a change", async { while store.try_write().await.is_err() {} }).await;
    println!("a store writes {:?} after the promotion", promoted.elapsed());
    // Nothing is read before this publication. Its numbers belong to a new era, even if they are close to those of r-2.
    publish(&store, "r-3", "Natal").await;
    assert_ne!(store.last_change().await.unwrap(), lost);
    assert_eq!(seen(&store).await, (2, texts(&["r-3", "r-1"]), texts(&["Natal", "Recife"])));
    assert!(store.era() > era);

    // Switch back: the first server is a replica by now, at its original address.
    first.rejoin(&second);
    publish(&store, "r-4", "Natal").await;
    first.catch_up_with(&second);
    second.stop(Stop::Fast);
    first.promote();
    let promoted = Instant::now();
    soon("a change", async { while store.try_write().await.is_err() {} }).await;
    println!("after a switch, a store writes {:?} after the promotion", promoted.elapsed());
    assert_eq!(seen(&store).await.1, texts(&["r-4", "r-3", "r-1"]));
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_hangs_with_a_primary_ends_when_its_replica_is_promoted() {
    let (first, second) = pair();
    let store = open_url(&url_of(&first, &second), Missing::Create).await.unwrap();
    publish(&store, "r-1", "Recife").await;
    second.catch_up_with(&first);
    let changes = store.data_changes();
    let listening = tokio::spawn({
        let store = store.clone();
        async move { store.listen().await }
    });
    // More than there are connections, so some of them wait for one.
    let hung = |number: usize| {
        let store = store.clone();
        tokio::spawn(async move {
            match number % 2 {
                0 => store.try_write().await.is_ok(),
                _ => store.last_change().await.is_ok(),
            }
        })
    };
    first.pause();
    let mut hung: Vec<_> = (0..30).map(hung).collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(!hung.iter().any(JoinHandle::is_finished));
    // The connections of these clients, who are gone, are returned to their pools.
    for gone in hung.drain(..6) {
        gone.abort();
    }

    second.promote();
    let promoted = Instant::now();
    soon("a change", async { while store.try_write().await.is_err() {} }).await;
    publish(&store, "r-2", "Natal").await;
    println!("a store writes {:?} after the promotion", promoted.elapsed());
    soon("an end", join_all(hung)).await;
    assert_eq!(seen(&store).await.1, texts(&["r-2", "r-1"]));
    soon("announcements", async {
        while !store.is_listening() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    assert!(changes.has_changed().unwrap());
    let most: u32 = store.pools().iter().map(|pool| pool.most).sum();
    let reads = (0..most).map(|_| async { store.last_change().await.unwrap() });
    soon("reads on all connections", join_all(reads)).await;
    listening.abort();
    store.close().await;
    first.resume();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_primary_that_comes_back_is_not_written_to() {
    let (first, second) = pair();
    let url = url_of(&first, &second);
    let store = open_url(&url, Missing::Create).await.unwrap();
    publish(&store, "r-1", "Recife").await;
    second.catch_up_with(&first);
    first.stop(Stop::Immediate);
    second.promote();
    // The old primary still considers itself the primary, and is first in the URL.
    first.start_again();
    let other = open_url(&url, Missing::Refuse).await.unwrap();
    publish(&other, "r-2", "Natal").await;
    let there = open_url(&second.url("svc"), Missing::Refuse).await.unwrap();
    assert_eq!(seen(&there).await.1, texts(&["r-2", "r-1"]));
    soon("the promoted one", async {
        while store
            .reports()
            .recent(&store::ReportsQuery::newest(9))
            .await
            .map_or(0, |all| all.value.len())
            < 2
        {}
    })
    .await;
    for store in [store, other, there] {
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_answers_503_until_the_replica_is_promoted_and_then_goes_on() {
    let (first, second) = pair();
    let (url, svc) = (url_of(&first, &second), Svc::with_file());
    let served = Served::start_with(&svc, &["--database-url", &url, "--trusted-proxies=127.0.0.1"]);
    let import = |id: &str| {
        let csv = format!("id,type,city,country\n{id},water,Recife,Brazil\n");
        std::fs::write(svc.path("reports.csv"), csv).unwrap();
        svc.run(&["reports", "import", "reports.csv", "--approve", "--database-url", &url]).code
    };
    assert_eq!(import("r-1"), Some(0));
    second.catch_up_with(&first);
    let http = http();
    let mut asked = 0_u16;
    // Each request has a new path, so it is not cached, and a new client address.
    let mut ask = async || {
        asked += 1;
        let [high, low] = asked.to_be_bytes();
        let (year, month) = (2027 + asked / 12, asked % 12 + 1);
        let url = format!("{}/api/v1/metrics?country=Brazil&to={year}-{month:02}-01", served.url);
        let request = http.get(url).header("x-forwarded-for", format!("10.0.{high}.{low}"));
        Answer::of(request.send().await.unwrap()).await
    };
    assert_eq!(ask().await.json()["total"], 1);

    let stopped = Instant::now();
    first.stop(Stop::Immediate);
    let mut refused = 0;
    while stopped.elapsed() < Duration::from_secs(2) || refused == 0 {
        let answer = ask().await;
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{}", answer.text());
        refused += 1;
    }
    second.promote();
    let promoted = Instant::now();
    soon("an answer", async {
        loop {
            let answer = ask().await;
            if answer.status == 200 {
                break;
            }
            assert_eq!((answer.status, answer.header("retry-after")), (503, "5"));
        }
    })
    .await;
    println!(
        "a service answers {:?} after the promotion, {refused} times 503 in {:?} before it",
        promoted.elapsed(),
        promoted - stopped
    );
    assert_eq!(import("r-2"), Some(0));
    soon("the new report", async { while ask().await.json()["total"] != 2 {} }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mirrors_are_told_to_read_all_again_after_a_promotion_and_not_after_a_restart() {
    let (first, second) = pair();
    let (url, svc) = (url_of(&first, &second), Svc::with_file());
    let served = Served::start_with(&svc, &["--database-url", &url, "--trusted-proxies=127.0.0.1"]);
    let http = http();
    let mut asked = 0_u16;
    // Each request has a new client address.
    let mut ask = async || {
        asked += 1;
        let [high, low] = asked.to_be_bytes();
        let request = http.get(format!("{}/api/v1/reports", served.url));
        let request = request.header("x-forwarded-for", format!("10.0.{high}.{low}"));
        let answer = Answer::of(request.send().await.unwrap()).await;
        let revision = answer.header("reports-revision").parse::<i64>().unwrap();
        (revision, answer.json()["reports"].as_array().unwrap().len())
    };
    let (before, _) = ask().await;
    let store = open_url(&url, Missing::Refuse).await.unwrap();
    publish(&store, "r-1", "Recife").await;
    first.stop(Stop::Immediate);
    first.start_again();
    soon("a change", async { while store.try_write().await.is_err() {} }).await;
    publish(&store, "r-2", "Natal").await;
    soon("the report after the restart", async { while ask().await.1 != 2 {} }).await;
    assert_eq!(ask().await.0, before);

    second.catch_up_with(&first);
    first.stop(Stop::Immediate);
    second.promote();
    soon("another revision", async { while ask().await.0 == before {} }).await;
    let (told, _) = ask().await;
    assert!(told > before, "{told} came after {before}");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_url_says_which_of_the_servers_is_meant() {
    let (first, second) = pair();
    let both = url_of(&first, &second);
    let store = open_url(&both, Missing::Create).await.unwrap();
    publish(&store, "r-1", "Recife").await;
    second.catch_up_with(&first);
    let standby = format!("{both}?target_session_attrs=standby");
    let replica = open_url(&standby, Missing::Refuse).await.unwrap();
    assert_eq!(seen(&replica).await.1, texts(&["r-1"]));
    let name = format!("postgres://{},{}/svc", first.address(), second.address());
    assert_eq!(
        replica.try_write().await.unwrap_err().to_string(),
        format!(
            "the database {name} is read-only: svc needs the primary server, not a replica. Name all servers in \
             the URL, and it finds the primary by itself"
        )
    );
    let address = second.address();
    let refused = open_url(&url_of(&second, &second), Missing::Refuse).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "the database postgres://{address},{address}/svc cannot be reached: error communicating with \
             database: none of the servers is a primary that accepts changes. Check that the server runs and \
             accepts connections from here"
        )
    );
    store.close().await;
    replica.close().await;
}

/// Publishes `count` reports at once.
async fn publish_many(store: &Store, name: &str, count: usize) -> BTreeSet<String> {
    let ids = (0..count).map(|number| format!("{name}-{number}"));
    let reports: Vec<_> = ids.clone().map(|id| report(&id, Water)).collect();
    store.reports().import(&reports, Mode::Approve).await.unwrap();
    ids.collect()
}

fn told(receiver: &Receiver) -> BTreeSet<String> {
    receiver.requests().iter().map(|request| request.report()).collect()
}

async fn read_on(store: &Store, after: i64) -> Result<Vec<String>, LostPlace> {
    let query = LogQuery {
        after: Some(after),
        events: vec![ReportCreated],
        place: PlaceFilter::default(),
        types: store::ALL_TYPES,
        limit: 1_000,
    };
    let page = store.event_log().page(&query).await.unwrap()?;
    Ok(page.events.into_iter().map(|event| event.id).collect())
}

/// The running dispatcher and a reader of the log have seen events that the promoted server never received. Events
/// published there, before or after they detect the promotion, must reach them all the same.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_published_after_an_asynchronous_failover_reaches_webhooks_and_readers_of_the_log()
{
    // At most 20, because each starts two servers.
    for seed in 1..=property_cases(3).min(20) {
        let numbers = Random::seeded(seed.into());
        let upto = |most: u64| (1 + numbers.number() % most) as usize;
        let (lost, published) = (upto(100), upto(150));
        println!("history {seed}: {lost} lost, {published} published");
        let (first, second) = pair();
        let keyring = Keyring::of_text(&"5".repeat(64)).unwrap();
        let url = url_of(&first, &second);
        let store = open_with(&url, Missing::Create, Some(keyring)).await.unwrap();
        let receiver = Receiver::with(Reply::Status(200)).await;
        let random = Random::seeded(1);
        let partner = partner(&store, &random, "Aid").await;
        let subscription =
            subscribe(&store, partner, &random, &receiver.url(), &[EventName::ReportCreated]).await;
        let client = Client::with_timeouts(LENIENT, Resolver::system(), PATIENT).unwrap();
        let dispatcher = Dispatcher::new(store.clone(), Clock::system(), random, client);
        let stopping = CancellationToken::new();
        let running = tokio::spawn(dispatcher.run(stopping.clone()));
        publish_many(&store, "kept", 5).await;
        receiver.until(5).await;
        let kept = store.event_log().newest().await.unwrap();

        second.catch_up_with(&first);
        second.stop(Stop::Fast);
        publish_many(&store, "lost", lost).await;
        receiver.until(5 + lost).await;
        let newest = store.event_log().newest().await.unwrap();
        first.stop(Stop::Immediate);
        second.start_again();
        second.promote();
        soon("a change", async { while store.try_write().await.is_err() {} }).await;
        let mut expected = publish_many(&store, "now", published).await;
        for after in kept + 1..=newest {
            assert_eq!(read_on(&store, after).await, Err(LostPlace::Ahead), "{after}");
        }
        assert_eq!(read_on(&store, kept).await.unwrap().len(), published);
        expected.extend(publish_many(&store, "later", 10).await);
        soon("what was published since", async {
            while !told(&receiver).is_superset(&expected) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
        stopping.cancel();
        running.await.unwrap();
        assert_eq!(store.check().await.unwrap().differences, []);
        let left = store.deliveries().backlogs().await.unwrap();
        assert_eq!((left[0].subscription.clone(), left[0].events), (subscription.id, 0));
        store.close().await;
    }
}
