//! Filtered answers: cached by what was asked and the data version, and computed once, however many
//! ask at the same time.

pub mod frame;
mod markers;
pub mod snapshot;
pub mod view;

use std::{pin::Pin, sync::Arc, time::Duration};

use app::model::{Location, Metrics, ReportList};
use chrono::NaiveDate;
use moka::future::Cache;
use serde::Serialize;

use crate::{
    answers::{
        snapshot::{RECENT, Snapshots, report_list},
        view::View,
    },
    clock::Clock,
    geo::names,
    http::representation::{Representation, to_json},
    store::{self, ALL_TYPES, Filter, Period, PlaceFilter, ReportsQuery, Store},
};

pub use self::markers::MAX_MARKERS;
use self::markers::MarkerStates;

/// Maximum size of the cache, in bytes of bodies.
const MAX_BYTES: u64 = 64 << 20;

/// The cache of answers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Answers {
    store: Store,
    clock: Clock,
    snapshots: Snapshots,
    markers: MarkerStates,
    cache: Cache<Key, Arc<Representation>>,
}

/// A cached answer, or why there is none; whoever waited for the same computation gets the same.
pub type CachedAnswer = Result<Arc<Representation>, Arc<store::Error>>;

/// A future of a cached answer. Boxed, because all that may have to be computed lies in it: twenty
/// kilobytes, which every open stream would hold and every unfiltered request would move about.
pub type PendingAnswer<'a> = Pin<Box<dyn Future<Output = CachedAnswer> + Send + 'a>>;

/// What was asked, of which data, on which day.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    question: Question,
    version: i64,
    today: NaiveDate,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Question {
    Metrics(Filter),
    Reports(ReportsQuery),
    GeoFacets(NaiveDate, NaiveDate),
    Frame(PlaceFilter),
    View(View),
}

#[derive(Serialize)]
struct GeoFacets {
    period: FacetPeriod,
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct FacetPeriod {
    from: NaiveDate,
    to: NaiveDate,
}

impl Answers {
    pub fn new(store: Store, clock: Clock, snapshots: Snapshots) -> Self {
        let cache = Cache::builder()
            .max_capacity(MAX_BYTES)
            .weigher(|_, answer: &Arc<Representation>| answer.weight())
            // Answers of older data are never asked for again.
            .time_to_idle(Duration::from_secs(60))
            .build();
        Self { store, clock, snapshots, markers: MarkerStates::default(), cache }
    }

    /// The counters of a filter.
    pub fn metrics(&self, filter: Filter) -> PendingAnswer<'_> {
        Box::pin(async move {
            self.cached(Question::Metrics(filter.clone()), self.compute_metrics(filter)).await
        })
    }

    /// The counters of a filter, for callers that need the typed value.
    pub async fn metrics_object(&self, filter: Filter) -> Result<Metrics, Arc<store::Error>> {
        let answer = self.metrics(filter).await?;
        // What was serialised here reads back.
        Ok(serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    /// The newest reports that a query selects, for callers that need the typed value.
    pub async fn report_list(&self, query: ReportsQuery) -> Result<ReportList, Arc<store::Error>> {
        let answer = self.reports(query).await?;
        Ok(serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    /// The newest reports that a query selects.
    pub fn reports(&self, query: ReportsQuery) -> PendingAnswer<'_> {
        Box::pin(async move {
            self.cached(Question::Reports(query.clone()), self.compute_reports(query)).await
        })
    }

    /// The places of a period.
    pub fn geo_facets(&self, from: NaiveDate, to: NaiveDate) -> PendingAnswer<'_> {
        Box::pin(self.cached(Question::GeoFacets(from, to), async move {
            let period = Period { from: Some(from), to: Some(to) };
            let locations = self.store.geo_facets(period).await?;
            Ok(Representation::json(&GeoFacets { period: FacetPeriod { from, to }, locations }))
        }))
    }

    /// One tick of a filtered stream, as the body of an answer.
    pub fn frame(&self, place: PlaceFilter) -> PendingAnswer<'_> {
        Box::pin(self.cached(Question::Frame(place.clone()), async move {
            let filter = Filter { period: Period::default(), place };
            let metrics = self.compute_metrics(filter.clone()).await?;
            let query = ReportsQuery { filter, types: ALL_TYPES, since: None, limit: RECENT };
            let reports = self.compute_reports(query).await?;
            Ok(Representation::event_stream(frame::good(&metrics.body, &reports.body)))
        }))
    }

    /// What a view shows: two members of a JSON object, `"metrics":{…},"reports":[…]`.
    pub fn view(&self, view: &View) -> PendingAnswer<'_> {
        let view = view.clone();
        Box::pin(self.cached(Question::View(view.clone()), async move {
            let metrics = self.compute_metrics(view.filter.clone()).await?;
            let mut list = report_list(self.store.reports(&view.reports()).await?);
            if let Some(lang) = view.lang {
                list.reports.iter_mut().for_each(|report| names::name_report(report, lang));
            }
            Ok(Representation::members(&[
                ("metrics", &metrics.body),
                ("reports", &to_json(&list.reports)),
            ]))
        }))
    }

    async fn compute_metrics(&self, filter: Filter) -> store::Result<Representation> {
        if filter == Filter::default() {
            return Ok(self.snapshots.current().snapshot.metrics_answer.clone());
        }
        let now = self.clock.now();
        let counters = self.store.metrics(&filter, now.date_naive()).await?;
        Ok(Representation::json(&counters.shown(now)))
    }

    async fn compute_reports(&self, query: ReportsQuery) -> store::Result<Representation> {
        Ok(Representation::json(&report_list(self.store.reports(&query).await?)))
    }

    async fn cached(
        &self,
        question: Question,
        compute: impl Future<Output = store::Result<Representation>>,
    ) -> CachedAnswer {
        let version = self.snapshots.current().snapshot.version;
        let key = Key { question, version, today: self.clock.today() };
        self.cache.try_get_with(key, async { compute.await.map(Arc::new) }).await
    }
}
