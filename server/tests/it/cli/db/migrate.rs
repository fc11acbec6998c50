use std::{
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
};

use serde_json::json;
use sqlx::Connection;

use crate::harness::{Svc, older_database};

#[test]
fn migrate_makes_a_database_that_only_its_owner_may_read() {
    let svc = Svc::with_file();
    let file = svc.path("data/svc.db");
    let file = file.display();
    assert_eq!(svc.out(&["db", "migrate"]), format!("Created the database {file}.\n"));
    assert_eq!(svc.out(&["db", "migrate"]), format!("The database {file} is up to date.\n"));
    assert_eq!(svc.out(&["reports", "list"]), "No reports.\n");
    assert_eq!(svc.files("data"), ["svc.db"]);
    assert_eq!(mode(&svc, "data/svc.db"), 0o600);
    assert_eq!(
        svc.json(&["db", "migrate", "--json"]),
        json!({ "migrated": true, "database": file.to_string(), "new": false, "applied": 0 })
    );
}

#[tokio::test]
async fn the_journal_of_an_open_database_may_only_be_read_by_its_owner() {
    let svc = Svc::with_file();
    svc.out(&["db", "migrate"]);
    let url = format!("sqlite://{}", svc.path("data/svc.db").display());
    let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("UPDATE keys_version SET version = 7").execute(&mut connection).await.unwrap();
    assert_eq!(svc.files("data"), ["svc.db", "svc.db-shm", "svc.db-wal"]);
    for file in ["data/svc.db-shm", "data/svc.db-wal"] {
        assert_eq!(mode(&svc, file), 0o600, "{file}");
    }
}

fn mode(svc: &Svc, file: &str) -> u32 {
    std::fs::metadata(svc.path(file)).unwrap().permissions().mode() & 0o777
}

#[test]
fn processes_that_start_at_the_same_time_all_come_up() {
    // The processes race: some open the file while another is creating the database.
    for _ in 0..20 {
        let svc = Svc::with_file();
        let children: Vec<_> =
            (0..8).map(|_| svc.command(&["db", "migrate"]).spawn().unwrap()).collect();
        let mut made = 0;
        for child in children {
            let ran = child.wait_with_output().unwrap();
            assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
            made += usize::from(ran.stdout.starts_with(b"Created the database "));
        }
        assert_eq!(made, 1);
        // If two processes close the database at the same moment, its journal stays for the next one.
        svc.out(&["db", "migrate"]);
        assert_eq!(svc.files("data"), ["svc.db"]);
    }
}

#[tokio::test]
async fn a_migration_waits_for_a_writer_and_says_so() {
    let svc = Svc::with_file();
    let file = svc.path("old.db");
    older_database(&file).await;
    svc.tamper("old.db", "PRAGMA journal_mode = WAL").await;
    let url = format!("sqlite://{}", file.display());
    let mut writer = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut writer).await.unwrap();
    let mut child =
        svc.command(&["db", "migrate", "--database-url", "sqlite://old.db"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut line = || lines.next().unwrap().unwrap();
    assert_eq!(line(), format!("Database: {}", file.display()));
    let line = line();
    let waiting = "another process is writing to the database: waiting until it is done";
    assert!(line.ends_with(waiting), "{line}");
    sqlx::query("COMMIT").execute(&mut writer).await.unwrap();
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(
        String::from_utf8(ran.stdout).unwrap(),
        format!("The database {} is up to date.\n", file.display())
    );
}
