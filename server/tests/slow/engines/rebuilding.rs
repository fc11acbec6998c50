//! Rebuilding: for newer rules, beside others, and after a kill.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use base::time::parse_date;
use domain::report::NewReport;
use domain::report::Step;
use model::ReportType;
use store::{
    Decision, Error, Filter, Missing, Mode, PlaceFilter, Progress, ReportsQuery, Stage, open_url,
};
use tokio::sync::Notify;

use crate::harness::{But, Database, START, instant, report};

/// What a binary leaves that does not know that Germany is a country, and one that does and
/// publishes there, too.
async fn split() -> Database {
    let database = Database::new().await;
    let older = [
        report("a", ReportType::Spirit).at("München", "Bayern", "Germany"),
        report("b", ReportType::Water).at("Nürnberg", "Bayern", "Germany"),
        report("c", ReportType::Both).at("München", "Bayern", "Germany"),
    ];
    database.store.reports().import(&older, Mode::Approve).await.unwrap();
    database.store.reports().decide(Step::Withdraw, &["c".to_owned()]).await.unwrap();
    database.tamper("UPDATE places SET country_key = 'germany' WHERE country_key = 'DE'").await;
    let newer = report("d", ReportType::Water).at("Munchen", "Bayern", "DEU");
    database.store.reports().import(&[newer], Mode::Approve).await.unwrap();
    database.tamper("UPDATE derived SET countries = countries - 1").await;
    database
}

#[tokio::test]
async fn spellings_that_are_one_place_by_newer_rules_are_merged_by_the_migration() {
    let database = split().await;
    let Err(refused) = open_url(&database.url(), Missing::Refuse).await else {
        panic!("opened as it was");
    };
    assert_eq!(
        refused.to_string(),
        "the database is older than this binary: run `svc db migrate` first"
    );
    let store = open_url(&database.url(), Missing::Create).await.unwrap();
    assert_eq!(store.check().await.unwrap().differences, []);
    let place = PlaceFilter::new(Some("Germany"), None, None);
    let today = parse_date("2026-03-01").unwrap();
    let filter = Filter { place, ..Filter::default() };
    let counters = store.counters().metrics(&filter, today).await.unwrap().value;
    assert_eq!((counters.by_type, counters.countries, counters.cities), ([1, 2, 0], 1, 2));
    let listed = store
        .reports()
        .recent(&ReportsQuery { filter, ..ReportsQuery::newest(9) })
        .await
        .unwrap()
        .value;
    let ids: Vec<&str> = listed.iter().map(|listed| listed.report.id.as_str()).collect();
    assert_eq!(ids, ["d", "a", "b"]);
    // The older rows are gone: the world, a country, a region, two cities.
    assert_eq!(database.count("SELECT count(*) FROM places").await, 5);
    store.close().await;
}

#[tokio::test]
async fn a_database_of_newer_rules_is_refused() {
    let database = Database::new().await;
    for newer in ["rules", "folding", "countries"] {
        let sql = match newer {
            "rules" => "UPDATE derived SET rules = rules + 1",
            "folding" => "UPDATE derived SET rules = 1, folding = folding + 1",
            _ => "UPDATE derived SET folding = 1, countries = countries + 1",
        };
        database.tamper(sql).await;
        for missing in [Missing::Refuse, Missing::Create] {
            let refused = open_url(&database.url(), missing).await.unwrap_err();
            assert!(matches!(refused, Error::NewerRules), "{newer}: {refused}");
        }
    }
}

