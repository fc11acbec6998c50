use serde_json::json;

use crate::harness::Svc;

const HEADER: &str = "id,type,city,country,createdAt\n";

/// Creates six pending reports: two types, two countries, three days, two imports.
fn with_six() -> (Svc, [String; 2]) {
    let svc = Svc::migrated();
    let first = "1,spirit,Oslo,Norway,2026-03-01T12:00:00Z\n\
                 2,water,Oslo,Norge,2026-03-02T12:00:00Z\n\
                 3,spirit,Rio,Brasil,2026-03-03T12:00:00Z\n";
    let second = "4,water,Rio,BR,2026-03-01T12:00:00Z\n\
                  5,spirit,Rio,Brazil,2026-03-02T12:00:00Z\n\
                  6,water,Oslo,NOR,2026-03-03T12:00:00Z\n";
    let imports = [first, second].map(|rows| svc.import(format!("{HEADER}{rows}"), &[]).import());
    (svc, imports)
}

fn of_status(svc: &Svc, status: &str) -> String {
    let listed = svc.json(&["reports", "list", "--status", status, "--json"]);
    let reports = listed["reports"].as_array().unwrap().iter().rev();
    reports.map(|report| report["id"].as_str().unwrap()).collect()
}

#[test]
fn filters_narrow_each_other() {
    for (flags, expected) in [
        (&["--type", "water"][..], "246"),
        (&["--country", "Norwegen"], "126"),
        (&["--country", "brazil", "--type", "spirit"], "35"),
        (&["--before", "2026-03-02"], "14"),
        (&["--before", "2026-03-02T12:00:00.001Z", "--country", "no"], "12"),
        (&["--all-pending", "--type", "spirit"], "135"),
        (&["--all-pending"], "123456"),
        (&["--type", "both"], ""),
    ] {
        let (svc, _) = with_six();
        let count = expected.len();
        let dry = svc.json(&[&["reports", "approve", "--dry-run", "--json"], flags].concat());
        assert_eq!(dry, json!({ "approved": count, "skipped": 0, "dryRun": true }), "{flags:?}");
        assert_eq!(of_status(&svc, "approved"), "");
        let done = svc.json(&[&["reports", "approve", "--json"], flags].concat());
        assert_eq!(done, json!({ "approved": count, "skipped": 0 }), "{flags:?}");
        assert_eq!(of_status(&svc, "approved"), expected, "{flags:?}");
        svc.out(&["db", "check"]);
    }
}

#[test]
fn an_import_is_decided_on_as_a_whole_or_narrowed() {
    let (svc, [first, second]) = with_six();
    let said = svc.out(&["reports", "approve", "--import", &second, "--dry-run"]);
    assert_eq!(said, "3 reports would be approved (dry run: nothing was changed).\n");
    assert_eq!(svc.out(&["reports", "approve", "--import", &second]), "Approved 3 reports.\n");
    assert_eq!(of_status(&svc, "approved"), "456");
    let said = svc.out(&["reports", "reject", "--import", &first, "--type", "water"]);
    assert_eq!(said, "Rejected 1 report.\n");
    assert_eq!(of_status(&svc, "rejected"), "2");
    let said = svc.out(&["reports", "withdraw", "--import", &second, "--country", "Brasil"]);
    assert_eq!(said, "Withdrawn 2 reports.\n");
    assert_eq!(of_status(&svc, "withdrawn"), "45");
    assert_eq!(of_status(&svc, "pending"), "13");
    let said = svc.out(&["reports", "withdraw", "--import", &first]);
    assert_eq!(said, "Nothing to withdraw: no approved report matches.\n");
    svc.out(&["db", "check"]);
}

#[test]
fn a_dry_run_of_ids_says_what_would_become_of_each_and_changes_nothing() {
    let (svc, _) = with_six();
    let ran = svc.run(&["reports", "approve", "1", "x", "--dry-run"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.out, "1: would be approved\n");
    assert_eq!(ran.err, "x: refused: there is no report with this id\n");
    let answer = svc.json(&["reports", "reject", "1", "--dry-run", "--json"]);
    assert_eq!(answer, json!({ "rejected": ["1"], "refused": [], "dryRun": true }));
    assert_eq!(of_status(&svc, "pending"), "123456");
}

#[test]
fn reports_are_either_named_or_selected() {
    let (svc, _) = with_six();
    for step in ["approve", "reject", "withdraw", "reopen", "restore"] {
        for flags in [
            &["--type", "water"][..],
            &["--country", "NO"],
            &["--before", "2026-03-02"],
            &["--import", "imp_1kjmma2g0"],
        ] {
            let ran = svc.run(&[&["reports", step, "1"], flags].concat());
            assert_eq!(ran.code, Some(2), "{step} {flags:?}");
            let said = format!("error: the argument '[ID]...' cannot be used with '{}", flags[0]);
            assert!(ran.err.starts_with(&said), "{}", ran.err);
        }
        let ran = svc.run(&["reports", step, "--dry-run"]);
        assert_eq!(ran.code, Some(2));
        let filters = "--import <ID>|--type <TYPE>|--country <COUNTRY>|--before <DATE>";
        let all = if matches!(step, "approve" | "reject") { "--all-pending|" } else { "" };
        let said = format!(
            "error: the following required arguments were not provided:\n  <ID|{all}{filters}>\n"
        );
        assert!(ran.err.starts_with(&said), "{}", ran.err);
    }
    assert_eq!(svc.run(&["reports", "withdraw", "--all-pending"]).code, Some(2));
    for (flags, said) in [
        (["--type", "fire"], "the types are spirit, water and both"),
        (["--country", " "], "it is blank: name a country"),
        (
            ["--before", "yesterday"],
            "neither a date such as 2026-03-01 nor an instant such as 2026-03-01T18:00:00Z",
        ),
    ] {
        let ran = svc.run(&[&["reports", "approve"][..], &flags].concat());
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    assert_eq!(of_status(&svc, "pending"), "123456");
}
