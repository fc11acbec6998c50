//! `svc reports import`: what it accepts, what it says, and what is in the database then.

mod archives;
mod columns;
mod encodings;
mod json;
mod quotes;
mod refused_rows;
mod rows;
mod standard_input;
mod summaries;

use crate::harness::{Ran, Svc};

pub(crate) const HEADER: &str = "id,type,city,region,country,peopleCount,eventDate,createdAt\n";

fn refusals(ran: &Ran) -> Vec<&str> {
    ran.err.lines().collect()
}

pub(crate) fn total(svc: &Svc, status: &str) -> usize {
    let listed = svc.json(&["reports", "list", "--status", status, "--limit", "1000", "--json"]);
    listed["reports"].as_array().unwrap().len()
}

/// The cities of all reports, in the order of their ids.
fn cities(svc: &Svc) -> Vec<String> {
    let listed = svc.json(&["reports", "list", "--limit", "1000", "--json"]);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let reports = listed["reports"].as_array().unwrap().iter();
    let mut named: Vec<_> =
        reports.map(|report| (text(&report["id"]), text(&report["city"]))).collect();
    named.sort();
    named.into_iter().map(|(_, city)| city).collect()
}

/// Imports a file of this name, which has to go in without a word.
fn import_as(name: &str, file: impl AsRef<[u8]>) -> Svc {
    let svc = Svc::migrated();
    std::fs::write(svc.path(name), file).unwrap();
    let ran = svc.run(&["reports", "import", name]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}");
    svc
}
