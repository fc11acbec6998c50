use std::{io::Write, process::Stdio};

use serde_json::{Value, json};

use super::with_pending;

#[test]
fn ids_are_read_from_standard_input() {
    let svc = with_pending(&["a", "b c", "Łódź", "d"]);
    let input = "\u{feff}a\r\n\r\n  b c\nŁódź\n\na\nx";
    let ran = svc.run_with_input(&["reports", "approve", "-"], input.as_bytes());
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.out, "a: approved\nb c: approved\nŁódź: approved\n");
    assert_eq!(ran.err, "x: refused: there is no report with this id\n");
    let ran = svc.run_with_input(&["reports", "withdraw", "a", "-", "--json"], "a\nŁ\n".as_bytes());
    assert_eq!(
        serde_json::from_str::<Value>(&ran.out).unwrap(),
        json!({
            "withdrawn": ["a"],
            "refused": [{ "id": "Ł", "reason": "there is no report with this id" }],
        })
    );
    svc.out(&["db", "check"]);
}

#[test]
fn standard_input_without_ids_changes_nothing() {
    let svc = with_pending(&["a"]);
    for input in ["", "\n \r\n"] {
        let ran = svc.run_with_input(&["reports", "approve", "-"], input.as_bytes());
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (Some(0), "No ids on standard input: nothing to approve.\n", "")
        );
    }
    let ran = svc.run_with_input(&["reports", "approve", "-", "--json"], b"");
    assert_eq!(ran.out, "{\"approved\":[],\"refused\":[]}\n");
}

#[test]
fn what_is_no_list_of_ids_is_refused_before_anything_changes() {
    let svc = with_pending(&["a"]);
    let long = "x".repeat(129);
    let ran = svc.run_with_input(&["reports", "approve", "-"], format!("a\n{long}\n").as_bytes());
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(1), "svc: line 2 of standard input is not an id: it has more than 128 characters\n")
    );
    let ran = svc.run_with_input(&["reports", "approve", "-"], b"a\n\xff\n");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("svc: line 2 of standard input is not UTF-8"), "{}", ran.err);
    assert_eq!(svc.out(&["reports", "approve", "a"]), "a: approved\n");
}

#[test]
fn thousands_of_ids_are_decided_on_in_batches_and_each_is_answered() {
    let ids: Vec<String> = (0..3_000).map(|number| format!("r-{number}")).collect();
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    let svc = with_pending(&names);
    // `r-0` is repeated at the end, so that it is in two batches.
    let input = format!("{}\nr-0\n", ids.join("\n"));
    let ran = svc.run_with_input(&["reports", "approve", "-"], input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let expected: String = ids.iter().map(|id| format!("{id}: approved\n")).collect();
    assert_eq!(ran.out, expected);
    svc.out(&["db", "check"]);
}

#[test]
fn every_id_is_decided_on_although_nobody_reads_the_answers() {
    let ids: Vec<String> = (0..3_000).map(|number| format!("r-{number}")).collect();
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    let svc = with_pending(&names);
    let mut child = svc.command(&["reports", "reject", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(ids.join("\n").as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let list = ["reports", "list", "--status", "rejected", "--limit", "5000", "--json"];
    assert_eq!(svc.json(&list)["reports"].as_array().unwrap().len(), 3_000);
}
