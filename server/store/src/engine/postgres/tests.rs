//! Several nodes that use one database at the same time.

use std::{
    cell::RefCell,
    future::ready,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

use base::clock::Clock;
use chrono::{DateTime, TimeDelta, Utc};
use domain::{subscription::DeliveryId, tier::Tier};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgTransaction};
use tokio::{sync::Barrier, time::timeout};

use crate::{
    Ended, KeySettings, KeyUse, NewKey, NextStep, Round, RoundDone, Store, engine::sql,
    testing::Scratch, version,
};

/// Timeout far above the duration of any step here.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Transaction of another client, which locks rows with this statement.
async fn hold<'c>(connection: &'c mut PgConnection, sql: &'static str) -> PgTransaction<'c> {
    let mut tx = connection.begin().await.unwrap();
    sqlx::query(sql).execute(&mut *tx).await.unwrap();
    tx
}

async fn connect(store: &Scratch) -> PgConnection {
    PgConnection::connect(store.url()).await.unwrap()
}

/// Adds a partner with a key, and a subscription with a pending event.
async fn fill(store: &Store) {
    for sql in [
        "INSERT INTO partners (name, created_at) VALUES ('partner', 0)",
        "INSERT INTO keys (partner_id, prefix, hash, tier, created_at)
         VALUES (1, 'first', decode(repeat('00', 32), 'hex'), 'partner', 0)",
        "INSERT INTO subscriptions (id, partner_id, url, report_created, metrics_updated, status, created_at,
                                    secret, secret_key)
         VALUES ('sub_1', 1, 'http://127.0.0.1:9/', TRUE, FALSE, 'ACTIVE', 0, '', 'none')",
        "INSERT INTO events (id, name, body, created_at) VALUES ('evt_1', 'report.created', '{}', 0)",
    ] {
        store.run(sql).await;
    }
}

fn key() -> NewKey {
    NewKey {
        prefix: "second".to_owned(),
        hash: [1; 32],
        tier: Tier::Partner,
        scope: None,
        expires_at: None,
        settings: KeySettings::default(),
    }
}

async fn take(store: &Store, owner: i64) -> RoundDone {
    let lease = TimeDelta::seconds(25);
    let round = Round { owner, lease, take: vec![1], ..Round::default() };
    store.deliveries().dispatch_round(&round).await.unwrap()
}

async fn publish(store: &Store) -> DateTime<Utc> {
    let published =
        store.write(|tx, now| Box::pin(async move { version::bump(tx, now).await.map(|()| now) }));
    published.await.unwrap()
}

#[tokio::test]
async fn a_publication_keeps_nobody_waiting_but_others_that_publish() {
    let store = Scratch::postgres().await;
    fill(&store).await;
    let mut somebody = connect(&store).await;
    let publishing = hold(&mut somebody, "SELECT FROM data_version FOR UPDATE").await;
    let other = store.again().await;
    let other = tokio::spawn(async move { publish(&other).await });
    let ended = Ended {
        id: DeliveryId { subscription: 1, event: 1 },
        number: 1,
        started_at: DateTime::UNIX_EPOCH,
        duration: 5,
        outcome: Ok(200),
        response: None,
        next: NextStep::Delivered,
    };
    let beside = async {
        assert!(store.keys().create("partner", &key()).await.unwrap().is_some());
        store
            .keys()
            .note_uses(&[KeyUse { id: 1, used_at: 5, requests: 1, refused: 0 }])
            .await
            .unwrap();
        assert_eq!(take(&store, 7).await.taken.len(), 1);
        let round = Round { owner: 7, ended: vec![ended], release: vec![1], ..Round::default() };
        store.deliveries().dispatch_round(&round).await.unwrap();
        let cutoff = Clock::system().now() + TimeDelta::days(1);
        store.event_log().prune(cutoff, || ready(())).await.unwrap();
        assert!(store.subscriptions().unsubscribe(1, "sub_1").await.unwrap());
        store.keys().revoke("second").await.unwrap();
    };
    timeout(TIMEOUT, beside).await.expect("it waits for the publication");
    assert!(!other.is_finished());
    publishing.commit().await.unwrap();
    other.await.unwrap();
}

