use crate::harness::Svc;

#[tokio::test]
async fn check_exits_with_1_and_names_the_differences() {
    let svc = Svc::migrated();
    let ran = svc.import("type,city,country\nspirit,Oslo,Norway\n", &["--approve"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(svc.out(&["db", "check"]), "Everything agrees with the reports.\n");
    // Counts of the world, the country, the region and the city. The world gets two spirits, each other place one.
    svc.change("UPDATE counts SET counts = x'01020000010100000101000001010000' WHERE grain = 0")
        .await;
    let ran = svc.run(&["db", "check"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.out,
        "the world, all time: stored 2 spirit, 0 water, 0 both, \
         recounted 1 spirit, 0 water, 0 both\n1 difference found. `svc db check --repair` corrects them.\n"
    );
    let ran = svc.run(&["db", "check", "--json"]);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(),
        serde_json::json!({ "differences": [{
            "subject": "the world",
            "bucket": "all time",
            "stored": "2 spirit, 0 water, 0 both",
            "recounted": "1 spirit, 0 water, 0 both",
        }], "more": 0 })
    );
    let ran = svc.run(&["db", "check", "--repair"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        ran.out,
        "the world, all time: stored 2 spirit, 0 water, 0 both, \
         recounted 1 spirit, 0 water, 0 both\n1 difference found and repaired. Corrected: 1 count.\n"
    );
    assert_eq!(svc.out(&["db", "check"]), "Everything agrees with the reports.\n");
    assert_eq!(svc.out(&["db", "check", "--repair"]), "Everything agrees with the reports.\n");
}

#[tokio::test]
async fn a_repair_says_what_it_found_and_corrected() {
    let svc = Svc::migrated();
    svc.import("type,city,country\nspirit,Oslo,Norway\n", &["--approve"]);
    svc.change("DELETE FROM presence WHERE grain = 0").await;
    assert_eq!(
        svc.json(&["db", "check", "--repair", "--json"]),
        serde_json::json!({
            "differences": [{
                "subject": "the set of cities",
                "bucket": "all time",
                "stored": "0 cities",
                "recounted": "1 city",
            }, {
                "subject": "the set of countries",
                "bucket": "all time",
                "stored": "0 countries",
                "recounted": "1 country",
            }],
            "more": 0,
            "repaired": {
                "reports": 1, "counts": 0, "setsOfCities": 2, "segments": 0, "listed": 0,
                "moved": 0, "places": 0, "orphans": 0,
            },
            "remaining": [],
        })
    );
}

/// An index lacks a row, so queries that use it miss the report.
#[tokio::test]
async fn a_damaged_file_is_not_written_to() {
    let svc = Svc::with_migrated_file();
    svc.import("type,city,country\nspirit,Oslo,Norway\n", &["--approve"]);
    svc.tamper(
        "data/svc.db",
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_master SET sql = 'CREATE INDEX reports_not_approved ON reports (status)'
         WHERE name = 'reports_not_approved'",
    )
    .await;
    for arguments in [&["db", "check"][..], &["db", "check", "--repair"]] {
        let ran = svc.run(arguments);
        assert_eq!(ran.code, Some(1));
        let found = "the file, all time: stored wrong # of entries in index reports_not_approved, recounted a sound database\n";
        assert!(ran.out.contains(found), "{}", ran.out);
        assert!(
            ran.out.ends_with(
                "found. The file itself is damaged: restore a backup with `svc db restore FILE`.\n"
            ),
            "{}",
            ran.out
        );
    }
}
