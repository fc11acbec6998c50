//! Responses to filtered queries: cached by query and data version, and computed once for all concurrent requests.

mod cache;
mod cached_response;
mod facets;
pub mod frame;
mod groups;
mod markers;
pub mod names;
mod positions;
mod report_form;
mod report_page;
pub mod similar_places;
pub mod snapshot;
mod ticks;
pub(crate) mod trend;
pub mod view;

use std::{ops::Deref, sync::Arc};

use chrono::{DateTime, Utc};
use edge::{
    gzipped::Gzipped,
    representation::{Representation, to_json},
};
use model::{Interval, Metrics, Series};
use store::{
    self, ALL_TYPES, Filter, LastChange, Period, PlaceFilter, PublicReport, ReportsQuery, Store,
    TooLong, Versioned, series,
};

use crate::responses::{
    cache::{Cached, OVERHEAD, QueryCache},
    snapshot::{RECENT, Snapshot, Snapshots},
    view::{RequestedView, View},
};

pub(crate) use self::report_form::place_position;
pub use self::{
    cached_response::CachedResponse,
    facets::{FacetsQuery, GeoFacets},
    groups::{GroupList, GroupPage, GroupRank, Grouping, GroupsQuery, Sort},
    markers::MAX_MARKERS,
    report_form::{Include, ReportForm},
    report_page::ReportPage,
};
use self::{
    groups::{Groups, GroupsKey},
    markers::MarkerStates,
    report_page::and_one,
};

/// Maximum sizes of the caches, in bytes.
const MAX_METRICS_BYTES: u64 = 4 << 20;
const MAX_SERIES_BYTES: u64 = 10 << 20;
const MAX_REPORTS_BYTES: u64 = 10 << 20;
const MAX_PLACES_BYTES: u64 = 10 << 20;
const MAX_GROUPS_BYTES: u64 = 16 << 20;
const MAX_OTHER_BYTES: u64 = 10 << 20;

/// The cache of answers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ResponseCache(Arc<ResponseCacheInner>);

/// See [`ResponseCache`].
#[derive(Debug)]
pub struct ResponseCacheInner {
    store: Store,
    snapshots: Snapshots,
    markers: MarkerStates,
    metrics: QueryCache<(Filter, [bool; 3]), CachedResponse<Metrics>>,
    series: QueryCache<(Filter, [bool; 3], Interval), SeriesResponse>,
    reports: QueryCache<ReportsQuery, CachedResponse<ReportPage>>,
    reports_by_id: QueryCache<Box<str>, Option<PublicReport>>,
    places: QueryCache<FacetsQuery, Gzipped>,
    groups: QueryCache<GroupsKey, Groups>,
    pages_of_groups: QueryCache<GroupsQuery, Result<GroupPage, TooLong>>,
    lines: QueryCache<Arc<[RequestedView]>, Representation>,
    others: QueryCache<CacheKey, Representation>,
}

/// The counters over time, or an error if there would be too many points.
pub type SeriesResponse = Result<CachedResponse<Series>, TooLong>;

/// Queries whose answers are only sent, so that their bytes are enough.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum CacheKey {
    Frame(PlaceFilter),
    View(View),
}

impl CacheKey {
    /// Memory for the texts in the query. Clients determine their length.
    fn bytes(&self) -> usize {
        match self {
            Self::Frame(place) => place.bytes(),
            Self::View(view) => view.filter.place.bytes(),
        }
    }
}

impl Deref for ResponseCache {
    type Target = ResponseCacheInner;

    fn deref(&self) -> &ResponseCacheInner {
        &self.0
    }
}

