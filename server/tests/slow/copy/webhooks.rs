//! A service on a copy continues deliveries where the one on the original stopped.

use serde_json::{Value, json};

use crate::{
    harness::{Svc, http},
    receiver::{Receiver, Reply},
    served::Served,
};

/// Publishes a report with this id.
fn publish(svc: &Svc, id: &str) {
    let ran =
        svc.import(format!("id,type,city,country\n{id},spirit,Oslo,Norway\n"), &["--approve"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// Creates a subscription and returns its secret.
async fn subscribe(svc: &Svc, served: &Served, url: &str) -> String {
    let key = svc.json(&["keys", "create", "--partner", "Aid", "--json"]);
    let body = json!({ "url": url, "events": ["report.created"] });
    let request = http().post(format!("{}/api/v1/webhooks", served.url));
    let request = request.bearer_auth(key["key"].as_str().unwrap());
    let request = request.header("content-type", "application/json").body(body.to_string());
    let answer = request.send().await.unwrap().text().await.unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    answer["subscription"]["secret"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn after_a_copy_webhooks_go_on_at_the_cursor_with_the_same_secret() {
    // The first attempt of one event fails; the service on the copy sends the event again.
    let receiver =
        Receiver::scripted(|_, number| Reply::Status(if number == 2 { 500 } else { 200 }));
    let receiver = receiver.await;
    let (source, server, file) = (Svc::with_migrated_file(), Svc::with_server(), Svc::with_file());
    let mut served = Served::start(&source);
    let secret = subscribe(&source, &served, &receiver.url()).await;
    publish(&source, "first");
    receiver.until(1).await;
    publish(&source, "refused");
    receiver.until(2).await;
    served.stop();

    for (number, (from, to)) in [(&source, &server), (&server, &file)].into_iter().enumerate() {
        publish(from, &format!("waits {number}"));
        let (from_url, to_url) = (from.database_url(), to.database_url());
        from.out(&["db", "copy", "--from", &from_url, "--to", &to_url]);
        std::fs::copy(from.key_file(), to.key_file()).unwrap();
        let before = receiver.count();
        let mut served = Served::start(to);
        publish(to, &format!("new {number}"));
        // The two new events arrive, and after the first copy also the refused one.
        receiver.until(before + 3 - number).await;
        served.stop();
    }
    let requests = receiver.requests();
    assert!(requests.iter().all(|request| request.is_signed_with(&secret)));
    let mut accepted: Vec<String> = requests.iter().map(|request| request.report()).collect();
    assert_eq!(accepted.remove(1), "refused");
    accepted.sort();
    assert_eq!(accepted, ["first", "new 0", "new 1", "refused", "waits 0", "waits 1"]);
}
