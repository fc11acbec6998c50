use std::sync::Arc;

use base::{clock::Clock, histogram::Histogram, random::Random};
use edge::{draining::Draining, gzipped_stream::SharedFrames};
use limits::{ClientNetworks, Limits, OpenStreams, ProxyWarnings, RedisLimits};
use spans::Spans;
use store::Store;
use tokio_util::sync::CancellationToken;
use webhooks::{client::Client, dispatcher::Tally, resolver::Resolver, test_request::TestLimits};

use crate::{
    api::{
        admission::Admission,
        v1::{
            openapi,
            reports::download::Downloads,
            stream::Streams,
            webhooks::{Subscribing, Testing},
        },
    },
    base_url::BaseUrls,
    config,
    intake::Intake,
    keys::Keys,
    operator,
    ops::readings::Readings,
    presence::Presence,
    realm::session,
    responses::{ResponseCache, snapshot::Snapshots},
    site::{
        assets::Site,
        docs::SearchIndexes,
        pages::{Pages, Policies, Sources},
        pictures::Pictures,
        visitors::Visitors,
    },
    state::{AppState, AppStateInner},
    uploads::Uploads,
};

/// External dependencies of the parts.
pub(super) struct Dependencies {
    pub(super) settings: config::Serve,
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) random: Random,
    pub(super) resolver: Resolver,
    pub(super) client: Client,
    /// Set if limits are shared.
    pub(super) redis: Option<RedisLimits>,
    pub(super) spans: Spans,
}

/// Makes the remaining parts, and assembles all of them.
pub(super) fn assemble(
    Dependencies { settings, store, clock, random, resolver, client, redis, spans }: Dependencies,
    site: Site,
    snapshots: Snapshots,
    keys: Keys,
    deliveries: Arc<Tally>,
) -> AppState {
    let stopping = CancellationToken::new();
    let readings = Readings::new(store.background(), clock.clone());
    let timing = (settings.draining.delay(), settings.draining.spread());
    let draining = Draining::new(clock.clone(), &random, timing, stopping.clone());
    let trusted_proxies = settings.trusted_proxies.clone();
    let (limits, streams) = match redis {
        Some(redis) => (Limits::shared(clock.clone(), redis.clone()), OpenStreams::shared(redis)),
        None => (Limits::new(clock.clone()), OpenStreams::default()),
    };
    let proxy_warnings = ProxyWarnings::new(clock.clone());
    let networks = Arc::new(ClientNetworks::new(trusted_proxies.clone(), proxy_warnings));
    let responses = ResponseCache::new(store.clone(), snapshots.clone());
    let brand = Arc::new(settings.branding.with_logo(site.logo()));
    let openapi = Arc::new(openapi::description(brand.clone()));
    let downloads = Downloads::new(
        store.clone(),
        responses.clone(),
        brand.clone(),
        limits.clone(),
        clock.clone(),
    );
    let base_urls = BaseUrls::new(settings.public_url.clone(), trusted_proxies);
    let visitors = Visitors::new(&clock, networks.clone());
    let intake = Intake::new(
        settings.intake.is_on(),
        store.clone(),
        clock.clone(),
        random.clone(),
        networks.clone(),
    );
    let sources = Sources {
        responses: responses.clone(),
        openapi: openapi.clone(),
        brand: brand.clone(),
        licence: settings.open_data.data_licence.clone(),
        intake: intake.clone(),
    };
    let presence = Presence::new(clock.clone());
    let uploads = Uploads::new(&store, clock.clone(), random.clone());
    AppState::new(AppStateInner {
        pages: Pages::new(
            Policies::new(&settings),
            site.assets.clone(),
            sources.clone(),
            base_urls.clone(),
            visitors.clone(),
        ),
        pictures: Pictures::new(sources),
        live: Arc::new(Streams {
            responses: responses.clone(),
            clock: clock.clone(),
            random: random.clone(),
            draining: draining.clone(),
            lateness: Histogram::default(),
            gzipped: SharedFrames::default(),
        }),
        subscribing: Subscribing {
            store: store.clone(),
            random: random.clone(),
            resolver,
            endpoints: settings.endpoints.clone(),
        },
        testing: Testing {
            store: store.clone(),
            clock: clock.clone(),
            client,
            turns: TestLimits::new(clock.clone()),
        },
        admission: Admission::new(
            store.clone(),
            keys.clone(),
            limits.clone(),
            streams.clone(),
            networks,
            settings.streams_per_address,
        ),
        site: Arc::new(site),
        responses,
        brand,
        base_urls,
        clock,
        deliveries,
        downloads,
        draining,
        intake,
        keys,
        limits,
        openapi,
        known_sessions: session::known_sessions(),
        presence,
        operators_pages: operator::docs::pages(),
        search_indexes: SearchIndexes::default(),
        operators_openapi: Arc::new(operator::v1::openapi::description()),
        readings,
        random,
        settings,
        snapshots,
        spans,
        stopping,
        store,
        streams,
        uploads,
        visitors,
    })
}
