use std::{os::unix::fs::PermissionsExt, process::Child};

use serde_json::json;

use crate::harness::{Svc, older_database};

const ONE: &str = "id,type,city,country\na,spirit,Oslo,Norway\n";

#[test]
fn a_backup_is_a_whole_database_that_only_its_owner_may_read_and_overwrites_nothing() {
    let svc = Svc::with_migrated_file();
    svc.import(ONE, &["--approve"]);
    svc.out(&["keys", "create", "--partner", "Acme"]);
    let said = svc.out(&["db", "backup", "copy.db"]);
    let bytes = std::fs::metadata(svc.path("copy.db")).unwrap().len();
    let size = format!("{},{:03}", bytes / 1_000, bytes % 1_000);
    assert_eq!(
        said,
        format!("Wrote copy.db ({size} bytes) and checked it: 1 report, 1 key, 0 subscriptions.\n")
    );
    let mode = std::fs::metadata(svc.path("copy.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let listed = svc.out(&["reports", "list", "--database-url", "sqlite://copy.db"]);
    assert!(listed.contains("Oslo, Norway"));
    svc.out(&["db", "check", "--database-url", "sqlite://copy.db"]);
    let ran = svc.run(&["db", "backup", "copy.db"]);
    assert_eq!(
        (ran.code, ran.err),
        (
            Some(1),
            format!(
                "svc: {} exists already: name a file that does not\n",
                svc.path("copy.db").display()
            )
        )
    );
    let answer = svc.json(&["db", "backup", "again.db", "--json"]);
    let contents = json!({ "reports": 1, "keys": 1, "subscriptions": 0 });
    let bytes = std::fs::metadata(svc.path("again.db")).unwrap().len();
    assert_eq!(answer, json!({ "file": "again.db", "bytes": bytes, "contents": contents }));
}

#[tokio::test]
async fn a_database_can_be_backed_up_before_a_newer_binary_migrates_it() {
    let svc = Svc::with_file();
    older_database(&svc.path("old.db")).await;
    let before = ["--database-url", "sqlite://old.db"];
    assert_eq!(svc.run(&[&["reports", "list"][..], &before].concat()).code, Some(1));
    let said = svc.out(&[&["db", "backup", "copy.db"][..], &before].concat());
    assert!(said.ends_with(" and checked it: 0 reports, 0 keys, 0 subscriptions.\n"), "{said}");
    svc.out(&["db", "migrate", "--database-url", "sqlite://copy.db"]);
}

#[test]
fn a_backup_into_a_folder_that_is_not_there_is_refused() {
    let svc = Svc::with_migrated_file();
    let ran = svc.run(&["db", "backup", "nowhere/copy.db"]);
    let said = format!(
        "svc: {} could not be written: there is no such file or folder\n",
        svc.path("nowhere/copy.db").display()
    );
    assert_eq!((ran.code, ran.err), (Some(1), said));
}

#[tokio::test]
async fn a_backup_of_a_damaged_database_is_no_backup() {
    let svc = Svc::with_migrated_file();
    svc.import(ONE, &["--approve"]);
    // An index lacks a row. SQLite copies it unchanged, and only a check detects it.
    svc.tamper(
        "data/svc.db",
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_master SET sql = replace(sql, '<> ''APPROVED''', '= ''APPROVED''')
         WHERE name = 'reports_not_approved'",
    )
    .await;
    let ran = svc.run(&["db", "backup", "copy.db"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.err.contains("copy.db could not be written: "), "{}", ran.err);
    assert_eq!(svc.files(""), ["data", "reports.csv"]);
}

/// Starts a backup of many reports, and waits until its file is being written.
fn half_a_backup(svc: &Svc) -> Child {
    let csv = svc.out(&["demo", "csv", "--rows", "30000", "--seed", "1"]);
    assert_eq!(svc.import(csv, &[]).code, Some(0));
    let mut child = svc.command(&["db", "backup", "copy.db"]).spawn().unwrap();
    while leftovers(svc).is_empty() {
        assert_eq!(child.try_wait().unwrap(), None, "the backup was over before it was stopped");
    }
    child
}

fn leftovers(svc: &Svc) -> Vec<String> {
    let files = svc.files("").into_iter();
    files.filter(|name| name.starts_with(".copy.db.") && name.ends_with(".partial")).collect()
}

#[test]
fn a_backup_that_is_killed_leaves_nothing_under_its_name_and_the_next_one_cleans_up() {
    let svc = Svc::with_migrated_file();
    let mut child = half_a_backup(&svc);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!svc.path("copy.db").exists());
    assert_eq!(leftovers(&svc).len(), 1);
    let said = svc.out(&["db", "backup", "copy.db"]);
    assert!(
        said.ends_with(" and checked it: 30,000 reports, 0 keys, 0 subscriptions.\n"),
        "{said}"
    );
    assert_eq!(svc.files(""), ["copy.db", "data", "reports.csv"]);
}

#[test]
fn a_backup_that_is_stopped_removes_its_file() {
    let svc = Svc::with_migrated_file();
    let child = half_a_backup(&svc);
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").arg(id).status().unwrap().success());
    let said = format!("svc: stopped: {} was not written\n", svc.path("copy.db").display());
    let ran = crate::harness::Ran::of(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), said.as_str()));
    assert_eq!(svc.files(""), ["data", "reports.csv"]);
}

#[test]
fn a_backup_goes_on_while_another_process_writes() {
    let svc = Svc::with_migrated_file();
    let csv = svc.out(&["demo", "csv", "--rows", "30000", "--seed", "1"]);
    std::fs::write(svc.path("reports.csv"), csv).unwrap();
    let mut import = svc.command(&["reports", "import", "reports.csv"]).spawn().unwrap();
    let mut number = 0;
    while import.try_wait().unwrap().is_none() {
        number += 1;
        let copy = format!("copy-{number}.db");
        svc.out(&["db", "backup", &copy]);
        svc.out(&["db", "check", "--database-url", &format!("sqlite://{copy}")]);
    }
    assert!(number > 0);
}