/// Counts that are missing make withdrawals fail; they don't make anything else wrong.
#[tokio::test]
async fn others_publish_and_withdraw_while_everything_is_rebuilt() {
    let database = Database::new().await;
    let named = |number: usize| {
        let city = format!("City {}", number % 40);
        let region = format!("Region {}", number % 7);
        let row = report(&format!("r{number:04}"), ReportType::ALL[number % 3]);
        NewReport {
            event_date: row.event_date - chrono::TimeDelta::days(number as i64 % 50),
            ..row.at(&city, &region, "Peru")
        }
    };
    let rows: Vec<NewReport> = (0..1_200).map(named).collect();
    database.store.reports().import(&rows[..800], Mode::Approve).await.unwrap();
    database.store.reports().import(&rows[800..], Mode::Pending).await.unwrap();
    database
        .tamper("DELETE FROM counts; DELETE FROM presence; UPDATE postings SET slots = x'00'")
        .await;
    database
        .tamper("UPDATE places SET city_key = 'x' || city_key WHERE id % 5 = 0 AND level = 3")
        .await;

    let beside = database.elsewhere().await;
    let publishing = tokio::spawn(async move {
        for number in 0..400 {
            let ids = [format!("r{:04}", 800 + number)];
            // The lists cannot be added to until they are repaired.
            loop {
                match beside.reports().decide(Step::Approve, &ids).await {
                    Ok(_) => break,
                    Err(Error::Damaged(_)) => tokio::task::yield_now().await,
                    Err(error) => panic!("{error}"),
                }
            }
            loop {
                match beside
                    .reports()
                    .decide(Step::Withdraw, &[format!("r{:04}", number * 2)])
                    .await
                {
                    Ok(decisions) => break assert_eq!(decisions[0].1, Decision::Done),
                    Err(Error::Damaged(_)) => tokio::task::yield_now().await,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    });
    let rebuilt = database.store.rebuild(&|_| {}).await.unwrap();
    publishing.await.unwrap();
    assert!(rebuilt.counts > 0 && rebuilt.segments > 0 && rebuilt.moved > 0, "{rebuilt}");
    assert_eq!(database.store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn a_rebuild_goes_on_after_one_that_was_killed() {
    let database = Database::new().await;
    let rows: Vec<NewReport> = (0..9_000)
        .map(|number| {
            let city = format!("City {}", number % 3_000);
            report(&format!("r{number}"), ReportType::Water).at(&city, "", "Peru")
        })
        .collect();
    database.store.reports().import(&rows, Mode::Backfill).await.unwrap();
    database.tamper("DELETE FROM counts").await;
    database
        .tamper("UPDATE places SET city_key = 'x' || city_key WHERE id % 2 = 0 AND level = 3")
        .await;
    // Dropped at ever later moments: everything that its transactions did stays.
    for (round, moment) in (1_u32..).zip([1, 3, 5, 7, 9]) {
        let at = instant(START) + chrono::TimeDelta::seconds(11) * round as i32;
        let store = database.at(at);
        let (calls, reached) = (AtomicU64::new(0), Arc::new(Notify::new()));
        let watcher = |_: Progress| {
            if calls.fetch_add(1, Ordering::Relaxed) + 1 == moment {
                reached.notify_one();
            }
        };
        tokio::select! {
            biased;
            () = reached.notified() => {}
            done = store.rebuild(&watcher) => {
                assert!(round > 3, "over before {moment} calls: {}", done.unwrap());
            }
        }
    }
    let store = database.at(instant(START) + chrono::TimeDelta::minutes(5));
    store.rebuild(&|_| {}).await.unwrap();
    assert_eq!(store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn a_rebuild_waits_for_another_one_until_its_lease_is_over() {
    let database = Database::new().await;
    database
        .store
        .reports()
        .import(&[report("a", ReportType::Water)], Mode::Approve)
        .await
        .unwrap();
    database.tamper("UPDATE derived SET rebuild = 1, rebuild_until = 32503680000000").await;
    let waits = Notify::new();
    let watcher = |progress: Progress<'_>| {
        if progress.stage == Stage::Waiting {
            waits.notify_one();
        }
    };
    let waiting = database.store.rebuild(&watcher);
    let ending = async {
        waits.notified().await;
        // Not by this one, as the number says that it had.
        assert_eq!(database.count("SELECT rebuild FROM derived").await, 1);
        database.tamper("UPDATE derived SET rebuild_until = 0").await;
    };
    let (rebuilt, ()) = tokio::join!(waiting, ending);
    assert!(rebuilt.unwrap().is_nothing());
    assert_eq!(database.count("SELECT rebuild FROM derived").await, 2);
}

#[tokio::test]
async fn a_rebuild_stops_where_another_one_took_its_place() {
    let database = Database::new().await;
    database
        .store
        .reports()
        .import(&[report("a", ReportType::Water)], Mode::Approve)
        .await
        .unwrap();
    database.tamper("DELETE FROM counts").await;
    database.also("INSERT ON counts", "UPDATE derived SET rebuild = rebuild + 1").await;
    let stopped = database.store.rebuild(&|_| {}).await.unwrap_err();
    assert_eq!(
        stopped.to_string(),
        "another process has begun to rebuild the database: this one stopped"
    );
}
