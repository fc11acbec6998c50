use serde_json::json;

use crate::cli::reports::with_pending;

#[test]
fn a_rejected_or_withdrawn_report_can_be_decided_on_once_more() {
    let svc = with_pending(&["a", "b", "c", "d"]);
    svc.out(&["reports", "reject", "a"]);
    svc.out(&["reports", "approve", "b", "c"]);
    svc.out(&["reports", "withdraw", "b"]);
    let ran = svc.run(&["reports", "reopen", "a", "b", "c", "d", "x"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.out, "a: reopened\nb: reopened\n");
    assert_eq!(
        ran.err,
        "c: refused: it is APPROVED and cannot become PENDING\n\
         d: refused: it is PENDING and cannot become PENDING\n\
         x: refused: there is no report with this id\n"
    );
    svc.out(&["db", "check"]);
    let pending = svc.json(&["reports", "list", "--status", "pending", "--json"]);
    let reports: Vec<_> = pending["reports"].as_array().unwrap().iter().collect();
    assert_eq!(reports.len(), 3);
    assert!(reports.iter().all(|report| report["publishedAt"].is_null()), "{reports:?}");

    // A reopened report that is approved again is published like any other.
    assert_eq!(svc.out(&["reports", "approve", "b", "a"]), "b: approved\na: approved\n");
    svc.out(&["db", "check"]);
    assert_eq!(svc.out(&["reports", "withdraw", "a"]), "a: withdrawn\n");
    assert_eq!(svc.out(&["reports", "reopen", "a"]), "a: reopened\n");
    assert_eq!(svc.out(&["reports", "reject", "a"]), "a: rejected\n");
    svc.out(&["db", "check"]);
}

#[test]
fn rejected_and_withdrawn_reports_are_reopened_by_what_they_are() {
    let svc = with_pending(&["a", "b", "c"]);
    let other = svc.import("id,type,city,country\nd,water,Oslo,Norway\n", &[]).import();
    svc.out(&["reports", "approve", "a", "b"]);
    svc.out(&["reports", "withdraw", "a"]);
    svc.out(&["reports", "reject", "c", "d"]);
    let answer = svc.json(&["reports", "reopen", "--type", "spirit", "--dry-run", "--json"]);
    assert_eq!(answer, json!({ "reopened": 2, "skipped": 0, "dryRun": true }));
    assert_eq!(svc.out(&["reports", "reopen", "--import", &other]), "Reopened 1 report.\n");
    assert_eq!(svc.out(&["reports", "reopen", "--country", "NO"]), "Reopened 2 reports.\n");
    assert_eq!(
        svc.out(&["reports", "reopen", "--country", "NO"]),
        "Nothing to reopen: no rejected or withdrawn report matches.\n"
    );
    svc.out(&["db", "check"]);
}
