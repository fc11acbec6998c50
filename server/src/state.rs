//! What the handlers share.

use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use crate::{
    answers::Answers,
    clock::Clock,
    config, frame,
    pages::Pages,
    random::Random,
    site::Site,
    snapshot::Snapshots,
    store::{PlaceFilter, Store},
};

/// The running service. Cheap to clone.
#[derive(Clone, Debug)]
pub struct App(Arc<Parts>);

/// See [`App`].
#[derive(Debug)]
pub struct Parts {
    pub settings: config::Serve,
    pub store: Store,
    pub clock: Clock,
    pub random: Random,
    pub snapshots: Snapshots,
    pub answers: Answers,
    pub site: Site,
    pub pages: Pages,
    pub gauges: Gauges,
    /// Cancelled when the service is to stop: streams end, workers finish.
    pub stopping: CancellationToken,
}

/// What the operator's side shows.
#[derive(Debug, Default)]
pub struct Gauges {
    pub open_streams: AtomicU64,
    pub requests: AtomicU64,
}

impl App {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// The bytes of a stream's tick now. A place that cannot be read gives the `error` event.
    pub async fn frame(&self, place: &PlaceFilter) -> Bytes {
        let current = self.snapshots.current().clone();
        if current.failing || place.is_empty() {
            return current.frame();
        }
        match self.answers.frame(place.clone()).await {
            Ok(answer) => answer.body.clone(),
            Err(error) => {
                tracing::warn!(%error, "a filtered tick failed");
                frame::failed()
            }
        }
    }

    /// Counts a stream as open until the guard is dropped.
    pub fn open_stream(&self) -> OpenStream {
        self.gauges.open_streams.fetch_add(1, Ordering::Relaxed);
        OpenStream(self.clone())
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// An open stream.
#[derive(Debug)]
pub struct OpenStream(App);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.gauges.open_streams.fetch_sub(1, Ordering::Relaxed);
    }
}
