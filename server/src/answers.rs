//! Filtered answers: cached by the question and the data version, and computed once, however many
//! requests wait for them.

pub mod frame;
mod markers;
pub mod snapshot;
mod ticks;
pub mod view;

use std::{ops::Deref, sync::Arc, time::Duration};

use app::model::{Location, Metrics, ReportList};
use chrono::NaiveDate;
use futures_util::{FutureExt, future::BoxFuture};
use moka::future::Cache;
use serde::Serialize;

use crate::{
    answers::{
        snapshot::{RECENT, Snapshot, Snapshots, report_list},
        view::View,
    },
    geo::names,
    http::representation::{Representation, to_json},
    store::{self, ALL_TYPES, Filter, Period, PlaceFilter, ReportsQuery, Store},
};

pub use self::markers::MAX_MARKERS;
use self::markers::MarkerStates;

/// Maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 24 << 20;
/// What a cached answer costs besides its body and the texts in its key, roughly.
const OVERHEAD: usize = 512;

/// The cache of answers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Answers(Arc<Parts>);

/// See [`Answers`].
#[derive(Debug)]
pub struct Parts {
    store: Store,
    snapshots: Snapshots,
    markers: MarkerStates,
    cache: Cache<Key, Arc<Representation>>,
}

/// A cached answer, or the error. Everyone who waits for the same computation gets the same.
pub type CachedAnswer = Result<Arc<Representation>, Arc<store::Error>>;

/// A future of a cached answer. Boxed, because answers are made of one another.
pub type PendingAnswer<'a> = BoxFuture<'a, CachedAnswer>;

/// What computes an answer: made only if it is not in the cache, because its future is large.
type Computation<'a> = BoxFuture<'a, Result<Representation, Arc<store::Error>>>;

/// A question about the data of a version, on a day.
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

impl Question {
    /// What its texts take in memory. Whoever asks decides how long they are.
    fn bytes(&self) -> usize {
        match self {
            Self::Metrics(filter) => filter.place.bytes(),
            Self::Reports(query) => query.filter.place.bytes(),
            Self::GeoFacets(..) => 0,
            Self::Frame(place) => place.bytes(),
            Self::View(view) => view.filter.place.bytes(),
        }
    }
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

impl Deref for Answers {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Answers {
    pub fn new(store: Store, snapshots: Snapshots) -> Self {
        let cache = Cache::builder()
            .max_capacity(MAX_BYTES)
            .weigher(|key: &Key, answer: &Arc<Representation>| {
                answer.weight(key.question.bytes() + OVERHEAD)
            })
            // Answers of older data are never asked for again.
            .time_to_idle(Duration::from_secs(60))
            .build();
        Self(Arc::new(Parts { store, snapshots, markers: MarkerStates::default(), cache }))
    }

    /// The counters of a filter.
    pub fn metrics(&self, filter: Filter) -> PendingAnswer<'_> {
        self.metrics_of(self.snapshot(), filter)
    }

    /// The counters of a filter, for callers that need the typed value.
    pub async fn metrics_object(&self, filter: Filter) -> Result<Metrics, Arc<store::Error>> {
        let answer = self.metrics(filter).await?;
        // What was serialised here reads back.
        Ok(serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    /// The newest reports that a query selects.
    pub fn reports(&self, query: ReportsQuery) -> PendingAnswer<'_> {
        self.reports_of(self.snapshot(), query)
    }

    /// The newest reports that a query selects, for callers that need the typed value.
    pub async fn report_list(&self, query: ReportsQuery) -> Result<ReportList, Arc<store::Error>> {
        Ok(list_in(&*self.reports(query).await?))
    }

    /// The places of a period.
    pub fn geo_facets(&self, from: NaiveDate, to: NaiveDate) -> PendingAnswer<'_> {
        Box::pin(async move {
            let snapshot = self.snapshot();
            let compute = || {
                async move {
                    let period = Period { from: Some(from), to: Some(to) };
                    let locations = self.store.geo_facets(period).await?;
                    Ok(Representation::json(&GeoFacets {
                        period: FacetPeriod { from, to },
                        locations,
                    }))
                }
                .boxed()
            };
            self.cached(&snapshot, Question::GeoFacets(from, to), compute).await
        })
    }