#[tokio::test]
async fn changes_that_are_not_published_are_made_one_after_the_other() {
    let store = Scratch::postgres().await;
    fill(&store).await;
    let mut somebody = connect(&store).await;
    let lock = format!("SELECT pg_advisory_xact_lock({})", super::ADMINISTRATION_LOCK);
    let mut tx = somebody.begin().await.unwrap();
    sqlx::query(AssertSqlSafe(lock)).execute(&mut *tx).await.unwrap();
    let other = store.again().await;
    let revoked = tokio::spawn(async move { other.keys().revoke("first").await.unwrap() });
    publish(&store).await;
    take(&store, 7).await;
    assert!(!revoked.is_finished());
    tx.commit().await.unwrap();
    revoked.await.unwrap();
}

#[tokio::test]
async fn transactions_that_wait_for_each_other_are_both_done_in_the_end() {
    let store = Scratch::postgres().await;
    store
        .run("CREATE TABLE pair (number INT, done INT); INSERT INTO pair VALUES (0, 0), (1, 0)")
        .await;
    let (both_have_one, tries) = (Barrier::new(2), AtomicU32::new(0));
    let change = async |first: i64| {
        let (both_have_one, tries) = (&both_have_one, &tries);
        let done = store.write_rows(move |tx, _| {
            Box::pin(async move {
                let sql = "UPDATE pair SET done = done + 1 WHERE number = $1";
                sql::query(sql).bind(first).execute(&mut **tx).await?;
                if tries.fetch_add(1, Relaxed) < 2 {
                    both_have_one.wait().await;
                }
                sql::query(sql).bind(1 - first).execute(&mut **tx).await?;
                Ok(())
            })
        });
        done.await.unwrap();
    };
    tokio::join!(change(0), change(1));
    // PostgreSQL undoes one at least once. The next try may lock its first row before the other
    // transaction, which waits for that row, gets it: then they wait for each other again.
    assert!(tries.load(Relaxed) >= 3);
    assert_eq!(store.value("SELECT sum(done) FROM pair").await, 4);
}

#[tokio::test]
async fn a_change_whose_connection_was_lost_is_made_once() {
    let store = Scratch::postgres().await;
    let (before, tries) = (store.data_version().await.unwrap(), AtomicU32::new(0));
    let tries = &tries;
    let changed = store.write(move |tx, now| {
        Box::pin(async move {
            version::bump(tx, now).await?;
            if tries.fetch_add(1, Relaxed) == 0 {
                sql::query("SELECT pg_terminate_backend(pg_backend_pid())")
                    .execute(&mut **tx)
                    .await?;
            }
            Ok(())
        })
    });
    changed.await.unwrap();
    assert_eq!(tries.load(Relaxed), 2);
    assert_eq!(store.data_version().await.unwrap(), before + 1);
}

#[tokio::test]
async fn a_subscription_that_another_node_is_about_to_take_is_left_to_it() {
    let store = Scratch::postgres().await;
    fill(&store).await;
    let mut somebody = connect(&store).await;
    let taking = hold(&mut somebody, "SELECT FROM subscriptions FOR NO KEY UPDATE").await;
    let taken = timeout(TIMEOUT, take(&store, 7)).await.expect("it waits").taken;
    assert!(taken.is_empty(), "{taken:?}");
    taking.rollback().await.unwrap();
    assert_eq!(take(&store, 7).await.taken.len(), 1);
}

#[tokio::test]
async fn plans_never_go_by_a_wrong_number_of_rows() {
    let rows = "SELECT reltuples::bigint FROM pg_class WHERE relname = 'places'";
    let store = Scratch::postgres().await;
    // An unknown number of rows, for which the planner assumes some pages.
    assert_eq!(store.value(rows).await, -1);
    // Pending reports were imported; their places come with their approval.
    store.gather_statistics().await.unwrap();
    assert_eq!(store.value(rows).await, -1);
    store
        .run(
            "INSERT INTO places (parent_id, level, country_key, region_key, city_key, country, region, city)
             SELECT 0, 1, i::text, '', '', '', '', '' FROM generate_series(1, 500) i",
        )
        .await;
    store.gather_statistics().await.unwrap();
    assert_eq!(store.value(rows).await, 501);
}

