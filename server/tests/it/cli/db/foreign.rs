//! Files of other applications are refused before anything is written to them.

use crate::harness::Svc;

const COMMANDS: [&[&str]; 7] = [
    &["serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"],
    &["db", "migrate"],
    &["db", "check"],
    &["db", "backup", "never.db"],
    &["reports", "list"],
    &["reports", "import", "reports.csv"],
    &["keys", "create", "--partner", "Acme"],
];

/// Runs every command on the file. Each has to refuse it with this message and leave it unchanged.
fn refused_by_all(svc: &Svc, said: &str) {
    std::fs::write(svc.path("reports.csv"), "type,city,country\nspirit,Oslo,Norway\n").unwrap();
    let (before, files) = (std::fs::read(svc.path("its.db")).unwrap(), svc.files(""));
    for command in COMMANDS {
        let ran = svc.run(&[command, &["--database-url", "sqlite://its.db"]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{command:?}");
        assert_eq!(ran.err, format!("svc: {}{said}\n", svc.path("its.db").display()));
        assert!(std::fs::read(svc.path("its.db")).unwrap() == before, "{command:?}");
        assert_eq!(svc.files(""), files, "{command:?}");
    }
}

const FOREIGN: &str =
    " is the database of another application, and was not changed: check --database-url";

#[tokio::test]
async fn a_database_of_another_application_is_refused() {
    for sql in [
        "CREATE TABLE notes (text)",
        "PRAGMA journal_mode = WAL; CREATE TABLE notes (text)",
        "PRAGMA application_id = 1196444487",
        // Other applications also use sqlx migrations.
        "CREATE TABLE _sqlx_migrations (version, success); CREATE TABLE reports (id)",
    ] {
        let svc = Svc::with_file();
        svc.tamper("its.db", sql).await;
        refused_by_all(&svc, FOREIGN);
    }
}

#[tokio::test]
async fn a_database_that_another_application_has_open_is_refused() {
    use sqlx::Connection;
    let svc = Svc::with_file();
    svc.tamper("its.db", "PRAGMA journal_mode = WAL").await;
    let url = format!("sqlite://{}", svc.path("its.db").display());
    let mut its = sqlx::SqliteConnection::connect(&url).await.unwrap();
    // The table is only in the journal.
    sqlx::raw_sql("CREATE TABLE notes (text)").execute(&mut its).await.unwrap();
    refused_by_all(&svc, FOREIGN);
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let svc = Svc::with_file();
    std::fs::write(svc.path("its.db"), "type,city,country\n".repeat(1_000)).unwrap();
    refused_by_all(&svc, " is not a database, and was not changed: check the path");
}

/// The file contains only its first page; everything else is in the journal.
#[tokio::test]
async fn a_database_that_was_killed_before_its_journal_was_written_back_is_known() {
    use sqlx::Connection;
    let svc = Svc::with_file();
    svc.tamper("young.db", "PRAGMA journal_mode = WAL").await;
    let url = format!("sqlite://{}", svc.path("young.db").display());
    let mut its = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::migrate!("../migrations/sqlite").run(&mut its).await.unwrap();
    // Copies of both files equal those that a killed process leaves.
    for suffix in ["", "-wal"] {
        let file = |name: &str| svc.path(&format!("{name}{suffix}"));
        std::fs::copy(file("young.db"), file("killed.db")).unwrap();
    }
    assert_eq!(std::fs::metadata(svc.path("killed.db")).unwrap().len(), 4_096);
    let list = ["reports", "list", "--database-url", "sqlite://killed.db"];
    assert_eq!(svc.out(&list), "No reports.\n");
}
