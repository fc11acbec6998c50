use super::{all_open, keys_in, partner, subscribe};
use crate::harness::Database;

/// Number of subscriptions: more than one batch.
const SUBSCRIPTIONS: u32 = 150;

async fn with_secrets() -> Database {
    let database = Database::new().await;
    partner(&database.store).await;
    for number in 1..=SUBSCRIPTIONS {
        subscribe(&database.store, number).await;
    }
    database
}

#[tokio::test]
async fn a_rotation_encrypts_everything_with_a_new_key_and_removes_the_old_one() {
    let database = with_secrets().await;
    let before = database.store.keyring().ids().unwrap();
    let rotated = database.store.subscriptions().rotate_master().await.unwrap().unwrap();
    assert_eq!((rotated.secrets, rotated.continued), (u64::from(SUBSCRIPTIONS), false));
    assert_eq!(rotated.retired, before);
    assert_ne!(rotated.key, before[0]);
    assert_eq!(keys_in(&database.path("svc.key")).len(), 1);
    // A new process has never seen the old key; this one may have.
    for store in [database.elsewhere().await, database.store.clone()] {
        all_open(&store, SUBSCRIPTIONS).await;
    }
    assert_eq!(database.count("SELECT count(DISTINCT secret_key) FROM subscriptions").await, 1);
    assert_eq!(
        database.count("SELECT count(DISTINCT substr(secret, 1, 24)) FROM subscriptions").await,
        i64::from(SUBSCRIPTIONS)
    );
}

/// Rotations killed after each of their steps.
#[tokio::test]
async fn a_rotation_that_was_killed_loses_nothing_and_the_next_one_completes_it() {
    for steps in 0..4 {
        let database = with_secrets().await;
        let killed = database.elsewhere().await;
        let begun = killed.subscriptions().begin_rotation().await.unwrap().unwrap();
        assert!(begun.added);
        let mut from = 0;
        for _ in 0..steps {
            from = killed.subscriptions().rotate_some(from).await.unwrap().next.unwrap_or(0);
        }
        killed.close().await;
        all_open(&database.elsewhere().await, SUBSCRIPTIONS).await;
        assert_eq!(keys_in(&database.path("svc.key")).len(), 2);

        let rotated = database.store.subscriptions().rotate_master().await.unwrap().unwrap();
        let done = [0, 100, 150, 150][steps];
        assert_eq!((rotated.secrets, rotated.continued), (150 - done, true), "{steps}");
        assert_eq!((rotated.key, rotated.retired), (begun.newest, begun.others));
        assert_eq!(keys_in(&database.path("svc.key")).len(), 1);
        all_open(&database.elsewhere().await, SUBSCRIPTIONS).await;
    }
}

#[tokio::test]
async fn the_old_key_stays_as_long_as_a_secret_needs_it() {
    let database = with_secrets().await;
    let rotating = database.elsewhere().await;
    rotating.subscriptions().begin_rotation().await.unwrap();
    assert!(!rotating.subscriptions().end_rotation().await.unwrap());
    assert_eq!(keys_in(&database.path("svc.key")).len(), 2);
    // A process that has loaded only the old key still encrypts with the new one.
    subscribe(&database.store, SUBSCRIPTIONS + 1).await;
    let rotated = rotating.subscriptions().rotate_master().await.unwrap().unwrap();
    assert_eq!(rotated.secrets, u64::from(SUBSCRIPTIONS));
    all_open(&database.elsewhere().await, SUBSCRIPTIONS + 1).await;
}

#[tokio::test]
async fn rotations_at_the_same_time_and_new_subscriptions_leave_no_secret_without_its_key() {
    let database = with_secrets().await;
    let (one, other) = (database.elsewhere().await, database.elsewhere().await);
    let rotate = async |store: &store::Store| {
        for _ in 0..5 {
            store.subscriptions().rotate_master().await.unwrap();
        }
    };
    let subscribing = async {
        for number in 1..=50 {
            subscribe(&database.store, SUBSCRIPTIONS + number).await;
        }
    };
    tokio::join!(rotate(&one), rotate(&other), subscribing);
    all_open(&database.elsewhere().await, SUBSCRIPTIONS + 50).await;
    assert_eq!(keys_in(&database.path("svc.key")).len(), 1);
}

#[tokio::test]
async fn a_damaged_secret_keeps_the_old_key_and_everything_else_is_encrypted_with_the_new_one() {
    let database = with_secrets().await;
    database.tamper("UPDATE subscriptions SET secret = zeroblob(90) WHERE seq = 2").await;
    let refused = database.store.subscriptions().rotate_master().await.unwrap_err().to_string();
    let said = format!("the secret of the subscription {} cannot be decrypted", super::id(2));
    assert!(refused.starts_with(&said), "{refused}");
    assert_eq!(keys_in(&database.path("svc.key")).len(), 2);
    // After the partner has deleted the subscription, the rotation completes.
    assert!(database.store.subscriptions().unsubscribe(1, &super::id(2)).await.unwrap());
    let rotated = database.store.subscriptions().rotate_master().await.unwrap().unwrap();
    assert_eq!((rotated.secrets, rotated.continued), (0, true));
    assert_eq!(keys_in(&database.path("svc.key")).len(), 1);
}

#[tokio::test]
async fn where_no_secret_was_stored_there_is_no_key_to_change() {
    let database = Database::new().await;
    assert_eq!(database.store.subscriptions().rotate_master().await.unwrap(), None);
    assert!(!database.path("svc.key").exists());
}
