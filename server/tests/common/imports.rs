//! Results of the command `svc reports import`.

use super::harness::Svc;

pub(crate) fn total(svc: &Svc, status: &str) -> usize {
    let listed = svc.json(&["reports", "list", "--status", status, "--limit", "1000", "--json"]);
    listed["reports"].as_array().unwrap().len()
}

/// Cities of all reports, in the order of their ids.
pub(crate) fn cities(svc: &Svc) -> Vec<String> {
    let listed = svc.json(&["reports", "list", "--limit", "1000", "--json"]);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let reports = listed["reports"].as_array().unwrap().iter();
    let mut named: Vec<_> =
        reports.map(|report| (text(&report["id"]), text(&report["city"]))).collect();
    named.sort();
    named.into_iter().map(|(_, city)| city).collect()
}

/// Imports a file of this name, which has to succeed without a message.
pub(crate) fn import_as(name: &str, file: impl AsRef<[u8]>) -> Svc {
    let svc = Svc::migrated();
    std::fs::write(svc.path(name), file).unwrap();
    let ran = svc.run(&["reports", "import", name]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}");
    svc
}
