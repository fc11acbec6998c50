//! Endpoint that a test can switch between success and failure.

use std::sync::{
    Arc,
    atomic::{AtomicU16, Ordering},
};

use crate::{
    node::{Node, ReportCreated, Subscription},
    receiver::{Receiver, Reply},
};

/// Receiver that responds with the status set last.
pub(crate) struct SwitchableReceiver {
    pub receiver: Receiver,
    mood: Arc<AtomicU16>,
}

impl SwitchableReceiver {
    pub(crate) async fn new(status: u16) -> Self {
        let mood = Arc::new(AtomicU16::new(status));
        let its = Arc::clone(&mood);
        let script = move |_: &_, _| Reply::Status(its.load(Ordering::Relaxed));
        Self { receiver: Receiver::scripted(script).await, mood }
    }

    pub(crate) fn answers(&self, status: u16) {
        self.mood.store(status, Ordering::Relaxed);
    }

    /// Sorted ids of the reports received from request number `from` on, counted from 0.
    pub(crate) fn told_from(&self, from: usize) -> Vec<String> {
        let requests = self.receiver.requests();
        let mut told: Vec<_> = requests[from..].iter().map(|request| request.report()).collect();
        told.sort();
        told
    }
}

/// Creates a node with a subscription to such a receiver.
pub(crate) async fn with_subscription(status: u16) -> (Node, SwitchableReceiver, Subscription) {
    let (node, receiver) = (Node::new().await, SwitchableReceiver::new(status).await);
    let subscription = node.subscribe(&receiver.receiver.url(), &[ReportCreated]).await;
    (node, receiver, subscription)
}
