//! Receiver of the webhooks.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use super::timeline::Timeline;
use crate::{
    harness::http,
    receiver::{Receiver, Reply, Request},
};

pub(super) const EVENTS: [&str; 2] = ["report.created", "metrics.updated"];

pub(super) struct Subscriber {
    receiver: Receiver,
    secret: String,
    ids: Arc<Mutex<BTreeSet<String>>>,
}

impl Subscriber {
    /// Creates a subscription at this URL of the service.
    pub(super) async fn subscribe(url: &str, key: &str, timeline: &Arc<Timeline>) -> Self {
        let ids = Arc::<Mutex<BTreeSet<String>>>::default();
        let (its, seen) = (Arc::clone(&ids), Arc::clone(timeline));
        let receiver = Receiver::scripted(move |request, _| {
            seen.delivered();
            its.lock().unwrap().insert(request.id().to_owned());
            Reply::Status(200)
        })
        .await;
        let body = json!({ "url": receiver.url(), "events": EVENTS }).to_string();
        let request = http().post(format!("{url}/api/v1/webhooks")).bearer_auth(key);
        let request = request.header("content-type", "application/json").body(body);
        let answer = request.send().await.unwrap().text().await.unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let secret = answer["subscription"]["secret"].as_str().unwrap().to_owned();
        Self { receiver, secret, ids }
    }

    /// Ids of all received events.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        self.ids.lock().unwrap().clone()
    }

    /// Number of requests received, and how many of these were not signed correctly.
    pub(super) fn deliveries(&self) -> (usize, usize) {
        let requests = self.receiver.requests();
        let is_wrong = |request: &&Request| !request.is_signed_with(&self.secret);
        (requests.len(), requests.iter().filter(is_wrong).count())
    }
}
