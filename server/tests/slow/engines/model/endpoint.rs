//! Endpoints with moods, which write down everything that arrives.

use std::sync::{Arc, Mutex};

use base::clock::Clock;
use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::watch;

use crate::receiver::{Receiver, Reply, Request};

/// A request is sent only while the lease lasts longer: nobody else sends the same event before.
const NEEDED: TimeDelta = TimeDelta::seconds(16);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Accepts,
    Fails,
    /// Some events, always the same ones.
    Refuses,
    /// Asks to be left alone for so many seconds.
    Throttles(u32),
    Gone,
}

impl Arrival {
    /// Whether the other one is of the same event to the same subscription.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.subscription, &self.event) == (other.subscription, &other.event)
    }

    /// How the attempt is written down.
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

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    /// The index of the subscription.
    pub subscription: usize,
    /// How often the subscription had moved when this address was given to it.
    pub address: usize,
    pub event: String,
    /// By its header, in seconds.
    pub sent_at: i64,
    pub request: Request,
    /// `None` as long as there is no response, and for ever if whoever sent it has died.
    pub status: Option<u16>,
    /// What the response is, or is going to be.
    pub response: u16,
    /// Whether somebody who may still have the lease waits for the response to the same event.
    pub overlaps: bool,
}

/// All endpoints together.
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
    /// After so many more requests, responses are held back.
    hold_after: Option<usize>,
}

impl Endpoints {
    pub(super) fn new(clock: Clock) -> Self {
        let held = watch::Sender::new(0);
        Self(Arc::new(Inner { clock, state: Mutex::default(), held }))
    }

    /// Makes an address for the subscription of this index.
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

    /// From now on, holds responses back after so many more requests.
    pub(super) fn hold_after(&self, requests: usize) {
        self.0.state.lock().unwrap().hold_after = Some(requests);
        self.0.held.send_replace(0);
    }

    /// Holds no more responses back.
    pub(super) fn hold_no_more(&self) {
        self.0.state.lock().unwrap().hold_after = None;
    }

    /// Waits until a response is held back.
    pub(super) async fn until_one_is_held(&self) {
        let mut held = self.0.held.subscribe();
        held.wait_for(|held| *held > 0).await.unwrap();
    }

    /// The requests from number `from` on.
    pub(super) fn arrivals(&self, from: usize) -> Vec<Arrival> {
        self.0.state.lock().unwrap().arrivals[from..].to_vec()
    }

    pub(super) fn count(&self) -> usize {
        self.0.state.lock().unwrap().arrivals.len()
    }

    /// Notes that the requests from number `from` on get their responses now.
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

/// The instant so many seconds after 1970.
pub(super) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}
