use serde_json::{Value, json};

use crate::harness::Svc;

fn ids(svc: &Svc, flags: &[&str]) -> Vec<String> {
    let listed = svc.json(&[&["reports", "list", "--json"], flags].concat());
    let reports = listed["reports"].as_array().unwrap().iter();
    reports.map(|report| report["id"].as_str().unwrap().to_owned()).collect()
}

/// Creates two reports of each status: pending, approved, rejected and withdrawn, in the order of their ids.
fn with_all_statuses() -> Svc {
    let svc = Svc::migrated();
    let mut csv = "id,type,city,country,createdAt\n".to_owned();
    for number in 1..=8 {
        let (kind, country) = if number < 5 { ("spirit", "Norway") } else { ("water", "Brasil") };
        csv += &format!("{number},{kind},Somewhere,{country},2026-03-0{}T12:00:00Z\n", 9 - number);
    }
    assert_eq!(svc.import(csv, &[]).code, Some(0));
    svc.out(&["reports", "approve", "2", "4", "6", "8"]);
    svc.out(&["reports", "withdraw", "4", "8"]);
    svc.out(&["reports", "reject", "3", "7"]);
    svc
}

#[test]
fn a_list_says_when_it_shows_only_a_part() {
    let svc = with_all_statuses();
    for (flags, said) in [
        (&[][..], "Showing the newest 1 of 8 reports; --limit shows more.\n"),
        (
            &["--status", "pending"],
            "Showing the newest 1 of 2 pending reports; --limit shows more.\n",
        ),
        (
            &["--status", "approved"],
            "Showing the newest 1 of 2 approved reports; --limit shows more.\n",
        ),
        (
            &["--status", "rejected"],
            "Showing the newest 1 of 2 rejected reports; --limit shows more.\n",
        ),
        (
            &["--status", "withdrawn"],
            "Showing the newest 1 of 2 withdrawn reports; --limit shows more.\n",
        ),
        (
            &["--type", "water"],
            "Showing the newest 1 of the reports that match; there are more: --limit shows them.\n",
        ),
    ] {
        let part = svc.run(&[&["reports", "list", "--limit", "1"], flags].concat());
        assert_eq!((part.code, part.out.lines().count(), part.err.as_str()), (Some(0), 2, said));
        let all = svc.run(&[&["reports", "list", "--limit", "8"], flags].concat());
        assert_eq!((all.code, all.err.as_str()), (Some(0), ""));
        let part = svc.json(&[&["reports", "list", "--json", "--limit", "1"], flags].concat());
        assert_eq!(part["more"], true);
        let all = svc.json(&[&["reports", "list", "--json", "--limit", "8"], flags].concat());
        assert_eq!(all["more"], false);
    }
    assert_eq!(svc.run(&["reports", "list", "--limit", "0"]).code, Some(2));
}

#[test]
fn what_came_in_last_is_listed_first_whenever_it_was_created() {
    let svc = with_all_statuses();
    assert_eq!(ids(&svc, &[]), ["8", "7", "6", "5", "4", "3", "2", "1"]);
    assert_eq!(ids(&svc, &["--status", "PENDING"]), ["5", "1"]);
    assert_eq!(ids(&svc, &["--status", "approved"]), ["6", "2"]);
    assert_eq!(ids(&svc, &["--status", "rejected"]), ["7", "3"]);
    assert_eq!(ids(&svc, &["--status", "withdrawn"]), ["8", "4"]);
}

#[test]
fn a_list_can_be_narrowed_like_a_decision() {
    let svc = with_all_statuses();
    let later = svc.import("id,type,city,country\n9,both,Rio,Brazil\n", &[]).import();
    assert_eq!(ids(&svc, &["--country", "BRA"]), ["9", "8", "7", "6", "5"]);
    assert_eq!(ids(&svc, &["--country", "brazil", "--status", "approved"]), ["6"]);
    assert_eq!(ids(&svc, &["--type", "Spirit", "--status", "rejected"]), ["3"]);
    assert_eq!(ids(&svc, &["--import", &later]), ["9"]);
    // `--before` excludes its day.
    assert_eq!(ids(&svc, &["--before", "2026-03-05"]), ["8", "7", "6", "5"]);
    assert_eq!(ids(&svc, &["--before", "2026-03-05T12:00:00.001Z"]), ["8", "7", "6", "5", "4"]);
    assert_eq!(ids(&svc, &["--country", "Atlantis"]), [""; 0]);
}

/// No index contains approved reports in import order, so the search may pass thousands of others.
#[test]
fn an_approved_report_is_found_behind_any_number_of_others() {
    let svc = Svc::migrated();
    let approved = "id,type,city,country\nold-1,spirit,Oslo,Norway\nold-2,spirit,Oslo,Norway\n";
    svc.import(approved, &["--approve"]);
    let many = svc.out(&["demo", "csv", "--rows", "25000", "--seed", "1"]);
    assert_eq!(svc.import(many, &[]).code, Some(0));
    assert_eq!(ids(&svc, &["--status", "approved"]), ["old-2", "old-1"]);
    let between = "id,type,city,country\nnew-1,spirit,Oslo,Norway\n";
    svc.import(between, &["--approve"]);
    assert_eq!(ids(&svc, &["--status", "approved", "--limit", "2"]), ["new-1", "old-2"]);
    let listed: Value = svc.json(&["reports", "list", "--limit", "1", "--json"]);
    assert_eq!((&listed["reports"][0]["id"], &listed["more"]), (&json!("new-1"), &json!(true)));
}
