//! Rotation of the master key while deliveries are in progress.

use crate::{
    harness::soon,
    node::{Node, ReportCreated},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn signatures_stay_right_while_the_key_is_changed_again_and_again() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let first = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    // This process caches the keys that it has read.
    let mut dispatcher = node.dispatcher_elsewhere().await;
    let operator = node.database.elsewhere().await;
    let rotating = async {
        for _ in 0..20 {
            assert!(operator.subscriptions().rotate_master().await.unwrap().is_some());
        }
    };
    let delivering = async {
        for number in 0..20 {
            node.approve(&[&format!("r{number}")]).await;
            dispatcher.dispatch_due().await.unwrap();
        }
    };
    soon("the deliveries", async { tokio::join!(rotating, delivering) }).await;
    let requests = receiver.requests();
    assert_eq!(requests.len(), 20);
    assert!(requests.iter().all(|request| request.is_signed_with(&first.secret)));

    let second = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["last"]).await;
    assert_eq!(dispatcher.dispatch_due().await.unwrap(), 2);
    let last = &receiver.requests()[20..];
    assert!(last.iter().any(|request| request.is_signed_with(&first.secret)));
    assert!(last.iter().any(|request| request.is_signed_with(&second.secret)));
}

#[tokio::test]
async fn a_secret_that_cannot_be_decrypted_holds_up_no_other_subscription() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    node.subscribe(&receiver.url(), &[ReportCreated]).await;
    let other = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.database.tamper("UPDATE subscriptions SET secret = zeroblob(90) WHERE seq = 1").await;
    node.approve(&["a", "b"]).await;
    node.dispatch().await;
    let requests = receiver.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| request.is_signed_with(&other.secret)));
}
