//! Mails about pending reports, sent to a real SMTP server.

use std::{net::SocketAddr, time::Duration};

use base::{clock::Clock, random::Random};
use domain::report::{NewReport, Step};
use model::ReportType::{Spirit, Water};
use store::{DigestState, Mode, Store};

use svc::{
    config::{Mail, Serve},
    mail::{Digests, Notices, RETRY_AFTER},
};

use crate::{
    harness::{But, Database, START, instant, report, settings},
    smtp_server::{Mail as Received, Reaction, SmtpServer},
};

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);

/// Settings of a service that sends mails once a day.
pub(crate) fn mailing(server: SocketAddr) -> Serve {
    let address = |text: &str| text.parse().unwrap();
    let usual = settings();
    let mail = Mail {
        smtp_url: Some(format!("smtp://{server}").parse().unwrap()),
        mail_from: Some(address("Water for all <svc@example.org>")),
        mail_to: vec![address("ada@example.org"), address("Bob <bob@example.org>")],
        ..usual.mail.clone()
    };
    Serve { mail, ..usual }
}

struct Office {
    database: Database,
    clock: Clock,
    server: SmtpServer,
}

impl Office {
    async fn new() -> Self {
        let clock = Clock::stepped(instant(START));
        let database = Database::timed_by(clock.clone()).await;
        Self { database, clock, server: SmtpServer::start(None).await }
    }

    /// A node with this connection to the database.
    fn node(&self, store: &Store) -> Digests {
        let ops = "127.0.0.1:3001".parse().unwrap();
        let (clock, random) = (self.clock.clone(), Random::system());
        Digests::new(&mailing(self.server.address), Some(ops), store.clone(), clock, random)
            .unwrap()
    }

    /// Lets a node look whether a digest is due. Returns the number of mails that the server has got by then.
    async fn look(&self) -> usize {
        self.node(&self.database.store).send_due().await.unwrap();
        self.server.mails().len()
    }

    async fn add(&self, reports: &[NewReport]) {
        self.database.store.reports().import(reports, Mode::Pending).await.unwrap();
    }

    async fn decide(&self, step: Step, id: &str) {
        self.database.store.reports().decide(step, &[id.to_owned()]).await.unwrap();
    }

    async fn state(&self) -> DigestState {
        self.database.store.mail_digest().state().await.unwrap()
    }
}

/// Body of a mail, decoded.
pub(crate) fn body(mail: &Received) -> String {
    let (head, body) = mail.text.split_once("\r\n\r\n").unwrap();
    let body = match head.contains("quoted-printable") {
        true => {
            let joined = body.replace("=\r\n", "");
            let mut bytes = Vec::new();
            let mut rest = joined.as_bytes();
            while let Some((first, after)) = rest.split_first() {
                if *first == b'=' {
                    let hex = std::str::from_utf8(&after[..2]).unwrap();
                    bytes.push(u8::from_str_radix(hex, 16).unwrap());
                    rest = &after[2..];
                } else {
                    bytes.push(*first);
                    rest = after;
                }
            }
            String::from_utf8(bytes).unwrap()
        }
        false => body.to_owned(),
    };
    body.replace("\r\n", "\n").trim_end().to_owned()
}

#[tokio::test]
async fn a_mail_lists_what_waits_and_goes_to_everybody() {
    let office = Office::new().await;
    assert_eq!(office.look().await, 0, "nothing waits");
    office
        .add(&[
            report("a", Spirit).at("São Paulo", "SP", "Brazil").on("2026-02-27"),
            report("b", Water).at("Oslo", "", "Norway"),
        ])
        .await;
    assert_eq!(office.look().await, 1);
    let mail = &office.server.mails()[0];
    assert_eq!(
        (&*mail.from, &*mail.to),
        ("svc@example.org", &["ada@example.org".to_owned(), "bob@example.org".to_owned()][..])
    );
    for header in [
        "From: \"Water for all\" <svc@example.org>\r\n",
        "To: ada@example.org, Bob <bob@example.org>\r\n",
        "Subject: 2 reports are pending\r\n",
        "Date: Sun, 01 Mar 2026 12:00:00 +0000\r\n",
        "Auto-Submitted: auto-generated\r\n",
        "@example.org>\r\n",
        "Content-Type: text/plain; charset=utf-8\r\n",
    ] {
        assert!(mail.text.contains(header), "{header} in {}", mail.text);
    }
    assert_eq!(
        body(mail),
        "2 reports are pending. The oldest is 2 hours old: it was reported on 2026-03-01.\n\n\
         - Oslo, Norway: 1 person, water, 2026-03-01\n\
         - São Paulo, SP, Brazil: 1 person, spirit, 2026-02-27\n\n\
         Decide at the desk: http://127.0.0.1:3001/desk\n\n\
         This mail is sent at most once every 24 hours, and only if something has changed."
    );
    let state = office.state().await;
    assert_eq!(state, DigestState { sent_at: Some(instant(START)), failure: None });
}

