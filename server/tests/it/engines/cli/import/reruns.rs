use crate::{harness::Svc, imports::total};

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
    // The file has grown, and a bad row was corrected. Rows imported before keep their ids.
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
