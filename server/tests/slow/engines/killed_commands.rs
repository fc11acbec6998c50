//! Killed commands: running the same command again completes their work.

use serde_json::Value;

use crate::harness::Svc;

fn counts(svc: &Svc) -> [u64; 4] {
    let listed = svc.json(&["reports", "imports", "--json"]);
    let reports = &listed["imports"][0]["reports"];
    ["pending", "approved", "rejected", "withdrawn"].map(|status| reports[status].as_u64().unwrap())
}

/// Kills the command after its first change, and checks that the database is consistent.
fn kill(svc: &Svc, arguments: &[&str]) {
    let before = counts(svc);
    let mut child = svc.command(arguments).spawn().unwrap();
    while counts(svc) == before {
        assert_eq!(child.try_wait().unwrap(), None, "it was over before it was killed");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    svc.out(&["db", "check"]);
}

#[test]
fn a_decision_that_is_killed_is_completed_by_the_same_command() {
    let svc = Svc::migrated();
    let rows = 40_000;
    let csv = svc.out(&["demo", "csv", "--rows", &rows.to_string(), "--seed", "7"]);
    let import = svc.import(csv, &[]).import();
    let approve = ["reports", "approve", "--import", &import, "--json"];
    kill(&svc, &approve);
    let [pending, approved, ..] = counts(&svc);
    assert!(pending > 0 && approved > 0, "{pending} {approved}");
    let rest: Value = svc.json(&approve);
    assert_eq!(rest["approved"], pending);
    assert_eq!(counts(&svc), [0, rows, 0, 0]);

    let withdraw = ["reports", "withdraw", "--import", &import, "--json"];
    kill(&svc, &withdraw);
    let [_, approved, _, withdrawn] = counts(&svc);
    assert!(approved > 0 && withdrawn > 0, "{approved} {withdrawn}");
    let rest: Value = svc.json(&withdraw);
    assert_eq!(rest["withdrawn"], approved);
    assert_eq!(counts(&svc), [0, 0, 0, rows]);
    svc.out(&["db", "check"]);
}

#[test]
fn an_import_that_is_killed_is_completed_by_a_rerun_without_a_duplicate() {
    let svc = Svc::migrated();
    let rows = 120_000;
    let csv = svc.out(&["demo", "csv", "--rows", &rows.to_string(), "--seed", "5"]);
    std::fs::write(svc.path("reports.csv"), csv).unwrap();
    let arguments = ["reports", "import", "reports.csv", "--backfill"];
    let mut child = svc.command(&arguments).spawn().unwrap();
    // Once the first batch is visible, the next one is in progress.
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
    let answer: Value = serde_json::from_str(&rest.out).unwrap();
    let summary = &answer["summary"];
    let number = |name: &str| summary[name].as_u64().unwrap();
    assert_eq!((rest.code, number("rows"), number("refused")), (Some(0), rows, 0));
    assert!(number("skipped") > 0 && number("imported") > 0, "{summary}");
    svc.out(&["db", "check"]);
    let again = svc.run(&["reports", "import", "reports.csv", "--backfill", "--json"]);
    let answer: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(answer["summary"]["skipped"], rows);
}
