use std::os::unix::fs::PermissionsExt;

use tokio_util::sync::CancellationToken;

use super::{MARK, all_open, files_with, id, keys_in, partner, subscribe};
use crate::harness::Database;

#[tokio::test]
async fn neither_the_database_nor_its_journal_nor_a_backup_has_a_secret_in_plain_text() {
    let database = Database::of_file().await;
    partner(&database.store).await;
    assert!(!database.path("svc.key").exists(), "nothing needs a key yet");
    for number in 1..=3 {
        subscribe(&database.store, number).await;
    }
    let copy = database.path("copy.db");
    database.store.backup(&copy, &CancellationToken::new()).await.unwrap();
    assert_eq!(files_with(&database.path(""), MARK), [""; 0]);
    // The ids are found, so secrets in plain text would be found too.
    assert_eq!(files_with(&database.path(""), &id(3)), ["copy.db", "svc.db-wal"]);
    let mode = std::fs::metadata(database.path("svc.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    let key = &keys_in(&database.path("svc.key"))[0];
    assert_eq!(files_with(&database.path(""), key), ["svc.key"]);
    all_open(&database.elsewhere().await, 3).await;
    database.store.close().await;
    assert_eq!(files_with(&database.path(""), MARK), [""; 0]);
}

#[tokio::test]
async fn a_secret_that_was_changed_or_copied_from_another_row_does_not_decrypt() {
    let database = Database::new().await;
    partner(&database.store).await;
    for number in 1..=3 {
        subscribe(&database.store, number).await;
    }
    database
        .tamper("UPDATE subscriptions SET secret = (SELECT secret FROM subscriptions WHERE seq = 3) WHERE seq = 1")
        .await;
    database.tamper("UPDATE subscriptions SET secret = substr(secret, 1, 70) WHERE seq = 2").await;
    let said = async |number| {
        let refused = database.store.subscriptions().check_secret(&id(number)).await.unwrap_err();
        refused.to_string()
    };
    for number in [1, 2] {
        assert_eq!(
            said(number).await,
            format!(
                "the secret of the subscription {} cannot be decrypted: it was changed in the \
                 database or copied from another; the partner has to subscribe again",
                id(number)
            )
        );
    }
    database.store.subscriptions().check_secret(&id(3)).await.unwrap();
}

#[tokio::test]
async fn a_deleted_subscription_leaves_no_secret() {
    let database = Database::new().await;
    partner(&database.store).await;
    subscribe(&database.store, 1).await;
    assert!(database.store.subscriptions().unsubscribe(1, &id(1)).await.unwrap());
    let left =
        "SELECT count(*) FROM subscriptions WHERE secret IS NOT NULL OR secret_key IS NOT NULL";
    assert_eq!(database.count(left).await, 0);
    database.store.subscriptions().check_secrets().await.unwrap();
}

#[tokio::test]
async fn without_its_key_a_database_gets_no_other_key() {
    let database = Database::new().await;
    partner(&database.store).await;
    subscribe(&database.store, 1).await;
    database.store.close().await;
    std::fs::remove_file(database.path("svc.key")).unwrap();
    let elsewhere = database.elsewhere().await;
    let new = domain::subscription::NewSubscription {
        id: id(2),
        partner_id: 1,
        url: "https://example.org/hook".to_owned(),
        events: vec![domain::event::EventName::ReportCreated],
        filter: None,
        secret: super::secret(2),
    };
    let refused = elsewhere.subscriptions().create(&new, 25).await.unwrap_err().to_string();
    let said = "svc.key (there is no such file): put back the key that belongs to this database";
    assert!(refused.ends_with(said), "{refused}");
    assert!(!database.path("svc.key").exists());
    assert_eq!(database.count("SELECT count(*) FROM subscriptions").await, 1);
}
