//! Mails to partners about paused and disabled endpoints, sent to a real SMTP server.

mod sending;

use std::time::Duration;

use base::{clock::Clock, random::Random};
use domain::subscription::SubscriptionStatus;
use store::{Change, Store};

use svc::{config::Serve, mail::Notices};

use super::mail::{body, mailing};
use crate::{
    node::{DAY, Node, ReportCreated, Subscription, partner, subscribe},
    receiver::{Receiver, Reply},
    smtp_server::{Mail, SmtpServer},
};

const TEN_MINUTES: Duration = Duration::from_secs(600);

/// A partner with an address and an endpoint that fails.
struct Scene {
    node: Node,
    failing: Subscription,
    endpoint: Receiver,
    server: SmtpServer,
}

impl Scene {
    async fn new() -> Self {
        let node = Node::new().await;
        let endpoint = Receiver::with(Reply::Status(500)).await;
        let failing = node.subscribe(&endpoint.url(), &[ReportCreated]).await;
        let scene = Self { node, failing, endpoint, server: SmtpServer::start(None).await };
        scene.set_address(Some("aid@example.com")).await;
        scene
    }

    async fn set_address(&self, address: Option<&str>) {
        let mails = self.node.store().partner_mails();
        mails.set_address(self.node.partner_id, address).await.unwrap();
    }

    async fn disable(&self, subscription: &Subscription, reason: &str) {
        let subscriptions = self.node.store().subscriptions();
        subscriptions.disable(&subscription.id, reason).await.unwrap();
    }

    async fn announce(&self) {
        while self.node.store().subscriptions().announce_endpoints(true).await.unwrap() > 0 {}
    }

    /// A sender with this connection to the database.
    fn sender(&self, store: &Store) -> Notices {
        let public_url = Some("https://svc.example.org/counters".parse().unwrap());
        let settings = Serve { public_url, ..mailing(self.server.address) };
        let (clock, random): (Clock, Random) = (self.node.clock.clone(), Random::system());
        Notices::new(&settings, store.clone(), clock, random).unwrap()
    }

    /// Announces changed states, sends what is due, and returns all mails that the server has got.
    async fn mails(&self) -> Vec<Mail> {
        self.announce().await;
        self.sender(self.node.store()).send_due().await.unwrap();
        self.server.mails()
    }

    /// Number of mails after some time.
    async fn count_after(&self, time: Duration) -> usize {
        self.node.clock.advance(time);
        self.mails().await.len()
    }

    async fn waiting(&self) -> i64 {
        self.node.rows("partner_mails").await
    }
}

/// Token of the link that ends the mails.
fn token(mail: &Mail) -> String {
    body(mail).split_once("?token=").unwrap().1.to_owned()
}

#[tokio::test]
async fn a_mail_about_a_paused_endpoint_has_its_host_its_failure_and_the_reason_of_the_mail() {
    let scene = Scene::new().await;
    scene.node.fail_until_paused(&scene.failing).await;
    let mails = scene.mails().await;
    assert_eq!(mails.len(), 1);
    let host = scene.endpoint.url().split('/').nth(2).unwrap().to_owned();
    assert_eq!(
        (&*mails[0].from, &*mails[0].to),
        ("svc@example.org", &["aid@example.com".to_owned()][..])
    );
    for header in [
        "From: \"Water for all\" <svc@example.org>\r\n",
        "To: aid@example.com\r\n",
        &format!("Subject: Webhook endpoint paused: {host}\r\n"),
        "Auto-Submitted: auto-generated\r\n",
    ] {
        assert!(mails[0].text.contains(header), "{header} in {}", mails[0].text);
    }
    let until = scene.node.pause_of(scene.failing.seq).await.unwrap().format("%Y-%m-%d %H:%M UTC");
    let id = &scene.failing.id;
    assert_eq!(
        body(&mails[0]),
        format!(
            "This webhook endpoint receives no events from Spirit and water at present.\n\n\
             {host}\n  \
             Subscription: {id}\n  \
             State: paused after 5 failures in a row\n  \
             Failing since: 2026-03-01 12:00 UTC\n  \
             Last failure: the response was 500\n  \
             Next attempt: {until}\n  \
             One event is sent now and then. Once the endpoint accepts it, all others follow. After five days of \
             failures the subscription is disabled.\n\n\
             Deliveries, errors and settings: https://svc.example.org/counters/partners\n\n\
             This mail was sent because the partner Aid of Spirit and water has entered this address. There is at \
             most one in 10 minutes. If you do not want these mails, open \
             https://svc.example.org/counters/partners/mails?token={}",
            token(&mails[0])
        )
    );
    assert_eq!(token(&mails[0]).len(), 22);
    assert_eq!(scene.count_after(DAY).await, 1, "a state is announced once");
}

