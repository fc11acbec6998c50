//! Receiver of the webhooks.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{checks::Span, timeline::Timeline};
use crate::{
    harness::http,
    receiver::{Receiver, Reply, Request},
};

pub(super) const EVENTS: [&str; 5] =
    ["report.created", "report.updated", "report.withdrawn", "metrics.updated", "reports.imported"];
/// Number of events of which one is refused when it first arrives, if any is.
const REFUSED: u64 = 50;

pub(super) struct Subscriber {
    receiver: Receiver,
    secret: String,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
}

/// Request for an event.
#[derive(Clone, Debug)]
struct Arrival {
    at: Instant,
    id: String,
    sequence: u64,
    body: Value,
    is_accepted: bool,
}

impl Subscriber {
    /// Creates a subscription at this URL of the service. With `refuses`, its endpoint refuses some events at first.
    pub(super) async fn subscribe(
        url: &str,
        key: &str,
        refuses: bool,
        timeline: &Arc<Timeline>,
    ) -> Self {
        let arrivals = Arc::<Mutex<Vec<Arrival>>>::default();
        let (its, seen) = (Arc::clone(&arrivals), Arc::clone(timeline));
        let receiver = Receiver::scripted(move |request, _| {
            seen.delivered();
            let mut arrivals = its.lock().unwrap();
            let id = request.id().to_owned();
            let is_first = || arrivals.iter().all(|arrival| arrival.id != id);
            let is_accepted = !(refuses && is_picked(&id) && is_first());
            let sequence = request.header("x-svc-sequence").parse().unwrap();
            let (at, body) = (Instant::now(), request.json());
            arrivals.push(Arrival { at, id, sequence, body, is_accepted });
            Reply::Status(if is_accepted { 200 } else { 500 })
        })
        .await;
        let body = json!({ "url": receiver.url(), "events": EVENTS }).to_string();
        let request = http().post(format!("{url}/api/v1/webhooks")).bearer_auth(key);
        let request = request.header("content-type", "application/json").body(body);
        let answer = request.send().await.unwrap().text().await.unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let secret = answer["subscription"]["secret"].as_str().unwrap().to_owned();
        Self { receiver, secret, arrivals }
    }

    /// Ids of all accepted events.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        let arrivals = self.arrivals.lock().unwrap();
        let accepted = arrivals.iter().filter(|arrival| arrival.is_accepted);
        accepted.map(|arrival| arrival.id.clone()).collect()
    }

    /// Longest time without a request that overlaps the span.
    pub(super) fn longest_silence(&self, span: Span) -> Duration {
        let arrivals = self.arrivals.lock().unwrap();
        let times = arrivals.iter().map(|arrival| arrival.at);
        let pairs = times.clone().zip(times.skip(1));
        let pairs = pairs.filter(|(before, after)| *after >= span.begin && *before <= span.end);
        pairs.map(|(before, after)| after - before).max().unwrap_or_default()
    }

    /// Number of requests received, and how many of these were not signed correctly.
    pub(super) fn deliveries(&self) -> (usize, usize) {
        let requests = self.receiver.requests();
        let is_wrong = |request: &&Request| !request.is_signed_with(&self.secret);
        (requests.len(), requests.iter().filter(is_wrong).count())
    }

    /// Violations of the contract: an event that arrived with different numbers or bodies, or before the event about
    /// the same report that precedes it was accepted.
    pub(super) fn disorder(&self) -> Vec<String> {
        let arrivals = self.arrivals.lock().unwrap();
        let (mut disorder, mut firsts) = (Vec::new(), BTreeMap::<&str, &Arrival>::new());
        let mut accepted = BTreeSet::new();
        let mut earlier = BTreeMap::<&str, BTreeMap<u64, &str>>::new();
        for arrival in arrivals.iter() {
            if let Some(report) = arrival.report() {
                earlier.entry(report).or_default().insert(arrival.sequence, &arrival.id);
            }
        }
        for arrival in arrivals.iter() {
            let first = firsts.entry(&arrival.id).or_insert(arrival);
            if (first.sequence, &first.body) != (arrival.sequence, &arrival.body) {
                disorder.push(format!("{first:?} came again as {arrival:?}"));
            }
            let before = arrival
                .report()
                .and_then(|report| earlier[report].range(..arrival.sequence).next_back());
            if let Some((_, id)) = before
                && !accepted.contains(id)
            {
                disorder.push(format!("{arrival:?} came before {id} was accepted"));
            }
            if arrival.is_accepted {
                accepted.insert(arrival.id.as_str());
            }
        }
        disorder
    }
}

impl Arrival {
    /// Id of the report that the event is about.
    fn report(&self) -> Option<&str> {
        self.body["data"]["id"].as_str()
    }
}

fn is_picked(id: &str) -> bool {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish().is_multiple_of(REFUSED)
}
