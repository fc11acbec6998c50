use serde_json::{Value, json};

use crate::harness::{Ran, Svc};

/// Runs a command as this user.
fn by(user: &str, svc: &Svc, arguments: &[&str]) -> String {
    let ran = Ran::of(svc.command(arguments).env("USER", user).output().unwrap());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

/// Id of the import in its output.
fn imported(said: &str) -> String {
    said.split_once("Import: ").unwrap().1.trim_end().to_owned()
}

/// Entries of the audit log without time and origin, newest first.
fn log(svc: &Svc, flags: &[&str]) -> Value {
    let mut shown = svc.json(&[&["audit", "--json"], flags].concat());
    for entry in shown["entries"].as_array_mut().unwrap() {
        let (at, origin) = (entry["at"].take(), entry["origin"].take());
        assert_eq!(at.as_str().unwrap().len(), "2026-03-01T12:00:00.000Z".len());
        let machine = origin.as_str().unwrap().strip_prefix("command line of ").unwrap();
        assert!(!machine.is_empty());
    }
    shown
}

fn entry(who: &str, action: &str, subject: &str, before: Value, after: Value) -> Value {
    json!({
        "at": null, "actor": who, "key": null, "origin": null, "action": action, "subject": subject,
        "before": before, "after": after,
    })
}

const CSV: &str = "id,type,city,country\n\
                   r-1,spirit,Recife,Brazil\nr-2,water,Natal,Brazil\nr-3,both,Natal,Brazil\n";

#[test]
fn decisions_are_kept_with_who_made_them_and_what_was_before() {
    let svc = Svc::migrated();
    std::fs::write(svc.path("reports.csv"), CSV).unwrap();
    let import = imported(&by("maria", &svc, &["reports", "import", "reports.csv"]));
    by("maria", &svc, &["reports", "approve", "r-1", "r-2"]);
    by("jo", &svc, &["reports", "reject", "r-3"]);
    by("jo", &svc, &["reports", "withdraw", "r-2"]);
    by("maria", &svc, &["reports", "reopen", "r-2", "r-3"]);

    let status = |status: &str| json!({ "status": status });
    let decided = |who, action, subject, before, after| {
        entry(who, action, subject, status(before), status(after))
    };
    let expected = [
        decided("maria", "reports.reopen", "r-2", "WITHDRAWN", "PENDING"),
        decided("maria", "reports.reopen", "r-3", "REJECTED", "PENDING"),
        decided("jo", "reports.withdraw", "r-2", "APPROVED", "WITHDRAWN"),
        decided("jo", "reports.reject", "r-3", "PENDING", "REJECTED"),
        decided("maria", "reports.approve", "2 reports", "PENDING", "APPROVED"),
        entry(
            "maria",
            "reports.import",
            &import,
            Value::Null,
            json!({ "file": "reports.csv", "mode": "pending" }),
        ),
    ];
    assert_eq!(log(&svc, &[]), json!({ "entries": expected, "more": false }));
    let only =
        |indices: &[usize]| indices.iter().map(|index| &expected[*index]).collect::<Vec<_>>();
    for (flags, indices, more) in [
        (&["--report", "r-2"][..], &[0, 2, 4, 5][..], false),
        (&["--report", "r-1"], &[4, 5], false),
        (&["--report", "none"], &[], false),
        (&["--actor", "jo"], &[2, 3], false),
        (&["--actor", "maria", "--action", "reports.reopen"], &[0, 1], false),
        (&["--limit", "5"], &[0, 1, 2, 3, 4], true),
    ] {
        let expected = json!({ "entries": only(indices), "more": more });
        assert_eq!(log(&svc, flags), expected, "{flags:?}");
    }
}

#[test]
fn the_import_that_published_a_report_is_found_by_the_report() {
    let svc = Svc::migrated();
    std::fs::write(svc.path("reports.csv"), CSV).unwrap();
    let other = "id,type,city,country\nr-4,water,Natal,Brazil\n";
    std::fs::write(svc.path("history.csv"), other).unwrap();
    let import = |user, file, flag| {
        let id = imported(&by(user, &svc, &["reports", "import", file, flag]));
        let mode = flag.trim_start_matches('-');
        entry(user, "reports.import", &id, Value::Null, json!({ "file": file, "mode": mode }))
    };
    let published = import("maria", "reports.csv", "--approve");
    let history = import("jo", "history.csv", "--backfill");
    by("jo", &svc, &["reports", "withdraw", "r-2", "r-3"]);

    let status = |status: &str| json!({ "status": status });
    let withdrawn =
        entry("jo", "reports.withdraw", "2 reports", status("APPROVED"), status("WITHDRAWN"));
    for (flags, expected) in [
        (&["--report", "r-1"][..], vec![&published]),
        (&["--report", "r-2"], vec![&withdrawn, &published]),
        (&["--report", "r-4"], vec![&history]),
        (&["--report", "r-2", "--actor", "maria"], vec![&published]),
        (&["--report", "r-2", "--action", "reports.withdraw"], vec![&withdrawn]),
    ] {
        assert_eq!(log(&svc, flags), json!({ "entries": expected, "more": false }), "{flags:?}");
    }
    let table = svc.out(&["audit", "--report", "r-1"]);
    assert!(table.trim_end().ends_with("file: reports.csv, mode: approve"), "{table}");
}

#[test]
fn what_changes_nothing_is_not_kept() {
    let svc = Svc::migrated();
    svc.import(CSV, &[]);
    svc.import(CSV, &["--dry-run"]);
    svc.out(&["reports", "approve", "--all-pending", "--dry-run"]);
    assert_eq!(svc.run(&["reports", "withdraw", "r-1"]).code, Some(1));
    svc.out(&["keys", "list"]);
    let shown = log(&svc, &[]);
    assert_eq!(shown["entries"].as_array().unwrap().len(), 1, "{shown}");
}

#[test]
fn keys_are_kept_by_their_prefix_and_never_as_a_whole() {
    let svc = Svc::migrated();
    let create = [
        "keys",
        "create",
        "--partner",
        "Ana",
        "--tier",
        "operator",
        "--scope",
        "moderate",
        "--json",
    ];
    let key: Value = serde_json::from_str(&by("root", &svc, &create)).unwrap();
    let prefix = key["prefix"].as_str().unwrap();
    by("root", &svc, &["keys", "revoke", prefix]);
    let created = json!({ "partner": "Ana", "tier": "operator", "scope": "moderate" });
    let expected = [
        entry("root", "keys.revoke", prefix, Value::Null, json!({ "disabledSubscriptions": [] })),
        entry("root", "keys.create", prefix, Value::Null, created),
    ];
    let shown = log(&svc, &[]);
    assert_eq!(shown, json!({ "entries": expected, "more": false }));
    assert!(!shown.to_string().contains(key["key"].as_str().unwrap()));
}

#[test]
fn the_log_is_a_table_that_says_what_changed() {
    let svc = Svc::migrated();
    assert_eq!(svc.out(&["audit"]), "The audit log is empty.\n");
    svc.import(CSV, &[]);
    by("jo", &svc, &["reports", "approve", "r-1"]);
    let none = svc.out(&["audit", "--report", "r-9"]);
    assert_eq!(none, "No matching audit entries.\n");
    let said = svc.out(&["audit", "--limit", "1"]);
    let [header, row] = said.lines().collect::<Vec<_>>()[..] else { panic!("{said}") };
    let columns = ["TIME", "WHO", "FROM", "ACTION", "SUBJECT", "CHANGE"];
    assert_eq!(header.split_whitespace().collect::<Vec<_>>(), columns);
    assert!(row.contains("  jo   command line of "), "{row}");
    assert!(row.ends_with("  reports.approve  r-1      status: PENDING → APPROVED"), "{row}");
}

#[test]
fn whoever_used_sudo_is_who_did_it() {
    let svc = Svc::migrated();
    let mut create = svc.command(&["keys", "create", "--partner", "Acme"]);
    create.env("USER", "root").env("SUDO_USER", "maria");
    assert_eq!(Ran::of(create.output().unwrap()).code, Some(0));
    svc.out(&["keys", "create", "--partner", "Acme"]);
    let entries = log(&svc, &[])["entries"].take();
    let who: Vec<_> = entries.as_array().unwrap().iter().map(|entry| &entry["actor"]).collect();
    let nameless = format!("user {}", rustix::process::getuid().as_raw());
    assert_eq!(who, [&json!(nameless), &json!("maria")]);
}
