use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use store::{Missing, Round, Store, open_url};
use tokio_util::sync::CancellationToken;

use super::{MARK, all_open, files_with, id, secret, subscribe};
use crate::harness::database_of_version;

const SUBSCRIPTIONS: u32 = 60;

/// A database of the version before secrets were encrypted, in which subscriptions have come and gone: the
/// first ten are left, the second of them disabled, the third deleted.
async fn with_plain_secrets(folder: &std::path::Path) -> String {
    let file = folder.join("svc.db");
    database_of_version(&file, 6).await;
    let url = format!("sqlite://{}", file.display());
    let mut old = SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql(
        "PRAGMA journal_mode = WAL;
         INSERT INTO partners (id, name, created_at) VALUES (1, 'Acme', 0);
         INSERT INTO events (id, name, body, created_at)
         VALUES ('evt_A', 'report.created', x'7b7d', 1000), ('evt_B', 'report.created', x'7b7d', 2000);",
    )
    .execute(&mut old)
    .await
    .unwrap();
    for number in 1..=SUBSCRIPTIONS {
        let (id, secret) = (id(number), secret(number));
        let insert = format!(
            "INSERT INTO subscriptions (id, partner_id, url, report_created, metrics_updated, secret,
                                        status, created_at)
             VALUES ('{id}', 1, 'https://example.org/{number}', 1, 0, '{secret}', 'ACTIVE', {number});
             INSERT INTO deliveries (subscription_seq, event_seq, status, due_at)
             VALUES ({number}, 1, 'DELIVERED', NULL), ({number}, 2, 'PENDING', 2000);"
        );
        sqlx::raw_sql(AssertSqlSafe(insert)).execute(&mut old).await.unwrap();
    }
    sqlx::raw_sql(
        "UPDATE subscriptions SET status = 'DISABLED', disabled_reason = 'gone', failing_since = 7
         WHERE seq = 2;
         UPDATE subscriptions SET status = 'DELETED', secret = '' WHERE seq = 3 OR seq > 10;
         DELETE FROM deliveries WHERE subscription_seq > 10;
         DELETE FROM subscriptions WHERE seq > 10;",
    )
    .execute(&mut old)
    .await
    .unwrap();
    old.close().await.unwrap();
    url
}

/// What the dispatcher gets to sign with.
async fn secrets_of(store: &Store, subscriptions: &[i64]) -> Vec<(i64, String)> {
    let take = subscriptions.to_vec();
    let lease = chrono::TimeDelta::seconds(25);
    let history = store.look(1).await.unwrap().history;
    let round = Round { owner: 1, history, lease, take, ..Round::default() };
    let taken = store.dispatch_round(&round).await.unwrap().taken;
    taken
        .iter()
        .map(|one| (one.seq, one.secrets.as_ref().unwrap().current.as_str().to_owned()))
        .collect()
}

#[tokio::test]
async fn secrets_of_an_older_version_are_encrypted_and_leave_no_plain_text_behind() {
    let folder = tempfile::tempdir().unwrap();
    let url = with_plain_secrets(folder.path()).await;
    // Also that of a subscription whose row is gone.
    assert_eq!(files_with(folder.path(), &secret(SUBSCRIPTIONS)), ["svc.db"]);

    let store = open_url(&url, Missing::Create).await.unwrap();
    assert_eq!(files_with(folder.path(), MARK), [""; 0]);
    let copy = folder.path().join("copy.db");
    store.backup(&copy, &CancellationToken::new()).await.unwrap();
    assert_eq!(files_with(folder.path(), MARK), [""; 0]);

    let open: Vec<(i64, String)> =
        [1, 4, 10].map(|number| (i64::from(number), secret(number))).to_vec();
    assert_eq!(secrets_of(&store, &[1, 2, 3, 4, 10]).await, open);
    let listed = store.list_subscriptions().await.unwrap();
    let disabled = listed.iter().find(|listed| listed.seq == 2).unwrap();
    assert_eq!(disabled.subscription.disabled_reason.as_deref(), Some("gone"));
    assert_eq!((listed.len(), disabled.pending, disabled.delivered), (9, 1, 1));
    // Numbers are never given twice.
    subscribe(&store, SUBSCRIPTIONS + 1).await;
    let new = store.find_subscription(&id(SUBSCRIPTIONS + 1)).await.unwrap().unwrap();
    assert_eq!(new.seq, i64::from(SUBSCRIPTIONS) + 1);
    store.close().await;
    assert_eq!(files_with(folder.path(), MARK), [""; 0]);
    let again = open_url(&url, Missing::Create).await.unwrap();
    assert!(!again.migrated().new && again.migrated().applied == 0);
    all_open(&again, SUBSCRIPTIONS + 1).await;
}

/// A migration that is killed after its commit has left old pages as they were.
#[tokio::test]
async fn plain_text_that_a_killed_migration_left_is_removed_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let url = with_plain_secrets(folder.path()).await;
    open_url(&url, Missing::Create).await.unwrap().close().await;
    let mut left = SqliteConnection::connect(&url).await.unwrap();
    let leaving = format!(
        "CREATE TABLE rest AS SELECT '{MARK}' AS plain; DROP TABLE rest;
         UPDATE derived SET plain_secrets = 1"
    );
    sqlx::raw_sql(AssertSqlSafe(leaving)).execute(&mut left).await.unwrap();
    left.close().await.unwrap();
    assert_eq!(files_with(folder.path(), MARK), ["svc.db"]);

    // It reads and goes on meanwhile.
    open_url(&url, Missing::Refuse).await.unwrap().close().await;
    let store = open_url(&url, Missing::Create).await.unwrap();
    assert_eq!(files_with(folder.path(), MARK), [""; 0]);
    store.close().await;
    let mut now = SqliteConnection::connect(&url).await.unwrap();
    let flag: i64 =
        sqlx::query_scalar("SELECT plain_secrets FROM derived").fetch_one(&mut now).await.unwrap();
    assert_eq!(flag, 0);
}

#[tokio::test]
async fn a_migration_that_cannot_write_the_key_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let url = with_plain_secrets(folder.path()).await;
    let key = folder.path().join("nowhere/svc.key");
    let keyring = store::secrets::Keyring::of_file(key.clone());
    let refused = store::open_with(&url, Missing::Create, Some(keyring)).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!("the key file {} could not be written: there is no such folder", key.display())
    );
    let mut old = SqliteConnection::connect(&url).await.unwrap();
    let kept: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM subscriptions WHERE secret LIKE 'whsec\\_%' ESCAPE '\\'",
    )
    .fetch_one(&mut old)
    .await
    .unwrap();
    assert_eq!(kept, 9);
}
