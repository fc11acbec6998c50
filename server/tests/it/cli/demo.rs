use std::collections::HashSet;

use crate::harness::Svc;

#[test]
fn made_up_reports_are_the_same_for_the_same_seed_and_all_of_them_can_be_imported() {
    let svc = Svc::migrated();
    let csv = svc.out(&["demo", "csv", "--rows", "2000", "--seed", "7"]);
    assert_eq!(csv, svc.out(&["demo", "csv", "--rows", "2000", "--seed", "7"]));
    assert_ne!(csv, svc.out(&["demo", "csv", "--rows", "2000", "--seed", "8"]));
    let ran = svc.import(&csv, &["--backfill"]);
    assert_eq!(ran.summary(), "2,000 reports imported and published as history.\n");
    let years: HashSet<&str> =
        csv.lines().skip(1).map(|line| &line.rsplit(',').nth(3).unwrap()[..4]).collect();
    assert_eq!(years.len(), 10);
    svc.out(&["db", "check"]);
}

#[test]
fn without_a_seed_made_up_reports_are_those_of_the_first() {
    let svc = Svc::new();
    let csv = svc.out(&["demo", "csv", "--rows", "20"]);
    assert_eq!(csv, svc.out(&["demo", "csv", "--rows", "20", "--seed", "1"]));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let svc = Svc::new();
    let mut child =
        svc.command(&["demo", "csv", "--rows", "500000", "--seed", "1"]).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
