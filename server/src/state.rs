//! What the handlers share.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Deref,
    sync::Arc,
};

use axum::extract::FromRef;
use bytes::{BufMut, Bytes, BytesMut};
use leptos::config::LeptosOptions;
use tokio_util::sync::CancellationToken;

use crate::{
    answers::{
        Answers, frame,
        snapshot::Snapshots,
        view::{AskedView, View},
    },
    clock::Clock,
    config,
    http::{
        boundary::Traffic,
        problem::{Problem, Result},
        representation::Representation,
    },
    keys::Keys,
    limit::{Client, Limits, Slots, UnlistedProxies},
    openapi::Description,
    random::Random,
    site::{assets::Site, pages::Pages, pictures::Pictures},
    store::{PlaceFilter, Store},
    webhooks::{dispatcher::Tally, resolver::Resolver},
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
    /// The description of the API.
    pub openapi: Description,
    pub site: Site,
    pub pages: Pages,
    pub pictures: Pictures,
    pub keys: Keys,
    pub limits: Limits,
    pub unlisted_proxies: Arc<UnlistedProxies>,
    pub streams: Slots<Client>,
    /// Finds the addresses of webhooks' hosts.
    pub resolver: Resolver,
    /// What was sent to webhooks.
    pub deliveries: Arc<Tally>,
    pub traffic: Arc<Traffic>,
    /// Cancelled when the service is to stop: streams end, workers finish.
    pub stopping: CancellationToken,
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
            Err(error) => failed(&error),
        }
    }

    /// What a view shows now.
    ///
    /// # Errors
    /// If it cannot be read, or what was read before may be out of date.
    pub async fn view(&self, view: &View) -> Result<Arc<Representation>> {
        if self.snapshots.current().failing {
            return Err(Problem::unavailable(Arc::new(OutOfDate)));
        }
        Ok(self.answers.view(view).await?)
    }

    /// The bytes of a tick of several views: those that have changed since the tick that left `sent`,
    /// a hash for each, all zeros at first. After a tick that failed all of them are sent again.
    pub async fn changes(&self, views: &[AskedView], sent: &mut [u64]) -> Bytes {
        let mut frame = BytesMut::new();
        for (index, (asked, view)) in views.iter().enumerate() {
            let answer = match self.view(view).await {
                Ok(answer) => answer,
                Err(problem) => {
                    sent.fill(0);
                    return failed(&problem);
                }
            };
            let mut hasher = DefaultHasher::new();
            answer.etag.hash(&mut hasher);
            let now = hasher.finish();
            if now != sent[index] {
                frame::view(asked, &answer.body, &mut frame);
                sent[index] = now;
            }
        }
        frame.put_slice(frame::TICK);
        frame.freeze()
    }
}

/// The snapshot could not be refreshed.
#[derive(Debug, thiserror::Error)]
#[error("what was read before may be out of date")]
struct OutOfDate;

fn failed(error: &dyn std::fmt::Debug) -> Bytes {
    tracing::warn!(?error, "a filtered tick failed");
    frame::failed()
}

// `leptos_routes_with_handler` requires this, but reads none of the options.
impl FromRef<App> for LeptosOptions {
    fn from_ref(_: &App) -> Self {
        Self::builder().output_name("frontend").build()
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