impl ResponseCache {
    pub fn new(store: Store, snapshots: Snapshots) -> Self {
        let metrics = QueryCache::new(
            MAX_METRICS_BYTES,
            |(filter, _): &(Filter, _), answer: &CachedResponse<_>| {
                answer.sent.weight(size_of::<Metrics>() + filter.place.bytes() + OVERHEAD)
            },
        );
        let series = QueryCache::new(
            MAX_SERIES_BYTES,
            |(filter, ..): &(Filter, _, _), answer: &SeriesResponse| {
                let bytes = filter.place.bytes() + OVERHEAD;
                match answer {
                    Ok(series) => series.weight(bytes),
                    Err(_) => u32::try_from(bytes).unwrap_or(u32::MAX),
                }
            },
        );
        let reports = QueryCache::new(
            MAX_REPORTS_BYTES,
            |query: &ReportsQuery, answer: &CachedResponse<ReportPage>| {
                let after = query.after.as_ref().map_or(0, |rank| rank.id.len());
                answer.weight(query.filter.place.bytes() + after + OVERHEAD)
            },
        );
        let reports_by_id =
            QueryCache::new(MAX_OTHER_BYTES, |id: &Box<str>, found: &Option<PublicReport>| {
                let bytes = found.as_ref().map_or(0, report_page::bytes_of);
                u32::try_from(id.len() + bytes + OVERHEAD).unwrap_or(u32::MAX)
            });
        let others =
            QueryCache::new(MAX_OTHER_BYTES, |question: &CacheKey, answer: &Representation| {
                answer.weight(question.bytes() + OVERHEAD)
            });
        let places = QueryCache::new(MAX_PLACES_BYTES, |_, answer: &Gzipped| {
            u32::try_from(answer.kept_bytes() + OVERHEAD).unwrap_or(u32::MAX)
        });
        let groups = QueryCache::new(MAX_GROUPS_BYTES, Groups::weight);
        let pages_of_groups = QueryCache::new(MAX_OTHER_BYTES, groups::page_weight);
        let lines = QueryCache::new(
            MAX_OTHER_BYTES,
            |views: &Arc<[RequestedView]>, answer: &Representation| {
                let texts = views.iter().map(|(text, view)| text.len() + view.filter.place.bytes());
                answer.weight(texts.sum::<usize>() + OVERHEAD)
            },
        );
        let markers = MarkerStates::default();
        let parts = ResponseCacheInner {
            store,
            snapshots,
            markers,
            metrics,
            series,
            reports,
            reports_by_id,
            places,
            groups,
            pages_of_groups,
            lines,
            others,
        };
        Self(Arc::new(parts))
    }

    /// Returns the counters of reports of `types` under a filter.
    pub async fn metrics(
        &self,
        filter: Filter,
        types: [bool; 3],
    ) -> Cached<CachedResponse<Metrics>> {
        self.metrics_of(self.snapshot(), filter, types).await
    }

    /// Returns the counters of reports of `types` under a filter over time.
    pub async fn series(
        &self,
        filter: Filter,
        types: [bool; 3],
        interval: Interval,
    ) -> Cached<SeriesResponse> {
        self.series_of(self.snapshot(), filter, types, interval).await
    }

    /// Returns one tick of a filtered stream, as a response body.
    pub async fn frame(&self, place: PlaceFilter) -> Cached<Representation> {
        let snapshot = self.snapshot();
        let question = CacheKey::Frame(place.clone());
        let compute = || async {
            let filter = Filter { period: Period::default(), place };
            let query = ReportsQuery { filter, ..ReportsQuery::newest(RECENT) };
            let (metrics, reports) = self.overview(&snapshot, &query).await?;
            let frame = frame::tick(&metrics.sent.body, &reports.sent.body);
            Ok(Representation::event_stream(frame))
        };
        self.others.get(&snapshot, question, compute).await
    }

    /// Whether a view is cached, so that it costs nothing.
    pub fn has_view(&self, view: &View) -> bool {
        self.others.has(&self.snapshot(), CacheKey::View(view.clone()))
    }

    /// Returns the contents of a view: two members of a JSON object, `"metrics":{…},"reports":[…]`. The entity tag
    /// changes with the contents, except for the time of the counters, and with the revision of the list: a correction
    /// may change a series or a marker, but not these members.
    pub async fn view(&self, view: &View) -> Cached<Representation> {
        let snapshot = self.snapshot();
        let compute = || async {
            let (metrics, reports) = self.overview(&snapshot, &view.reports()).await?;
            let mut reports = reports.value.reports(view.dates);
            if let Some(lang) = view.lang {
                reports.iter_mut().for_each(|report| names::name_report(report, lang));
            }
            let reports = to_json(&reports);
            let shown =
                Representation::members(&[("metrics", &metrics.sent.body), ("reports", &reports)]);
            Ok(shown.tagged_as(&Representation::members(&[
                ("metrics", metrics.sent.etag.as_bytes()),
                ("reports", &reports),
                ("revision", snapshot.last.revision.to_string().as_bytes()),
            ])))
        };
        self.others.get(&snapshot, CacheKey::View(view.clone()), compute).await
    }