#[tokio::test]
async fn a_disabled_endpoint_is_another_mail_and_several_are_one() {
    let scene = Scene::new().await;
    let other = scene.node.subscribe("http://b.example:8080/secret?x", &[ReportCreated]).await;
    scene.node.fail_until_paused(&scene.failing).await;
    assert_eq!(scene.mails().await.len(), 1);
    scene.disable(&scene.failing, "It fails.\r\nBcc: eve@example.org").await;
    scene.disable(&other, "Too slow.").await;
    assert_eq!(scene.mails().await.len(), 1, "ten minutes have not passed");
    let count = scene.count_after(TEN_MINUTES).await;
    let mails = scene.server.mails();
    assert_eq!((count, mails[1].to.len()), (2, 1));
    assert!(
        mails[1].text.contains("Subject: 2 webhook endpoints disabled\r\n"),
        "{}",
        mails[1].text
    );
    let text = body(&mails[1]);
    for part in [
        "These webhook endpoints receive no events",
        "  Reason: It fails.  Bcc: eve@example.org\n",
        "\nb.example:8080\n  Subscription: ",
        "  Reason: Too slow.\n  Nothing is sent until the operator enables it. Then the events of the last 30 days \
         follow.\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("secret"), "{text}");
}

#[tokio::test]
async fn an_endpoint_that_fails_again_and_again_causes_one_mail_in_ten_minutes() {
    let scene = Scene::new().await;
    for _ in 0..4 {
        scene.disable(&scene.failing, "A break.").await;
        assert_eq!(scene.count_after(Duration::from_secs(60)).await, 1);
        scene.node.enable(&scene.failing).await;
        scene.announce().await;
    }
    assert_eq!(scene.waiting().await, 0, "the endpoint works");
    assert_eq!(scene.count_after(TEN_MINUTES).await, 1);
    scene.disable(&scene.failing, "Another one.").await;
    assert_eq!(scene.mails().await.len(), 2);
}

#[tokio::test]
async fn every_partner_gets_its_own_mail() {
    let scene = Scene::new().await;
    let (store, random) = (scene.node.store(), Random::seeded(7));
    let stranger = partner(store, &random, "Stranger").await;
    let theirs = subscribe(store, stranger, &random, "http://c.example/", &[ReportCreated]).await;
    store.partner_mails().set_address(stranger, Some("bob@example.net")).await.unwrap();
    scene.disable(&scene.failing, "A break.").await;
    scene.disable(&theirs, "A break.").await;
    let mails = scene.mails().await;
    let to: Vec<_> = mails.iter().flat_map(|mail| mail.to.clone()).collect();
    assert_eq!(to, ["aid@example.com", "bob@example.net"]);
    for (mail, id) in mails.iter().zip([&scene.failing.id, &theirs.id]) {
        assert_eq!(body(mail).matches("Subscription: ").count(), 1);
        assert!(body(mail).contains(id), "{}", body(mail));
    }
}

#[tokio::test]
async fn without_an_address_there_is_no_mail_and_removing_it_discards_what_waits() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    scene.announce().await;
    assert_eq!(scene.waiting().await, 1);
    scene.set_address(None).await;
    assert_eq!(scene.waiting().await, 0);
    assert_eq!(scene.mails().await.len(), 0);
    scene.node.enable(&scene.failing).await;
    scene.announce().await;
    scene.disable(&scene.failing, "Another one.").await;
    scene.announce().await;
    scene.set_address(Some("late@example.com")).await;
    assert_eq!(scene.mails().await.len(), 0, "the state was announced before");
}

#[tokio::test]
async fn the_link_of_a_mail_removes_the_address_that_got_it() {
    let scene = Scene::new().await;
    let mails = scene.node.store().partner_mails();
    scene.disable(&scene.failing, "A break.").await;
    let token = token(&scene.mails().await[0]);
    assert!(!mails.remove_address("").await.unwrap());
    assert!(!mails.remove_address(&token.to_lowercase()).await.unwrap());
    assert!(mails.remove_address(&token).await.unwrap());
    assert_eq!(mails.address(scene.node.partner_id).await.unwrap(), None);
    assert!(!mails.remove_address(&token).await.unwrap(), "it was removed before");
    scene.set_address(Some("other@example.com")).await;
    assert!(!mails.remove_address(&token).await.unwrap(), "another address has another link");
}

#[tokio::test]
async fn a_new_address_gets_what_waits() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    scene.announce().await;
    scene.set_address(Some("new@example.com")).await;
    assert_eq!(scene.mails().await[0].to, ["new@example.com"]);
}

#[tokio::test]
async fn a_partner_gets_no_mail_about_what_it_did_itself() {
    let scene = Scene::new().await;
    let change = Change { status: Some(SubscriptionStatus::Disabled), ..Change::default() };
    let (partner, id) = (scene.node.partner_id, &scene.failing.id);
    scene.node.fail_until_paused(&scene.failing).await;
    scene.announce().await;
    assert_eq!(scene.waiting().await, 1);
    scene.node.store().subscriptions().change(partner, id, &change).await.unwrap();
    assert_eq!(scene.mails().await.len(), 0, "not about the pause before, either");
}

#[tokio::test]
async fn a_service_without_a_mail_server_keeps_no_notices() {
    let scene = Scene::new().await;
    scene.disable(&scene.failing, "A break.").await;
    assert_eq!(scene.node.store().subscriptions().announce_endpoints(false).await.unwrap(), 1);
    assert_eq!(scene.waiting().await, 0);
}
