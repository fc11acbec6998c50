//! Endpoints that change their behaviour and record every request.

use std::sync::{Arc, Mutex};

use base::clock::Clock;
use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::watch;

use crate::receiver::{Receiver, Reply, Request};

/// Remaining lease that a request requires. Until it has passed, no other dispatcher sends the same event.
const NEEDED: TimeDelta = TimeDelta::seconds(16);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Accepts,
    Fails,
    /// Refuses a fixed subset of the events.
    Refuses,
    /// Requests a pause of this many seconds.
    Throttles(u32),
    Gone,
}

impl Arrival {
    /// Whether the other request has the same event and subscription.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.subscription, &self.event) == (other.subscription, &other.event)
    }

    /// Attempt as recorded in the database.
    pub(super) fn attempt(&self) -> String {
        format!("{} {} {}", self.event, self.sent_at, self.response)
    }
}

impl Mood {
    pub(super) fn fails_everything(self) -> bool {
        !matches!(self, Self::Accepts | Self::Refuses)
    }

    fn status(self, event: &str) -> u16 {
        match self {
            Self::Accepts => 200,
            Self::Fails => 500,
            Self::Refuses if event.bytes().last().is_some_and(|last| last % 4 == 0) => 500,
            Self::Refuses => 204,
            Self::Throttles(_) => 429,
            Self::Gone => 410,
        }
    }
}

/// Received request.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    /// Index of the subscription.
    pub subscription: usize,
    /// Number of earlier addresses of the subscription.
    pub address: usize,
    pub event: String,
    /// Time in the request's header, in seconds.
    pub sent_at: i64,
    pub request: Request,
    /// Status of the response; `None` until it is sent, and forever if the sender has died.
    pub status: Option<u16>,
    /// Status of the response, sent or held back.
    pub response: u16,
    /// Whether the database may have lost the lease of the sender, by returning to an earlier state.
    pub is_lease_lost: bool,
    /// Whether a dispatcher that may still have the lease was waiting for a response to the same event.
    pub overlaps: bool,
}

/// All endpoints of the test.
#[derive(Clone)]
pub(super) struct Endpoints(Arc<Inner>);

struct Inner {
    clock: Clock,
    state: Mutex<State>,
    held: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    moods: Vec<Mood>,
    arrivals: Vec<Arrival>,
    /// Number of requests after which responses are held back.
    hold_after: Option<usize>,
}

impl Endpoints {
    pub(super) fn new(clock: Clock) -> Self {
        let held = watch::Sender::new(0);
        Self(Arc::new(Inner { clock, state: Mutex::default(), held }))
    }

    /// Opens an address for the subscription with this index.
    pub(super) async fn open(&self, subscription: usize, address: usize) -> Receiver {
        let mut moods = std::mem::take(&mut self.0.state.lock().unwrap().moods);
        moods.resize(moods.len().max(subscription + 1), Mood::Accepts);
        self.0.state.lock().unwrap().moods = moods;
        let endpoints = self.clone();
        Receiver::scripted(move |request, _| endpoints.take(subscription, address, request)).await
    }

    pub(super) fn set_mood(&self, subscription: usize, mood: Mood) {
        self.0.state.lock().unwrap().moods[subscription] = mood;
    }

    pub(super) fn mood(&self, subscription: usize) -> Mood {
        self.0.state.lock().unwrap().moods[subscription]
    }

    /// Holds responses back after `requests` more requests.
    pub(super) fn hold_after(&self, requests: usize) {
        self.0.state.lock().unwrap().hold_after = Some(requests);
        self.0.held.send_replace(0);
    }

    /// Stops holding responses back.
    pub(super) fn hold_no_more(&self) {
        self.0.state.lock().unwrap().hold_after = None;
    }

    /// Waits until a response is held back.
    pub(super) async fn until_one_is_held(&self) {
        let mut held = self.0.held.subscribe();
        held.wait_for(|held| *held > 0).await.unwrap();
    }

    /// Requests from number `from` on.
    pub(super) fn arrivals(&self, from: usize) -> Vec<Arrival> {
        self.0.state.lock().unwrap().arrivals[from..].to_vec()
    }

    pub(super) fn count(&self) -> usize {
        self.0.state.lock().unwrap().arrivals.len()
    }

    /// Records that the database has lost what was written since request number `from`, leases included.
    pub(super) fn lose_leases(&self, from: usize) {
        for arrival in &mut self.0.state.lock().unwrap().arrivals[from..] {
            arrival.is_lease_lost = true;
        }
    }

    /// Records that the requests from number `from` on get their responses now.
    pub(super) fn answer(&self, from: usize) {
        for arrival in &mut self.0.state.lock().unwrap().arrivals[from..] {
            arrival.status.get_or_insert(arrival.response);
        }
    }

    fn take(&self, subscription: usize, address: usize, request: &Request) -> Reply {
        let mut state = self.0.state.lock().unwrap();
        let event = request.id().to_owned();
        let mood = state.moods[subscription];
        let status = mood.status(&event);
        let is_held = match &mut state.hold_after {
            Some(0) => true,
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        };
        let now = self.0.clock.now();
        let overlaps = state.arrivals.iter().any(|other| {
            other.subscription == subscription
                && other.event == event
                && other.status.is_none()
                && !other.is_lease_lost
                && now - at(other.sent_at) < NEEDED
        });
        state.arrivals.push(Arrival {
            subscription,
            address,
            event,
            sent_at: request.header("webhook-timestamp").parse().unwrap(),
            request: request.clone(),
            status: (!is_held).then_some(status),
            response: status,
            is_lease_lost: false,
            overlaps,
        });
        if is_held {
            self.0.held.send_modify(|held| *held += 1);
            return Reply::Held(status);
        }
        match mood {
            Mood::Throttles(seconds) => Reply::Text(format!(
                "HTTP/1.1 429 So\r\nRetry-After: {seconds}\r\nContent-Length: 0\r\n\r\n"
            )),
            _ => Reply::Status(status),
        }
    }
}

/// Time `seconds` seconds after 1970 began.
pub(super) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}