    /// Returns the counters of a filter for a snapshot's data.
    pub(crate) async fn metrics_at(
        &self,
        snapshot: Arc<Snapshot>,
        filter: Filter,
    ) -> Cached<CachedResponse<Metrics>> {
        self.metrics_of(snapshot, filter, ALL_TYPES).await
    }

    async fn metrics_of(
        &self,
        snapshot: Arc<Snapshot>,
        filter: Filter,
        types: [bool; 3],
    ) -> Cached<CachedResponse<Metrics>> {
        if filter == Filter::default() && types == ALL_TYPES {
            return Ok(snapshot.metrics.clone());
        }
        let compute = || async {
            let counters = self.store.counters().metrics_of(&filter, types, snapshot.today).await?;
            let (counters, since) = self.current(counters, &snapshot).await;
            Ok(CachedResponse::of_metrics(counters.shown(since)))
        };
        self.metrics.get(&snapshot, (filter.clone(), types), compute).await
    }

    /// Returns the counters of a filter over time for a snapshot's data.
    pub(crate) async fn series_at(
        &self,
        snapshot: Arc<Snapshot>,
        filter: Filter,
        interval: Interval,
    ) -> Cached<SeriesResponse> {
        self.series_of(snapshot, filter, ALL_TYPES, interval).await
    }

    async fn series_of(
        &self,
        snapshot: Arc<Snapshot>,
        filter: Filter,
        types: [bool; 3],
        interval: Interval,
    ) -> Cached<SeriesResponse> {
        let compute = || async {
            let counters = self.store.counters();
            let points = counters.series_of(&filter, types, interval, snapshot.today).await?;
            let (points, since) = self.current(points, &snapshot).await;
            let shown = |points: Vec<_>| series(interval, &points, since);
            Ok(points.map(|points| CachedResponse::of_series(shown(points))))
        };
        self.series.get(&snapshot, (filter.clone(), types, interval), compute).await
    }

    /// Whether a series is cached.
    pub(crate) fn has_series(&self, snapshot: &Snapshot, filter: &Filter, by: Interval) -> bool {
        self.series.has(snapshot, (filter.clone(), ALL_TYPES, by))
    }

    /// Returns the newest reports of a query for a snapshot's data.
    pub(crate) async fn reports_at(
        &self,
        snapshot: Arc<Snapshot>,
        query: ReportsQuery,
    ) -> Cached<CachedResponse<ReportPage>> {
        if query == ReportsQuery::newest(RECENT) {
            return Ok(snapshot.reports.clone());
        }
        let compute = || async {
            let reports = self.store.reports().recent(&and_one(&query)).await?;
            let (reports, _) = self.current(reports, &snapshot).await;
            Ok(CachedResponse::of_page(reports, &query))
        };
        self.reports.get(&snapshot, query.clone(), compute).await
    }

    /// Returns the approved report with this id.
    pub(crate) async fn report(&self, id: &str) -> Cached<Option<PublicReport>> {
        let snapshot = self.snapshot();
        let compute = || async {
            let report = self.store.reports().approved(id).await?;
            Ok(self.current(report, &snapshot).await.0)
        };
        self.reports_by_id.get(&snapshot, id.into(), compute).await
    }

    /// Reads the counters of a query's filter and its list; the data is that of the snapshot or newer.
    async fn overview(
        &self,
        snapshot: &Snapshot,
        query: &ReportsQuery,
    ) -> Result<(CachedResponse<Metrics>, CachedResponse<ReportPage>), Arc<store::Error>> {
        let read = self.store.reports().overview(&and_one(query), snapshot.today).await?;
        let ((counters, reports), since) = self.current(read, snapshot).await;
        Ok((
            CachedResponse::of_metrics(counters.shown(since)),
            CachedResponse::of_page(reports, query),
        ))
    }

    /// Returns the value that was read while `snapshot` was current, with the time since when it has been public. If
    /// the value is newer, the snapshot is refreshed before anything is sent, so that no later response is older.
    async fn current<T>(&self, read: Versioned<T>, snapshot: &Snapshot) -> (T, DateTime<Utc>) {
        self.snapshots.reach(&read.last).await;
        (read.value, read.last.seen_since(snapshot.today))
    }

    /// Refreshes the snapshot if it is older than `last`, so that no later response is.
    pub(crate) async fn reach(&self, last: &LastChange) {
        self.snapshots.reach(last).await;
    }

    /// The current snapshot.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshots.current().snapshot.clone()
    }
}
