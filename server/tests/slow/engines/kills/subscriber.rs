use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::{Arc, Mutex},
};

use base::random::Random;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::{
    harness::http,
    receiver::{Receiver, Reply, Request},
    served::Served,
};

/// Subscriber in this process, with the accepted events by id.
pub(super) struct Subscriber {
    receiver: Receiver,
    events: &'static [&'static str],
    secret: String,
    accepted: Arc<Mutex<BTreeMap<String, Request>>>,
}

impl Subscriber {
    /// Starts a subscriber that fails some first attempts: it refuses some, and closes the connection of others, before
    /// or after accepting the event. The sender cannot distinguish the last two.
    pub(super) async fn new(
        events: &'static [&'static str],
        random: Random,
        arrivals: watch::Sender<usize>,
    ) -> Self {
        let accepted = Arc::new(Mutex::new(BTreeMap::<String, Request>::new()));
        let (its, seen) = (Arc::clone(&accepted), Mutex::new(HashSet::new()));
        let receiver = Receiver::scripted(move |request, _| {
            arrivals.send_modify(|count| *count += 1);
            let is_new = seen.lock().unwrap().insert(request.id().to_owned());
            let fate = if is_new { random.number() % 100 } else { 99 };
            if fate < 5 {
                return if fate < 3 { Reply::Status(500) } else { Reply::Cut("") };
            }
            if let Some(before) =
                its.lock().unwrap().insert(request.id().to_owned(), request.clone())
            {
                assert_eq!(before.body, request.body);
            }
            if fate < 7 { Reply::Cut("HTTP/1.1 200") } else { Reply::Status(200) }
        })
        .await;
        Self { receiver, events, secret: String::new(), accepted }
    }

    pub(super) async fn subscribe(&mut self, served: &Served, key: &str) {
        let body = json!({ "url": self.receiver.url(), "events": self.events });
        let request = http().post(format!("{}/api/v1/webhooks", served.url)).bearer_auth(key);
        let request = request.header("content-type", "application/json").body(body.to_string());
        let answer = request.send().await.unwrap().text().await.unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        self.secret = answer["subscription"]["secret"].as_str().unwrap().to_owned();
    }

    /// Checks that the subscriber has received the events of all `approved` reports, and nothing else.
    pub(super) fn check(&self, approved: &BTreeSet<String>) {
        let accepted = self.accepted.lock().unwrap();
        assert!(accepted.values().all(|request| request.is_signed_with(&self.secret)));
        let bodies: Vec<Value> = accepted.values().map(Request::json).collect();
        let of = |event: &'static str| bodies.iter().filter(move |body| body["event"] == event);
        if self.events.contains(&"report.created") {
            let told: Vec<String> = of("report.created")
                .map(|body| body["data"]["id"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!(told.len(), approved.len());
            assert_eq!(BTreeSet::from_iter(told), *approved);
        }
        if self.events.contains(&"metrics.updated") {
            let mut totals: Vec<usize> = of("metrics.updated")
                .map(|body| usize::try_from(body["data"]["total"].as_u64().unwrap()).unwrap())
                .collect();
            totals.sort_unstable();
            assert_eq!(totals, Vec::from_iter(1..=approved.len()));
        }
        assert_eq!(accepted.len(), approved.len() * self.events.len());
    }
}
