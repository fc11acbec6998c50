//! `svc db rebuild` as a separate process.

use std::{fmt::Write, time::Duration};

use crate::harness::{Ran, Svc, soon};

/// CSV file with two reports in each of `cities` cities.
fn two_in_each(cities: usize) -> String {
    let mut csv = "type,city,country,date\n".to_owned();
    for number in 0..2 * cities {
        let (city, day) = (number % cities, 1 + number % 28);
        writeln!(csv, "water,City {city},Peru,2020-02-{day:02}").unwrap();
    }
    csv
}

#[tokio::test]
async fn a_rebuild_says_what_it_corrected() {
    let svc = Svc::migrated();
    assert_eq!(
        svc.out(&["db", "rebuild"]),
        "Compared with 0 reports: everything agreed already.\n"
    );
    svc.import(two_in_each(2), &["--backfill"]);
    let everything_agrees = "Compared with 4 reports: everything agreed already.\n";
    assert_eq!(svc.out(&["db", "rebuild"]), everything_agrees);
    let damage =
        "DELETE FROM counts WHERE grain = 0; UPDATE reports SET position = NULL WHERE seq = 1;
                  UPDATE places SET city_key = 'x' WHERE city = 'City 1'";
    svc.change(damage).await;
    assert_eq!(
        svc.out(&["db", "rebuild"]),
        "Compared with 4 reports. Corrected: 5 counts, 1 segment of the lists, \
         1 report that no list had, 2 reports in wrong places and 1 place.\n"
    );
    assert_eq!(
        svc.json(&["db", "rebuild", "--json"]),
        serde_json::json!({
            "reports": 4, "counts": 0, "setsOfCities": 0, "segments": 0, "listed": 0,
            "moved": 0, "places": 0, "orphans": 0,
        })
    );
    assert_eq!(svc.out(&["db", "check"]), "Everything agrees with the reports.\n");
}

/// Moving twenty thousand reports takes several transactions.
#[tokio::test]
async fn a_killed_rebuild_is_continued() {
    let svc = Svc::migrated();
    svc.import(two_in_each(10_000), &["--backfill"]);
    let damage = "DELETE FROM presence;
                  UPDATE places SET city_key = 'x' || city_key WHERE level = 3";
    svc.change(damage).await;
    let moved = "SELECT count(*) FROM reports
                 WHERE place_id NOT IN (SELECT id FROM places WHERE city_key LIKE 'x%')";
    for at_least in [1, 5_000] {
        let mut rebuild = svc.command(&["db", "rebuild"]).spawn().unwrap();
        let mut looking = tokio::time::interval(Duration::from_millis(5));
        let begun = async {
            while svc.count(moved).await < at_least {
                looking.tick().await;
            }
        };
        soon("reports in their places", begun).await;
        rebuild.kill().unwrap();
        rebuild.wait().unwrap();
    }
    let before = svc.count(moved).await;
    let ran = Ran::of(svc.command(&["db", "rebuild"]).output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let left = 20_000 - before;
    assert!(left > 0, "the last kill came too late");
    assert!(
        ran.out.starts_with("Compared with 20,000 reports. Corrected: ")
            && ran.out.contains(&format!(
                "{} reports in wrong places and 10,000 places.",
                thousands(left)
            )),
        "{}",
        ran.out
    );
    assert_eq!(svc.out(&["db", "check"]), "Everything agrees with the reports.\n");
    assert_eq!(svc.count("SELECT count(*) FROM places WHERE level = 3").await, 10_000);
}

fn thousands(number: i64) -> String {
    indicatif::HumanCount(number.cast_unsigned()).to_string()
}
