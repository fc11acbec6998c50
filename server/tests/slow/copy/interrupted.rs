//! Interrupted copies, and the copy after one.

use std::{process::Child, time::Duration};

use sqlx::{Connection, PgConnection};

use super::{copied, copy, dump, filled};
use crate::harness::{Ran, Svc, soon};

/// Refusal by all commands except `svc db copy`.
fn half(svc: &Svc) -> String {
    format!(
        "svc: the copy in the database {} is not complete: run `svc db copy` again, which starts \
         from the beginning\n",
        svc.database_name()
    )
}

fn refused_by_all(svc: &Svc) {
    for command in [
        &["serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"][..],
        &["db", "migrate"],
        &["db", "check"],
        &["db", "rebuild"],
        &["reports", "list"],
        &["keys", "create", "--partner", "New"],
        &["webhooks", "list"],
    ] {
        let ran = svc.run(command);
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (Some(1), "", half(svc)), "{command:?}");
    }
}

/// Copy to a PostgreSQL server that waits for another connection's lock on the table of events.
pub(super) struct Waiting {
    child: Child,
    connection: PgConnection,
}

impl Waiting {
    /// Starts the copy, and returns when it waits. Some tables are written by then.
    pub(super) async fn start(source: &Svc, target: &Svc) -> Self {
        target.out(&["db", "migrate"]);
        let mut connection = PgConnection::connect(&target.database_url()).await.unwrap();
        // The lock permits reads of the table, but no writes.
        let lock = "BEGIN; LOCK TABLE events IN EXCLUSIVE MODE";
        sqlx::raw_sql(lock).execute(&mut connection).await.unwrap();
        let (from, to) = (source.database_url(), target.database_url());
        let mut command = source.command(&["db", "copy", "--from", &from, "--to", &to]);
        let child = command.spawn().unwrap();
        let waits = async {
            const WAITS: &str = "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted
                                                AND relation = 'events'::regclass)";
            while !sqlx::query_scalar::<_, bool>(WAITS).fetch_one(&mut connection).await.unwrap() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        soon("a copy that writes events", waits).await;
        Self { child, connection }
    }

    async fn kill(mut self) {
        // On Unix this sends SIGKILL.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.connection.close().await.unwrap();
    }

    /// Releases the lock, and returns the output of the copy.
    pub(super) async fn end(self) -> Ran {
        self.connection.close().await.unwrap();
        Ran::of(self.child.wait_with_output().unwrap())
    }
}

#[tokio::test]
async fn a_copy_that_was_killed_is_not_served_and_the_next_one_starts_again() {
    let (source, target) = (filled().await, Svc::with_server());
    Waiting::start(&source, &target).await.kill().await;
    refused_by_all(&target);
    assert_eq!(target.count("SELECT count(*) FROM partners WHERE id <> 0").await, 0);
    let original = dump(&source.database_url()).await;
    copied(&source, &target);
    assert_eq!(dump(&target.database_url()).await, original);
    target.out(&["db", "check"]);
}

#[tokio::test]
async fn a_copy_that_failed_is_not_served_and_the_next_one_starts_again() {
    let (source, other, target) = (filled().await, filled().await, Svc::with_migrated_file());
    let before = dump(&target.database_url()).await;
    target
        .change(
            "CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'not today'); END",
        )
        .await;
    let ran = copy(&source, &target);
    let database = target.database_name();
    let said = format!("svc: the database {database} returned an unexpected error: not today\n");
    assert_eq!((ran.code, ran.out, ran.err), (Some(1), String::new(), said));
    refused_by_all(&target);
    let backup = target.run(&["db", "backup", "never.db"]);
    assert_eq!((backup.code, backup.err), (Some(1), half(&target)));
    target.change("DROP TRIGGER t").await;
    assert_eq!(dump(&target.database_url()).await, before);
    // No rows of the first source are left.
    copied(&other, &target);
    assert_eq!(dump(&target.database_url()).await, dump(&other.database_url()).await);
}

#[tokio::test]
async fn a_copy_that_differs_from_its_source_is_not_kept() {
    let (source, target) = (filled().await, Svc::with_migrated_file());
    let before = dump(&target.database_url()).await;
    let events = source.count("SELECT count(*) FROM events").await;
    for (trigger, rows) in [
        ("CREATE TRIGGER t AFTER INSERT ON events BEGIN UPDATE events SET name = 'x'; END", events),
        (
            "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events WHERE seq = 2; END",
            events - 1,
        ),
    ] {
        target.change(trigger).await;
        let ran = copy(&source, &target);
        let said = format!(
            "svc: the copy differs from its source in the table events ({events} rows in the source, {rows} in \
             the copy), and was not kept: run `svc db copy` again (the database is {})\n",
            target.database_name()
        );
        assert_eq!((ran.code, ran.err), (Some(1), said));
        target.change("DROP TRIGGER t").await;
        assert_eq!(dump(&target.database_url()).await, before);
        refused_by_all(&target);
    }
    copied(&source, &target);
}
