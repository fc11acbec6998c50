//! Copies that are refused before anything is changed.

use std::time::Duration;

use super::{copied, copy, dump, filled, import};
use crate::{
    harness::{OLDER_RULES, Svc, soon},
    served::Served,
};

/// Runs a copy that must fail and leave the target unchanged, and returns its message.
async fn refused(from: &Svc, to: &Svc) -> String {
    let before = dump(&to.database_url()).await;
    let ran = copy(from, to);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(dump(&to.database_url()).await, before);
    ran.err.replace(&to.database_name(), "TARGET").replace(&from.database_name(), "SOURCE")
}

const NOT_EMPTY: &str = "svc: the database TARGET has data of its own, and was not changed: copy to an empty \
                         database\n";

#[tokio::test]
async fn a_database_with_data_of_its_own_is_no_target() {
    let source = filled().await;
    for target in [Svc::with_migrated_file(), Svc::with_server()] {
        target.out(&["db", "migrate"]);
        target.out(&["keys", "create", "--partner", "Other"]);
        assert_eq!(refused(&source, &target).await, NOT_EMPTY);
    }
    let target = Svc::with_migrated_file();
    import(&target, 0..1, &[]);
    assert_eq!(refused(&source, &target).await, NOT_EMPTY);
}

#[tokio::test]
async fn a_copy_is_no_target_nor_the_source_for_its_copy() {
    let source = filled().await;
    for target in [Svc::with_migrated_file(), Svc::with_server()] {
        copied(&source, &target);
        assert_eq!(refused(&source, &target).await, NOT_EMPTY);
        assert_eq!(refused(&target, &source).await, NOT_EMPTY);
        target.out(&["db", "check"]);
    }
}

#[tokio::test]
async fn nothing_is_copied_to_itself() {
    let (file, server) = (filled().await, Svc::with_server());
    server.out(&["db", "migrate"]);
    std::os::unix::fs::symlink(file.path("data"), file.path("link")).unwrap();
    let linked = file.path("link/svc.db").display().to_string();
    let from = file.database_url();
    let ran = file.run(&["db", "copy", "--from", &from, "--to", &format!("sqlite://{linked}")]);
    let said = format!("svc: {linked} cannot be copied to itself: name two databases\n");
    assert_eq!((ran.code, ran.err), (Some(1), said));
    file.out(&["db", "check"]);

    let url = server.database_url();
    // A different URL of the same database.
    let other = format!("{url}?application_name=other");
    let ran = server.run(&["db", "copy", "--from", &url, "--to", &other]);
    let name = server.database_name();
    let said = format!("svc: {name} cannot be copied to itself: name two databases\n");
    assert_eq!((ran.code, ran.err), (Some(1), said));
}

#[tokio::test]
async fn a_source_that_is_missing_or_older_is_refused_and_no_target_is_made() {
    let (source, target) = (Svc::with_file(), Svc::with_file());
    let ran = copy(&source, &target);
    assert_eq!((ran.code, ran.err), (Some(1), source.no_database("data/svc.db")));
    let source = Svc::with_migrated_file();
    source.change(OLDER_RULES).await;
    let ran = copy(&source, &target);
    let said = format!(
        "svc: the database is older than this binary: run `svc db migrate` first (the database is {})\n",
        source.database_name()
    );
    assert_eq!((ran.code, ran.err), (Some(1), said));
    assert_eq!(target.files(""), [""; 0]);
}

/// Other commands may use such a database, because the newer binary has only added to it. A copy would lose the
/// additions.
#[tokio::test]
async fn a_database_that_a_newer_binary_has_added_to_is_neither_source_nor_target() {
    let (source, target) = (filled().await, Svc::with_server());
    target.out(&["db", "migrate"]);
    let said = |svc: &Svc| {
        format!(
            "svc: the database is newer than this binary (it has migration 9999): run the svc that wrote it, \
             or a newer one (the database is {})\n",
            svc.database_name()
        )
    };
    for svc in [&source, &target] {
        svc.change(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY);
             INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'notes', TRUE, x'00', 0)",
        )
        .await;
        svc.out(&["reports", "list"]);
        let ran = copy(&source, &target);
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (Some(1), "", said(svc)));
        svc.change("DELETE FROM _sqlx_migrations WHERE version = 9999").await;
    }
}

#[tokio::test]
async fn an_older_target_is_not_migrated() {
    let (source, target) = (filled().await, Svc::with_migrated_file());
    target.change(OLDER_RULES).await;
    assert_eq!(
        refused(&source, &target).await,
        "svc: the database is older than this binary: run `svc db migrate` first (the database is TARGET)\n"
    );
    assert_eq!(target.count("SELECT folding FROM derived").await, 0);
}

#[tokio::test]
async fn a_target_of_another_application_is_refused() {
    let source = filled().await;
    let target = Svc::with_file();
    std::fs::create_dir(target.path("data")).unwrap();
    target.tamper("data/svc.db", "CREATE TABLE notes (text)").await;
    assert_eq!(
        refused(&source, &target).await,
        "svc: TARGET is the database of another application, and was not changed: check --database-url\n"
    );
}

#[tokio::test]
async fn a_file_that_another_process_has_open_is_no_target() {
    let (source, target) = (filled().await, Svc::with_migrated_file());
    let mut served = Served::start(&target);
    let process = served.child.id();
    assert_eq!(
        refused(&source, &target).await,
        format!(
            "svc: the database TARGET is open in another process ({process}): stop the service and all \
             other svc commands, then try again\n"
        )
    );
    served.stop();
    copied(&source, &target);
}

#[tokio::test]
async fn a_database_of_a_server_that_a_service_uses_is_no_target() {
    let (source, target) = (filled().await, Svc::with_server());
    let mut served = Served::start(&target);
    let listening = async {
        const LISTENING: &str = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN %'";
        while target.count(LISTENING).await == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("a service that listens", listening).await;
    let said = "svc: a service is using the database TARGET: stop it, then try again\n";
    assert_eq!(refused(&source, &target).await, said);
    served.stop();
    copied(&source, &target);
}

#[tokio::test]
async fn a_source_that_does_not_agree_with_its_reports_has_to_be_repaired_first() {
    let (source, target) = (filled().await, Svc::with_server());
    source.change("UPDATE segments SET live = live - 1 WHERE id = 1").await;
    let ran = copy(&source, &target);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.ends_with(&format!(
            " counts, lists and places of the source do not agree with its reports, and the copy was not kept: \
             run `svc db check --repair` on the source, then `svc db copy` again (the database is {})\n",
            source.database_name()
        )),
        "{}",
        ran.err
    );
    assert_eq!(target.run(&["reports", "list"]).code, Some(1));
    assert_eq!(target.count("SELECT count(*) FROM reports").await, 0);
    source.out(&["db", "check", "--repair"]);
    copied(&source, &target);
    target.out(&["reports", "list"]);
}
