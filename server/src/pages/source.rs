use std::sync::{Arc, OnceLock};

use app::{
    embed::{EmbedOptions, Place},
    lang::Lang,
    model::{Markers, Metrics, Report, ReportType},
    source::{ProblemCode, Read, Source, Unavailable},
};
use chrono::NaiveDate;
use serde_json::Value;

use crate::{
    error::{Code, Problem, Result},
    names,
    snapshot::Snapshot,
    state::App,
    store::{Filter, Period, PlaceFilter, ReportsQuery},
};

const PROBLEMS: [ProblemCode; Code::ALL.len()] = {
    let mut problems = [ProblemCode { code: "", status: 0, when: "" }; Code::ALL.len()];
    let mut index = 0;
    while index < problems.len() {
        problems[index] = Code::ALL[index].explained();
        index += 1;
    }
    problems
};

/// The data of one page or picture: the snapshot where nothing is filtered, else the kept answers.
pub(crate) struct SnapshotSource {
    app: App,
    snapshot: Arc<Snapshot>,
    /// Why the first read that failed did.
    failure: OnceLock<Problem>,
}

impl SnapshotSource {
    pub(crate) fn new(app: App) -> Self {
        let snapshot = app.snapshots.current().snapshot.clone();
        Self { app, snapshot, failure: OnceLock::new() }
    }

    /// Which data, on which day.
    pub(crate) fn state(&self) -> (i64, NaiveDate) {
        (self.snapshot.version, self.snapshot.today)
    }

    /// The problem that a page has which asked for what could not be read.
    pub(crate) fn failure(&self) -> Option<Problem> {
        self.failure.get().cloned()
    }

    pub(crate) async fn counters(&self, place: &Place) -> Result<Metrics> {
        if place.is_everywhere() {
            return Ok(self.snapshot.metrics.clone());
        }
        Ok(self.app.answers.metrics_object(filter(place)).await?)
    }

    async fn newest(&self, options: &EmbedOptions, limit: u32, lang: Lang) -> Result<Vec<Report>> {
        let types = ReportType::ALL.map(|kind| options.types.has(kind));
        let query = ReportsQuery { filter: filter(&options.place), types, since: None, limit };
        let mut reports = if query == ReportsQuery::newest(crate::snapshot::RECENT) {
            self.snapshot.reports.reports.clone()
        } else {
            self.app.answers.report_list(query).await?.reports
        };
        reports.iter_mut().for_each(|report| names::name_report(report, lang));
        Ok(reports)
    }

    async fn located(&self, options: &EmbedOptions, lang: Lang) -> Result<Markers> {
        let types = ReportType::ALL.map(|kind| options.types.has(kind));
        let shown = (place_filter(&options.place), types, Some(lang));
        Ok(self.app.answers.marker_state(shown).await?.markers.clone())
    }

    fn noted<T>(&self, read: Result<T>) -> Result<T, Unavailable> {
        read.map_err(|problem| {
            // Another read may have failed before; one problem is enough.
            _ = self.failure.set(problem);
            Unavailable
        })
    }
}

impl Source for SnapshotSource {
    fn metrics<'a>(&'a self, place: &'a Place) -> Read<'a, Metrics> {
        Box::pin(async { self.noted(self.counters(place).await) })
    }

    fn reports<'a>(
        &'a self,
        options: &'a EmbedOptions,
        limit: u32,
        lang: Lang,
    ) -> Read<'a, Vec<Report>> {
        Box::pin(async move { self.noted(self.newest(options, limit, lang).await) })
    }

    fn markers<'a>(&'a self, options: &'a EmbedOptions, lang: Lang) -> Read<'a, Markers> {
        Box::pin(async move { self.noted(self.located(options, lang).await) })
    }

    fn named(&self, place: &Place, lang: Lang) -> Place {
        names::named_place(place, lang)
    }

    fn openapi(&self) -> &Value {
        &self.app.openapi.document
    }

    fn problems(&self) -> &[ProblemCode] {
        &PROBLEMS
    }
}

/// The place of a widget's options as the store understands it.
fn filter(place: &Place) -> Filter {
    Filter { period: Period::default(), place: place_filter(place) }
}

/// The same without a period.
pub(crate) fn place_filter(Place { country, region, city }: &Place) -> PlaceFilter {
    PlaceFilter::new(country.as_deref(), region.as_deref(), city.as_deref())
}
