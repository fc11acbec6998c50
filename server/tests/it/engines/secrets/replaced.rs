//! Old secrets kept beside new ones, after partners have rotated them.

use domain::signature::{OLD_SECRET_LASTS, Secret};
use store::Store;
use tokio_util::sync::CancellationToken;

use super::{MARK, all_open, files_with, id, keys_in, partner, secret, subscribe};
use crate::harness::Database;

const OLD: &str = "SELECT count(*) FROM subscriptions WHERE old_secret IS NOT NULL
                       OR old_secret_key IS NOT NULL OR old_secret_until IS NOT NULL";

async fn with_secrets(count: u32) -> Database {
    with_secrets_in(Database::new().await, count).await
}

async fn with_secrets_in(database: Database, count: u32) -> Database {
    partner(&database.store).await;
    for number in 1..=count {
        subscribe(&database.store, number).await;
    }
    database
}

/// Replaces the secret of a subscription.
async fn replace(store: &Store, number: u32) {
    let new = Secret::from_stored(secret(1_000 + number));
    let subscription = store.subscriptions().rotate_secret(1, &id(number), &new).await.unwrap();
    assert_eq!(subscription.unwrap().id, id(number));
}

#[tokio::test]
async fn neither_secret_is_stored_in_plain_text() {
    let database = with_secrets_in(Database::of_file().await, 2).await;
    replace(&database.store, 1).await;
    let copy = database.path("copy.db");
    database.store.backup(&copy, &CancellationToken::new()).await.unwrap();
    assert_eq!(files_with(&database.path(""), MARK), [""; 0]);
    assert_eq!(database.count(OLD).await, 1);
}

#[tokio::test]
async fn a_deleted_subscription_leaves_no_old_secret_either() {
    let database = with_secrets(1).await;
    replace(&database.store, 1).await;
    assert!(database.store.subscriptions().unsubscribe(1, &id(1)).await.unwrap());
    assert_eq!(database.count(OLD).await, 0);
}

#[tokio::test]
async fn an_old_secret_is_forgotten_when_its_time_is_over() {
    let database = with_secrets(2).await;
    replace(&database.store, 1).await;
    let start = crate::harness::instant(crate::harness::START);
    let later = start + OLD_SECRET_LASTS;
    replace(&database.at(later), 2).await;
    assert!(!database.store.subscriptions().forget_old_secrets(start).await.unwrap());
    assert_eq!(database.count(OLD).await, 2);
    assert!(!database.store.subscriptions().forget_old_secrets(later).await.unwrap());
    assert_eq!(database.count(OLD).await, 1);
    all_open(&database.elsewhere().await, 2).await;
}

#[tokio::test]
async fn the_old_key_stays_as_long_as_an_old_secret_needs_it() {
    let database = with_secrets(2).await;
    let rotating = database.elsewhere().await;
    rotating.subscriptions().begin_rotation().await.unwrap();
    // The new secrets are encrypted with the new key, the old ones with the old key.
    for number in [1, 2] {
        replace(&database.store, number).await;
    }
    assert!(!rotating.subscriptions().end_rotation().await.unwrap());
    let rotated = rotating.subscriptions().rotate_master().await.unwrap().unwrap();
    assert_eq!((rotated.secrets, rotated.continued), (2, true));
    assert_eq!(keys_in(&database.path("svc.key")).len(), 1);
    let keys = "SELECT count(*) FROM (SELECT secret_key FROM subscriptions
                                      UNION SELECT old_secret_key FROM subscriptions) AS keys";
    assert_eq!(database.count(keys).await, 1);
    all_open(&database.elsewhere().await, 2).await;
    assert_eq!(database.count(OLD).await, 2);
}

#[tokio::test]
async fn a_service_does_not_start_without_the_key_of_an_old_secret() {
    let database = with_secrets(1).await;
    database.store.subscriptions().begin_rotation().await.unwrap();
    replace(&database.store, 1).await;
    let file = database.path("svc.key");
    let newest = keys_in(&file).remove(0);
    std::fs::write(&file, format!("{newest}\n")).unwrap();
    let refused =
        database.elsewhere().await.subscriptions().check_secrets().await.unwrap_err().to_string();
    assert!(refused.starts_with("webhook secrets are encrypted with the key "), "{refused}");
}

#[tokio::test]
async fn a_damaged_old_secret_stops_neither_webhooks_nor_a_change_of_the_key() {
    let database = with_secrets(1).await;
    replace(&database.store, 1).await;
    database.tamper("UPDATE subscriptions SET old_secret = zeroblob(90)").await;
    all_open(&database.store, 1).await;
    let rotated = database.store.subscriptions().rotate_master().await.unwrap().unwrap();
    assert_eq!(rotated.secrets, 1);
    assert_eq!(database.count(OLD).await, 0);
    all_open(&database.elsewhere().await, 1).await;
}

#[tokio::test]
async fn when_the_key_of_an_old_secret_is_lost_its_subscription_stays() {
    let database = with_secrets(2).await;
    let lost =
        database.store.subscriptions().begin_rotation().await.unwrap().unwrap().others.remove(0);
    replace(&database.store, 1).await;
    let file = database.path("svc.key");
    let newest = keys_in(&file).remove(0);
    std::fs::write(&file, format!("{newest}\n")).unwrap();
    let store = database.elsewhere().await;
    assert_eq!(store.subscriptions().give_up_key(&lost).await.unwrap(), [id(2)]);
    assert_eq!(database.count(OLD).await, 0);
    all_open(&database.elsewhere().await, 1).await;
}