/// Sets the database's clock an hour ahead of this machine's.
async fn set_clock_ahead(store: &Scratch) {
    let mut clocks = String::new();
    for clock in ["clock_timestamp", "statement_timestamp"] {
        clocks += &format!(
            "CREATE FUNCTION public.{clock}() RETURNS timestamptz LANGUAGE sql STABLE
             AS $$ SELECT pg_catalog.{clock}() + INTERVAL '1 hour' $$;"
        );
    }
    clocks += "DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
    END $$";
    store.run(&clocks).await;
}

#[tokio::test]
async fn leases_end_by_the_servers_clock_whatever_that_of_a_node_says() {
    let scratch = Scratch::postgres().await;
    fill(&scratch).await;
    set_clock_ahead(&scratch).await;
    let (first, second) = (scratch.again().await, scratch.again().await);
    let ahead = (publish(&first).await - Clock::system().now()).num_minutes();
    assert!((59..=60).contains(&ahead), "{ahead}");
    assert_eq!(take(&first, 7).await.taken.len(), 1);
    let until = first.value("SELECT lease_until FROM subscriptions").await;
    let lasts = until - Clock::system().now().timestamp_millis();
    assert!((3_600_000..3_626_000).contains(&lasts), "{lasts}");
    assert_eq!(second.deliveries().pending_work(8).await.unwrap().free, Vec::<i64>::new());
    assert!(take(&second, 8).await.taken.is_empty());
    first.run("UPDATE subscriptions SET lease_until = lease_until - 26000").await;
    assert_eq!(second.deliveries().pending_work(8).await.unwrap().free, [1]);
    assert_eq!(take(&second, 8).await.taken.len(), 1);
}

#[tokio::test]
async fn one_node_at_a_time_forgets_what_is_old() {
    let store = Scratch::postgres().await;
    store
        .run(
            "INSERT INTO events (id, name, body, created_at)
             SELECT 'evt_' || i, 'report.created', '{}', 0 FROM generate_series(1, 10) i",
        )
        .await;
    let (other, cutoff) = (store.again().await, DateTime::from_timestamp_millis(1).unwrap());
    let left = RefCell::new(Vec::new());
    let meet_another = || async {
        other.event_log().prune(cutoff, || async { panic!("two are at it") }).await.unwrap();
        let events = store.value("SELECT count(*) FROM events").await;
        left.borrow_mut().push(events);
    };
    store.event_log().prune(cutoff, meet_another).await.unwrap();
    assert_eq!(left.take(), [6, 2, 0]);
    store.run("INSERT INTO events (id, name, body, created_at) VALUES ('evt_11', '', '', 0)").await;
    other.event_log().prune(cutoff, || ready(())).await.unwrap();
    assert_eq!(store.value("SELECT count(*) FROM events").await, 0);
}

#[tokio::test]
async fn what_another_node_changes_is_heard_also_after_the_connection_was_lost() {
    let store = Scratch::postgres().await;
    let listening = store.again().await;
    let (mut data, mut keys) = (listening.data_changes(), listening.key_changes());
    let heard = async {
        for _ in 0..2 {
            while !listening.is_listening() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            data.mark_unchanged();
            publish(&store).await;
            data.changed().await.unwrap();
            keys.mark_unchanged();
            store.keys().create("partner", &key()).await.unwrap();
            keys.changed().await.unwrap();
            store
                .run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE query LIKE 'LISTEN%' AND datname = current_database()",
                )
                .await;
            while listening.is_listening() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    };
    tokio::select! {
        () = listening.listen() => {}
        heard = timeout(TIMEOUT, heard) => heard.expect("nothing is heard"),
    }
}