    /// One tick of a filtered stream, as the body of an answer.
    pub fn frame(&self, place: PlaceFilter) -> PendingAnswer<'_> {
        Box::pin(async move {
            let snapshot = self.snapshot();
            let question = Question::Frame(place.clone());
            let compute = || {
                async {
                    let filter = Filter { period: Period::default(), place };
                    let metrics = self.metrics_of(snapshot.clone(), filter.clone()).await?;
                    let query = ReportsQuery {
                        filter,
                        types: ALL_TYPES,
                        since: None,
                        after: None,
                        limit: RECENT,
                    };
                    let reports = self.reports_of(snapshot.clone(), query).await?;
                    Ok(Representation::event_stream(frame::good(&metrics.body, &reports.body)))
                }
                .boxed()
            };
            self.cached(&snapshot, question, compute).await
        })
    }

    /// Whether a view is in the cache, so that asking for it costs nothing.
    pub fn has_view(&self, view: &View) -> bool {
        let Snapshot { version, today, .. } = *self.snapshot();
        self.cache.contains_key(&Key { question: Question::View(view.clone()), version, today })
    }

    /// What a view shows: two members of a JSON object, `"metrics":{…},"reports":[…]`.
    pub fn view(&self, view: &View) -> PendingAnswer<'_> {
        let view = view.clone();
        Box::pin(async move {
            let snapshot = self.snapshot();
            let compute = || {
                async {
                    let metrics = self.metrics_of(snapshot.clone(), view.filter.clone()).await?;
                    let reports = self.reports_of(snapshot.clone(), view.reports()).await?;
                    let mut reports = list_in(&reports).reports;
                    if let Some(lang) = view.lang {
                        reports.iter_mut().for_each(|report| names::name_report(report, lang));
                    }
                    Ok(Representation::members(&[
                        ("metrics", &metrics.body),
                        ("reports", &to_json(&reports)),
                    ]))
                }
                .boxed()
            };
            self.cached(&snapshot, Question::View(view.clone()), compute).await
        })
    }

    fn metrics_of(&self, snapshot: Arc<Snapshot>, filter: Filter) -> PendingAnswer<'_> {
        Box::pin(async move {
            if filter == Filter::default() {
                return Ok(Arc::new(snapshot.metrics_answer.clone()));
            }
            let compute = || {
                async {
                    let counters = self.store.metrics(&filter, snapshot.today).await?;
                    Ok(Representation::json(&counters.shown(snapshot.taken_at)))
                }
                .boxed()
            };
            self.cached(&snapshot, Question::Metrics(filter.clone()), compute).await
        })
    }

    fn reports_of(&self, snapshot: Arc<Snapshot>, query: ReportsQuery) -> PendingAnswer<'_> {
        Box::pin(async move {
            if query == ReportsQuery::newest(RECENT) {
                return Ok(Arc::new(snapshot.reports_answer.clone()));
            }
            let compute = || {
                async { Ok(Representation::json(&report_list(self.store.reports(&query).await?))) }
                    .boxed()
            };
            self.cached(&snapshot, Question::Reports(query.clone()), compute).await
        })
    }

    /// The snapshot that answers are about now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshots.current().snapshot.clone()
    }

    /// The answer to a question about the data and the date of a snapshot. Both are taken from
    /// there, and so is the time that the answer names: it is the same whenever it is computed.
    async fn cached<'a>(
        &self,
        snapshot: &Snapshot,
        question: Question,
        compute: impl FnOnce() -> Computation<'a>,
    ) -> CachedAnswer {
        let key = Key { question, version: snapshot.version, today: snapshot.today };
        if let Some(answer) = self.cache.get(&key).await {
            return Ok(answer);
        }
        let compute = compute();
        let answer = self.cache.try_get_with(key, async { compute.await.map(Arc::new) });
        answer.await.map_err(Arc::unwrap_or_clone)
    }
}

/// The reports of an answer that was serialised here, so that it reads back.
fn list_in(answer: &Representation) -> ReportList {
    serde_json::from_slice(&answer.body).unwrap_or_default()
}
