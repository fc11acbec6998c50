use super::total;
use crate::harness::Svc;

#[test]
fn a_rerun_adds_nothing_with_ids_and_without() {
    let svc = Svc::migrated();
    let with_ids = svc.out(&["demo", "csv", "--rows", "500", "--seed", "3"]);
    let without = "type,city,country\nspirit,Oslo,Norway\nspirit,Oslo,Norway\nwater,Oslo,Norway\n";
    for csv in [with_ids.as_str(), without] {
        let rows = csv.lines().count() - 1;
        let first = svc.import(csv, &["--backfill"]);
        assert!(first.out.starts_with(&format!("{rows} reports imported")), "{}", first.out);
        let again = svc.import(csv, &["--backfill"]);
        assert_eq!((again.code, again.err.as_str()), (Some(0), ""));
        let skipped = format!(
            "0 reports imported and published as history; {rows} rows skipped, already there.\n"
        );
        assert_eq!(again.summary(), skipped);
    }
    // The file went on, and a bad row was mended: what was there keeps its id.
    let longer = "type,city,country\nboth,Oslo,Norway\nspirit,Oslo,Norway\nspirit,Oslo,Norway\n\
                  spirit,Oslo,Norway\nwater,Oslo,Norway\n";
    let ran = svc.import(longer, &["--backfill"]);
    assert_eq!(
        ran.summary(),
        "2 reports imported and published as history; 3 rows skipped, already there.\n"
    );
}

#[test]
fn an_import_without_a_database_fails_and_writes_nothing() {
    let svc = Svc::new();
    let csv = "type,city,country\nspirit,Oslo,Norway\n";
    let ran =
        svc.import(csv, &["--database-url", "sqlite://dta/svc.db", "--errors", "refused.csv"]);
    assert_eq!((ran.code, ran.err), (Some(1), svc.no_database("dta/svc.db")));
    assert_eq!(svc.files(""), ["reports.csv"]);
}

#[test]
fn a_dry_run_says_the_same_and_writes_nothing() {
    let svc = Svc::new();
    let csv = "id,type,city,country\n1,spirit,Oslo,Norway\n1,spirit,Oslo,Norway\n2,fire,Oslo,Norway\n\
               1,water,Oslo,Norway\n";
    let expected = "1 report would be imported (dry run: nothing was written); 1 row skipped, \
                    already there; 2 rows refused.\n";
    let dry = svc.import(csv, &["--dry-run"]);
    assert_eq!((dry.code, dry.out.as_str()), (Some(3), expected));
    let missing = svc.no_database_yet().replacen("svc: ", "note: ", 1);
    let note = format!("{}; the rows are compared with each other only\n", missing.trim_end());
    assert!(dry.err.starts_with(&note), "{}", dry.err);
    assert!(!svc.path("data").exists());
    svc.out(&["db", "migrate"]);
    let dry = svc.import(csv, &["--dry-run"]);
    assert_eq!((dry.code, dry.out.as_str()), (Some(3), expected));
    assert_eq!(total(&svc, "PENDING"), 0);
}

#[test]
fn an_import_that_is_killed_is_completed_by_a_rerun_without_a_duplicate() {
    let svc = Svc::migrated();
    let rows = 120_000;
    let csv = svc.out(&["demo", "csv", "--rows", &rows.to_string(), "--seed", "5"]);
    std::fs::write(svc.path("reports.csv"), csv).unwrap();
    let arguments = ["reports", "import", "reports.csv", "--backfill"];
    let mut child = svc.command(&arguments).spawn().unwrap();
    // Once the first batch shows, the next is under way.
    let list = ["reports", "list", "--limit", "1", "--json"];
    loop {
        let listed = svc.run(&list);
        if listed.code == Some(0) && !listed.out.contains("\"reports\":[]") {
            break;
        }
        assert_eq!(child.try_wait().unwrap(), None, "the import was over before it was killed");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    svc.out(&["db", "check"]);
    let rest = svc.run(&["reports", "import", "reports.csv", "--backfill", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&rest.out).unwrap();
    let summary = &answer["summary"];
    let number = |name: &str| summary[name].as_u64().unwrap();
    assert_eq!((rest.code, number("rows"), number("refused")), (Some(0), rows, 0));
    assert!(number("skipped") > 0 && number("imported") > 0, "{summary}");
    svc.out(&["db", "check"]);
    let again = svc.run(&["reports", "import", "reports.csv", "--backfill", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(answer["summary"]["skipped"], rows);
}

#[test]
fn a_dry_run_knows_rows_without_dates_again() {
    let svc = Svc::migrated();
    let row = "1,spirit,Oslo,Norway\n";
    let csv = format!("id,type,city,country\n{}", row.repeat(50_000));
    let dry = svc.import(csv, &["--dry-run"]);
    assert_eq!(
        (dry.code, dry.out.as_str()),
        (
            Some(0),
            "1 report would be imported (dry run: nothing was written); 49,999 rows skipped, already \
             there.\n"
        )
    );
}
