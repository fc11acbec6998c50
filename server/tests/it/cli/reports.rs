//! `svc reports`: listing reports and deciding on them.

mod standard_input;

use serde_json::json;

use crate::harness::Svc;

pub(crate) fn with_pending(ids: &[&str]) -> Svc {
    let svc = Svc::migrated();
    let rows: Vec<String> = ids.iter().map(|id| format!("{id},spirit,Oslo,Norway\n")).collect();
    let ran = svc.import(format!("id,type,city,country\n{}", rows.concat()), &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    svc
}

#[test]
fn a_refused_step_names_both_states_and_the_others_are_taken() {
    let svc = with_pending(&["a", "b"]);
    let ran = svc.run(&["reports", "approve", "a", "x"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.out, "a: approved\n");
    assert_eq!(ran.err, "x: refused: there is no report with this id\n");
    let ran = svc.run(&["reports", "approve", "a"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err, "a: refused: it is APPROVED and cannot become APPROVED\n");
    let ran = svc.run(&["reports", "withdraw", "a", "b", "--json"]);
    assert_eq!(ran.code, Some(3));
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(),
        json!({
            "withdrawn": ["a"],
            "refused": [{ "id": "b", "reason": "it is PENDING and cannot become WITHDRAWN" }],
        })
    );
    assert_eq!(svc.out(&["reports", "reject", "b"]), "b: rejected\n");
    svc.out(&["db", "check"]);
}

#[test]
fn all_that_is_pending_can_be_approved_at_once() {
    let svc = with_pending(&["a", "b", "c"]);
    svc.out(&["reports", "reject", "b"]);
    assert_eq!(svc.out(&["reports", "approve", "--all-pending"]), "Approved 2 reports.\n");
    assert_eq!(
        svc.out(&["reports", "approve", "--all-pending"]),
        "Nothing to approve: no pending report matches.\n"
    );
}

#[test]
fn the_list_is_a_table() {
    let svc = Svc::migrated();
    svc.import(
        "id,type,city,region,country,peopleCount,createdAt\n\
         r-1,spirit,Łódź,,Poland,12,2024-05-01T10:00:00Z\n\
         r-22,both,Campinas,São Paulo,Brazil,1,2024-04-30T10:00:00Z\n",
        &[],
    );
    assert_eq!(
        svc.out(&["reports", "list", "--status", "pending"]),
        "ID    STATUS   TYPE    PEOPLE  EVENT DATE  CREATED                   PLACE\n\
         r-22  PENDING  both    1       2024-04-30  2024-04-30T10:00:00.000Z  Campinas, São Paulo, Brazil\n\
         r-1   PENDING  spirit  12      2024-05-01  2024-05-01T10:00:00.000Z  Łódź, Poland\n"
    );
    assert_eq!(svc.out(&["reports", "list", "--status", "APPROVED"]), "No reports.\n");
}

#[test]
fn bad_usage_exits_with_2_and_a_missing_database_with_1() {
    let svc = Svc::new();
    for arguments in [
        &["reports", "approve"][..],
        &["reports", "approve", "a", "--all-pending"],
        &["reports", "import"],
        &["reports", "import", "f", "--approve", "--backfill"],
        &["reports", "list", "--status", "GONE"],
        &["nothing"],
        &[],
    ] {
        assert_eq!(svc.run(arguments).code, Some(2), "{arguments:?}");
    }
    let ran = svc.run(&["reports", "list"]);
    assert_eq!((ran.code, ran.err), (Some(1), svc.no_database_yet()));
}