#[tokio::test]
async fn there_is_one_mail_in_a_day_and_only_after_a_change() {
    let office = Office::new().await;
    office.add(&[report("a", Spirit)]).await;
    assert_eq!(office.look().await, 1);
    office.add(&[report("b", Spirit)]).await;
    office.clock.advance(DAY - HOUR);
    assert_eq!(office.look().await, 1, "too early");
    office.clock.advance(HOUR);
    assert_eq!(office.look().await, 2);
    office.clock.advance(DAY);
    assert_eq!(office.look().await, 2, "nothing has changed");
    office.decide(Step::Reject, "a").await;
    assert_eq!(office.look().await, 3);
    office.decide(Step::Approve, "b").await;
    office.clock.advance(DAY);
    assert_eq!(office.look().await, 3, "nothing waits");
    office.decide(Step::Reopen, "a").await;
    assert_eq!(office.look().await, 4);
}

#[tokio::test]
async fn of_several_nodes_one_sends() {
    let office = Office::new().await;
    office.add(&[report("a", Spirit)]).await;
    let elsewhere = [office.database.elsewhere().await, office.database.elsewhere().await];
    let nodes = elsewhere.each_ref().map(|store| office.node(store));
    let (first, second) = tokio::join!(nodes[0].send_due(), nodes[1].send_due());
    assert!(first.unwrap() ^ second.unwrap());
    assert_eq!(office.server.mails().len(), 1);
}

#[tokio::test]
async fn a_node_that_dies_while_sending_has_used_up_the_day() {
    let office = Office::new().await;
    office.add(&[report("a", Spirit)]).await;
    let digests = office.database.store.mail_digest();
    let waiting = digests.waiting().await.unwrap();
    assert!(digests.claim(chrono::TimeDelta::days(1), &waiting).await.unwrap().is_some());
    office.clock.advance(DAY - HOUR);
    assert_eq!(office.look().await, 0);
    office.clock.advance(HOUR);
    assert_eq!(office.look().await, 1, "although nothing has changed");
}

#[tokio::test]
async fn a_refused_mail_is_tried_again_soon_and_the_reason_is_kept() {
    let office = Office::new().await;
    office.add(&[report("a", Spirit)]).await;
    office.server.react(Reaction::Refuse);
    assert_eq!(office.look().await, 0);
    let (at, why) = office.state().await.failure.unwrap();
    assert_eq!(at, instant(START));
    let server = office.server.address;
    assert!(why.starts_with(&format!("the server {server} did not accept it: ")), "{why}");
    assert!(why.contains("no such mailbox here"), "{why}");
    office.server.react(Reaction::Accept);
    assert_eq!(office.look().await, 0, "too early");
    office.clock.advance(RETRY_AFTER.to_std().unwrap());
    assert_eq!(office.look().await, 1);
    assert_eq!(office.state().await.failure, None);
}

#[tokio::test]
async fn a_mail_that_may_have_arrived_is_not_repeated_before_the_next_day() {
    let office = Office::new().await;
    office.add(&[report("a", Spirit)]).await;
    office.server.react(Reaction::Vanish);
    assert_eq!(office.look().await, 1);
    assert!(office.state().await.failure.is_some());
    office.clock.advance(DAY - HOUR);
    assert_eq!(office.look().await, 1);
    office.clock.advance(HOUR);
    assert_eq!(office.look().await, 2);
}

#[tokio::test]
async fn a_clock_that_was_ahead_does_not_stop_mails_for_years() {
    let office = Office::new().await;
    office.add(&[report("a", Spirit)]).await;
    office.database.tamper("UPDATE mail_digest SET claimed_at = 4000000000000").await;
    assert_eq!(office.look().await, 1);
}

#[tokio::test]
async fn without_recipients_there_are_no_digests_but_notices_to_partners() {
    let office = Office::new().await;
    let all = mailing(office.server.address);
    let settings = Serve { mail: Mail { mail_to: Vec::new(), ..all.mail.clone() }, ..all };
    let (store, clock) = (office.database.store.clone(), office.clock.clone());
    let digests = Digests::new(&settings, None, store.clone(), clock.clone(), Random::system());
    assert!(digests.is_none());
    assert!(Notices::new(&settings, store, clock, Random::system()).is_some());
}

#[tokio::test]
async fn names_of_places_stay_in_the_body() {
    let office = Office::new().await;
    let name = "Oslo\u{2028}Bcc: eve@example.org\u{202e}";
    office.add(&[report("a", Spirit).at(name, "", ".\r\nMAIL FROM:<eve@example.org>")]).await;
    assert_eq!(office.look().await, 1);
    let mail = &office.server.mails()[0];
    assert_eq!(mail.to.len(), 2);
    let (head, _) = mail.text.split_once("\r\n\r\n").unwrap();
    assert!(!head.contains("eve"), "{head}");
    assert!(
        body(mail).contains("- Oslo Bcc: eve@example.org, .  MAIL FROM:<eve@example.org>: "),
        "{}",
        body(mail)
    );
}
