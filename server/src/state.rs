//! The parts of the service, and the ones that each handler gets.

use std::{ops::Deref, sync::Arc};

use app::{brand::Brand, request::PageRequest};
use axum::extract::FromRef;
use base::{cache::Cache, clock::Clock, random::Random};
use edge::{draining::Draining, representation::Representation};
use leptos::config::LeptosOptions;
use limits::{Limits, OpenStreams};
use spans::Spans;
use store::Store;
use tokio_util::sync::CancellationToken;
use webhooks::dispatcher::Tally;

use crate::{
    api::{
        admission::Admission,
        v1::{self, reports::download::Downloads},
    },
    base_url::BaseUrls,
    config,
    intake::Intake,
    keys::Keys,
    openapi::Description,
    ops::readings::Readings,
    presence::Presence,
    responses::{ResponseCache, snapshot::Snapshots},
    site::{
        assets::Site, docs::SearchIndexes, pages::Pages, pictures::Pictures, visitors::Visitors,
    },
    uploads::Uploads,
};

/// The running service. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AppState(Arc<AppStateInner>);

/// See [`AppState`].
#[derive(Debug)]
pub struct AppStateInner {
    pub settings: config::Serve,
    pub store: Store,
    pub clock: Clock,
    pub random: Random,
    pub snapshots: Snapshots,
    pub responses: ResponseCache,
    /// The operator's names and labels.
    pub brand: Arc<Brand>,
    pub openapi: Arc<Description>,
    /// OpenAPI document of the operator API.
    pub operators_openapi: Arc<Description>,
    /// Pages of the documentation for operators.
    pub(crate) operators_pages: Cache<PageRequest, Representation>,
    pub search_indexes: SearchIndexes,
    /// Hashes of desk sessions that were recently valid on this node.
    pub(crate) known_sessions: Cache<[u8; 32], ()>,
    /// Reports that people at the desk are looking at.
    pub(crate) presence: Presence,
    /// Files that were sent to this node and wait to be imported.
    pub(crate) uploads: Uploads,
    pub downloads: Downloads,
    pub site: Arc<Site>,
    pub pages: Pages,
    pub pictures: Pictures,
    pub base_urls: BaseUrls,
    pub visitors: Visitors,
    pub keys: Keys,
    /// Reports from the public.
    pub(crate) intake: Intake,
    pub limits: Limits,
    pub admission: Admission,
    pub streams: OpenStreams,
    pub live: Arc<v1::stream::Streams>,
    pub subscribing: v1::webhooks::Subscribing,
    pub testing: v1::webhooks::Testing,
    /// Counts of webhook deliveries.
    pub deliveries: Arc<Tally>,
    /// Metrics from the database, for the operator.
    pub readings: Readings,
    pub draining: Draining,
    /// Spans for OpenTelemetry.
    pub spans: Spans,
    /// Cancelled when the service stops: streams end, workers finish.
    pub stopping: CancellationToken,
}

impl AppState {
    pub fn new(parts: AppStateInner) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for AppState {
    type Target = AppStateInner;

    fn deref(&self) -> &AppStateInner {
        &self.0
    }
}

/// Gives each handler the parts that it needs as its state.
macro_rules! parts {
    ($($field:ident: $part:ty),* $(,)?) => {$(
        impl FromRef<AppState> for $part {
            fn from_ref(app: &AppState) -> Self {
                app.$field.clone()
            }
        }
    )*};
}

parts! {
    responses: ResponseCache,
    brand: Arc<Brand>,
    base_urls: BaseUrls,
    clock: Clock,
    downloads: Downloads,
    draining: Draining,
    intake: Intake,
    keys: Keys,
    live: Arc<v1::stream::Streams>,
    openapi: Arc<Description>,
    pages: Pages,
    pictures: Pictures,
    random: Random,
    site: Arc<Site>,
    snapshots: Snapshots,
    store: Store,
    subscribing: v1::webhooks::Subscribing,
    testing: v1::webhooks::Testing,
    visitors: Visitors,
}

// Required by `leptos_routes_with_handler`, which reads none of the options.
impl FromRef<AppState> for LeptosOptions {
    fn from_ref(_: &AppState) -> Self {
        Self::builder().output_name("frontend").build()
    }
}
