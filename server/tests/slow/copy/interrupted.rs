//! A copy that did not come to its end, and the next one.

use std::{process::Child, time::Duration};

use sqlx::{Connection, PgConnection};

use super::{copied, copy, dump, filled};
use crate::harness::{Ran, Svc, soon};

/// What all commands say of half a copy, but that which copies.
fn half(svc: &Svc) -> String {
    format!(
        "svc: the copy in the database {} is not complete: run `svc db copy` again to complete it\n",
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

/// What the next copy has written in these tables.
fn written(totals: &serde_json::Value) -> Vec<(&str, u64)> {
    let tables = totals["tables"].as_array().unwrap().iter();
    let written =
        tables.map(|table| (table["table"].as_str().unwrap(), table["written"].as_u64().unwrap()));
    written
        .filter(|(table, written)| ["reports", "events"].contains(table) && *written > 0)
        .collect()
}

/// A copy to a server that waits because somebody else is using the table of events.
pub(super) struct Waiting {
    child: Child,
    connection: PgConnection,
}

impl Waiting {
    /// Returns when it waits: most tables are copied then.
    pub(super) async fn start(source: &Svc, target: &Svc) -> Self {
        target.out(&["db", "migrate"]);
        let mut connection = PgConnection::connect(&target.database_url()).await.unwrap();
        // Others may read it, but not write to it.
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
        // On Unix this is SIGKILL.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.connection.close().await.unwrap();
    }

    /// Lets it go on, and returns what it says in the end.
    pub(super) async fn end(self) -> Ran {
        self.connection.close().await.unwrap();
        Ran::of(self.child.wait_with_output().unwrap())
    }
}

#[tokio::test]
async fn a_copy_that_was_killed_is_not_served_and_the_next_one_goes_on() {
    let (source, target) = (filled().await, Svc::with_server());
    Waiting::start(&source, &target).await.kill().await;
    refused_by_all(&target);
    let original = dump(&source.database_url()).await;
    assert_eq!(written(&copied(&source, &target)), [("events", original["events"].len() as u64)]);
    assert_eq!(dump(&target.database_url()).await, original);
    target.out(&["db", "check"]);
}

#[tokio::test]
async fn a_copy_that_failed_is_not_served_and_the_next_one_goes_on() {
    let (source, target) = (filled().await, Svc::with_migrated_file());
    target
        .change(
            "CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'not today'); END",
        )
        .await;
    let ran = copy(&source, &target);
    let database = target.database_name();
    let said = format!("svc: the database {database} did not answer as it should: not today\n");
    assert_eq!((ran.code, ran.out, ran.err), (Some(1), String::new(), said));
    refused_by_all(&target);
    let backup = target.run(&["db", "backup", "never.db"]);
    assert_eq!((backup.code, backup.err), (Some(1), half(&target)));
    target.change("DROP TRIGGER t").await;
    let original = dump(&source.database_url()).await;
    assert_eq!(written(&copied(&source, &target)), [("events", original["events"].len() as u64)]);
    assert_eq!(dump(&target.database_url()).await, original);
}

#[tokio::test]
async fn half_a_copy_of_one_database_is_not_completed_from_another() {
    let (source, other, target) = (filled().await, filled().await, Svc::with_migrated_file());
    target
        .change(
            "CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'not today'); END",
        )
        .await;
    assert_eq!(copy(&source, &target).code, Some(1));
    target.change("DROP TRIGGER t").await;
    let before = dump(&target.database_url()).await;
    let ran = copy(&other, &target);
    assert_eq!(
        ran.err,
        format!(
            "svc: the database {} is a copy of another database, and was not changed: copy to an empty \
             database\n",
            target.database_name()
        )
    );
    assert_eq!(dump(&target.database_url()).await, before);
}
