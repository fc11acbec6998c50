//! One mail for each notice: several nodes, crashes, refused mails, and the workers of a running service.

use std::time::Duration;

use domain::{event::EventName, tier::Tier};
use model::ReportType::Spirit;
use serde_json::json;
use store::MAIL_EVERY;

use svc::{
    config::{Serve, WebhookTargets},
    mail::LOOK_EVERY,
};

use super::{Scene, TEN_MINUTES};
use crate::{
    api::webhooks::post,
    engines::mail::{body, mailing},
    harness::{Running, START, report, soon},
    node::DAY,
    receiver::{Receiver, Reply},
    smtp_server::{Reaction, SmtpServer},
};

#[tokio::test]
async fn of_several_nodes_one_sends_the_notice() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    scene.announce().await;
    let database = &scene.node.database;
    let elsewhere = [database.elsewhere().await, database.elsewhere().await];
    let nodes = elsewhere.each_ref().map(|store| scene.sender(store));
    let (first, second) = tokio::join!(nodes[0].send_due(), nodes[1].send_due());
    assert_eq!(first.unwrap() + second.unwrap(), 1);
    assert_eq!(scene.server.mails().len(), 1);
}

#[tokio::test]
async fn a_node_that_dies_between_claim_and_mail_loses_it_and_none_is_sent_twice() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    scene.announce().await;
    let claimed = scene.node.store().partner_mails().claim().await.unwrap().unwrap();
    assert_eq!(claimed.endpoints.len(), 1);
    assert_eq!(scene.mails().await.len(), 0);
    assert_eq!(scene.count_after(DAY).await, 0);
}

#[tokio::test]
async fn a_refused_mail_is_tried_again_for_a_day() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    scene.server.react(Reaction::Refuse);
    assert_eq!(scene.mails().await.len(), 0);
    scene.server.react(Reaction::Accept);
    assert_eq!(scene.mails().await.len(), 0, "too early");
    assert_eq!(scene.count_after(TEN_MINUTES).await, 1);

    scene.node.enable(&scene.failing).await;
    scene.announce().await;
    scene.disable(&scene.failing, "Another one.").await;
    scene.server.react(Reaction::Refuse);
    scene.announce().await;
    let mut hours = 0;
    while scene.waiting().await > 0 {
        assert_eq!(scene.count_after(Duration::from_secs(3_600)).await, 1);
        hours += 1;
        assert!(hours <= 24, "it was not given up");
    }
    assert_eq!(hours, 24);
    scene.server.react(Reaction::Accept);
    assert_eq!(scene.count_after(DAY).await, 1);
}

#[tokio::test]
async fn an_endpoint_that_works_again_while_its_mail_is_refused_is_not_mailed_later() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    scene.announce().await;
    let mails = scene.node.store().partner_mails();
    let claimed = mails.claim().await.unwrap().unwrap();
    scene.node.enable(&scene.failing).await;
    scene.announce().await;
    mails.put_back(&claimed).await.unwrap();
    assert_eq!(scene.waiting().await, 0);
}

#[tokio::test]
async fn a_mail_that_may_have_arrived_is_not_repeated() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    scene.server.react(Reaction::Vanish);
    assert_eq!(scene.mails().await.len(), 1);
    assert_eq!(scene.count_after(TEN_MINUTES).await, 1);
    assert_eq!(scene.waiting().await, 0);
}

#[tokio::test]
async fn a_clock_that_was_ahead_does_not_stop_notices_for_years() {
    let scene = Scene::new().await;
    scene.node.database.tamper("UPDATE partners SET mailed_at = 4000000000000").await;
    scene.disable(&scene.failing, "A break.").await;
    assert_eq!(scene.mails().await.len(), 1);
}

#[tokio::test]
async fn a_deleted_subscription_needs_no_mail_and_is_pruned() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    scene.announce().await;
    assert_eq!(scene.waiting().await, 1);
    assert!(scene.node.store().subscriptions().delete(&scene.failing.id).await.unwrap());
    let now = scene.node.now();
    scene.node.store().event_log().prune(now, || std::future::ready(())).await.unwrap();
    assert_eq!(scene.node.rows("subscriptions").await, 0);
    assert_eq!(scene.mails().await.len(), 0);
    assert_eq!(scene.count_after(DAY).await, 0);
    assert_eq!(scene.waiting().await, 0);
}

#[tokio::test]
async fn a_running_service_mails_the_partner_of_an_endpoint_that_keeps_failing() {
    assert_eq!(MAIL_EVERY.to_std().unwrap(), TEN_MINUTES);
    let server = SmtpServer::start(None).await;
    let endpoints = WebhookTargets::lenient();
    let running = Running::with(Serve { endpoints, ..mailing(server.address) }, START).await;
    let key = running.key("Aid", Tier::Partner).await;
    let request = running.http.patch(running.url("/api/v1/me")).bearer_auth(key.as_str());
    let changed = running.ask(request.json(&json!({ "email": "aid@example.com" })), &[]).await;
    assert_eq!(changed.json()["email"], "aid@example.com", "{}", changed.text());
    let endpoint = Receiver::with(Reply::Status(503)).await;
    let input = json!({ "url": endpoint.url(), "events": [EventName::ReportCreated] });
    assert_eq!(post(&running, &key, input.to_string()).await.status, 201);
    let reports: Vec<_> = (0..6).map(|number| report(&format!("r{number}"), Spirit)).collect();
    running.publish(&reports).await;
    let mailed = async {
        while server.mails().is_empty() {
            running.clock.advance(LOOK_EVERY);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("a mail", mailed).await;
    let mail = server.mails().remove(0);
    assert_eq!(mail.to, ["aid@example.com"]);
    assert!(mail.text.contains("Subject: Webhook endpoint paused: 127.0.0.1:"), "{}", mail.text);
    assert!(body(&mail).contains("Last failure: the response was 503"), "{}", body(&mail));
}
