//! Stored responses with secrets.

use domain::idempotency::IdempotentRequest;
use store::{Claimed, Store, StoredResponse};

use super::{all_open, files_with, partner, secret, subscribe};
use crate::harness::Database;

/// Number of responses: more than one batch of a rotation.
const RESPONSES: u32 = 120;
const OWNER: &str = "partner 1";

fn request(number: u32) -> IdempotentRequest {
    IdempotentRequest::new(&format!("k-{number}"), "POST", "/", b"").unwrap()
}

fn response(number: u32) -> StoredResponse {
    StoredResponse { status: 201, body: secret(number), is_secret: true }
}

/// Handles a request: stores its response.
async fn handled(store: &Store, number: u32) {
    let requests = store.idempotent_requests();
    let claimed = requests.claim(OWNER, &request(number)).await.unwrap();
    let Claimed::Now(claim) = claimed else { panic!("{claimed:?}") };
    requests.finish(&claim, &response(number)).await.unwrap();
}

/// Response to a repeated request, if it was kept.
async fn repeated(store: &Store, number: u32) -> Option<StoredResponse> {
    match store.idempotent_requests().claim(OWNER, &request(number)).await.unwrap() {
        Claimed::Before(response) => Some(response),
        Claimed::Lost => None,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_response_with_a_secret_is_encrypted_with_the_key_that_the_first_secret_creates() {
    let database = Database::new().await;
    handled(&database.store, 1).await;
    assert_eq!(repeated(&database.elsewhere().await, 1).await, Some(response(1)));
    assert_eq!(files_with(&database.path(""), &secret(1)), [""; 0]);
    assert_eq!(database.store.keyring().ids().unwrap().len(), 1);
}

#[tokio::test]
async fn a_rotation_encrypts_stored_responses_with_the_new_key() {
    let database = Database::new().await;
    partner(&database.store).await;
    subscribe(&database.store, 1).await;
    for number in 1..=RESPONSES {
        handled(&database.store, number).await;
    }
    let rotated = database.store.subscriptions().rotate_master().await.unwrap().unwrap();
    assert_eq!(rotated.secrets, u64::from(RESPONSES) + 1);
    let keys = "SELECT count(DISTINCT response_key) FROM idempotency_keys";
    assert_eq!(database.count(keys).await, 1);
    let reopened = database.elsewhere().await;
    all_open(&reopened, 1).await;
    for number in 1..=RESPONSES {
        assert_eq!(repeated(&reopened, number).await, Some(response(number)));
    }
}

#[tokio::test]
async fn a_lost_key_takes_only_the_responses_with_it() {
    let database = Database::new().await;
    handled(&database.store, 1).await;
    let lost = database.store.keyring().ids().unwrap().remove(0);
    std::fs::remove_file(database.path("svc.key")).unwrap();
    let reopened = database.elsewhere().await;
    let error = reopened.subscriptions().check_secrets().await.unwrap_err().to_string();
    assert!(error.contains(lost.as_str()), "{error}");
    assert_eq!(reopened.subscriptions().give_up_key(&lost).await.unwrap(), [""; 0]);
    reopened.subscriptions().check_secrets().await.unwrap();
    assert_eq!(repeated(&reopened, 1).await, None, "it had its effect");
    handled(&reopened, 2).await;
    assert_eq!(repeated(&reopened, 2).await, Some(response(2)));
}
