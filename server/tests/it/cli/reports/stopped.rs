use serde_json::Value;

use crate::harness::Svc;

fn counts(svc: &Svc) -> [u64; 4] {
    let listed = svc.json(&["reports", "imports", "--json"]);
    let reports = &listed["imports"][0]["reports"];
    ["pending", "approved", "rejected", "withdrawn"].map(|status| reports[status].as_u64().unwrap())
}

/// Kills the command once it has changed something, and checks that nothing is half done.
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
