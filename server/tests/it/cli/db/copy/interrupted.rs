//! A copy that did not come to its end, and the next one.

use std::{process::Stdio, time::Duration};

use sqlx::{Connection, PgConnection};

use super::{copied, copy, dump, filled};
use crate::harness::{Svc, soon};

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

#[tokio::test]
async fn a_copy_that_was_killed_is_not_served_and_the_next_one_goes_on() {
    let (source, target) = (filled().await, Svc::with_server());
    target.out(&["db", "migrate"]);
    let mut connection = PgConnection::connect(&target.database_url()).await.unwrap();
    // Others may read it, but not write to it.
    sqlx::raw_sql("BEGIN; LOCK TABLE events IN EXCLUSIVE MODE")
        .execute(&mut connection)
        .await
        .unwrap();
    let (from, to) = (source.database_url(), target.database_url());
    let mut command = source.command(&["db", "copy", "--from", &from, "--to", &to]);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let blocked = async {
        loop {
            let waits: bool = sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted
                 AND relation = 'events'::regclass)",
            )
            .fetch_one(&mut connection)
            .await
            .unwrap();
            if waits {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("a copy that writes events", blocked).await;
    // On Unix this is SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    connection.close().await.unwrap();
    refused_by_all(&target);
    let original = dump(&from).await;
    assert_eq!(written(&copied(&source, &target)), [("events", original["events"].len() as u64)]);
    assert_eq!(dump(&to).await, original);
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
