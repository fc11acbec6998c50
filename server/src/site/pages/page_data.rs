use std::sync::{Arc, LazyLock, OnceLock};

use app::{
    brand::Brand,
    contract::{EmbedOptions, Place},
    licence::Licence,
    page_data::{GlobeMarkers, PageData, ProblemCode, Read, ReportForm, Unavailable},
};
use kit::lang::Lang;
use model::{Metrics, Report, Series};
use serde_json::Value;

use crate::{
    intake::Intake,
    openapi::Description,
    problem::{Code, Problem, Result},
    responses::{
        ResponseCache, SeriesResponse, names,
        similar_places::similar_places,
        snapshot::{DataState, Snapshot},
        trend,
        view::View,
    },
};

static PROBLEMS: LazyLock<[ProblemCode; Code::ALL.len()]> =
    LazyLock::new(|| Code::ALL.map(Code::explained));

/// Data for pages and pictures. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sources {
    pub responses: ResponseCache,
    pub openapi: Arc<Description>,
    pub brand: Arc<Brand>,
    /// Licence of the published data.
    pub licence: Option<Licence>,
    pub(crate) intake: Intake,
}

/// The data of one page or picture: the snapshot if nothing is filtered, else cached answers.
pub(crate) struct SnapshotPageData {
    sources: Sources,
    snapshot: Arc<Snapshot>,
    /// Problem of the first read that failed.
    failure: OnceLock<Problem>,
    /// Form of the request, if it is for the widget with the form.
    form: Option<ReportForm>,
}

impl SnapshotPageData {
    pub(crate) fn new(sources: Sources) -> Self {
        Self::at(sources.responses.snapshot(), sources)
    }

    /// The data of a snapshot.
    pub(crate) fn at(snapshot: Arc<Snapshot>, sources: Sources) -> Self {
        Self { sources, snapshot, failure: OnceLock::new(), form: None }
    }

    /// Returns the data with a form, for one visitor.
    pub(crate) fn with_form(self, form: ReportForm) -> Self {
        Self { form: Some(form), ..self }
    }

    /// DataState of the data, and the day.
    pub(crate) fn state(&self) -> DataState {
        self.snapshot.state()
    }

    /// Problem of a page whose data could not be read.
    pub(crate) fn failure(&self) -> Option<Problem> {
        self.failure.get().cloned()
    }

    pub(crate) async fn counters(&self, options: &EmbedOptions) -> Result<Metrics> {
        let filter = View::of(options, None).filter;
        let counters = self.sources.responses.metrics_at(self.snapshot.clone(), filter);
        Ok(counters.await?.value.clone())
    }

    async fn newest(&self, options: &EmbedOptions, lang: Lang) -> Result<Vec<Report>> {
        let query = View::of(options, None).reports();
        let page = self.sources.responses.reports_at(self.snapshot.clone(), query).await?;
        let mut reports = page.value.reports(options.dates);
        reports.iter_mut().for_each(|report| names::name_report(report, lang));
        Ok(reports)
    }

    async fn located(&self, options: &EmbedOptions, lang: Lang) -> Result<Arc<GlobeMarkers>> {
        let View { filter, types, lang, .. } = View::of(options, Some(lang));
        Ok(self.sources.responses.marker_state((filter, types, lang)).await?.markers.clone())
    }

    fn noted<T>(&self, read: Result<T>) -> Result<T, Unavailable> {
        read.map_err(|problem| {
            // Another read may have failed before; one problem is enough.
            _ = self.failure.set(problem);
            Unavailable
        })
    }
}

fn value_of(series: Result<Arc<SeriesResponse>, Arc<store::Error>>) -> Result<Series> {
    match &*series? {
        Ok(series) => Ok(series.value.clone()),
        Err(too_long) => Err(too_long.into()),
    }
}

impl PageData for SnapshotPageData {
    fn metrics<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Metrics> {
        Box::pin(async { self.noted(self.counters(options).await) })
    }

    fn reports<'a>(&'a self, options: &'a EmbedOptions, lang: Lang) -> Read<'a, Vec<Report>> {
        Box::pin(async move { self.noted(self.newest(options, lang).await) })
    }

    fn markers<'a>(&'a self, options: &'a EmbedOptions, lang: Lang) -> Read<'a, Arc<GlobeMarkers>> {
        Box::pin(async move { self.noted(self.located(options, lang).await) })
    }

    fn series<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Series> {
        Box::pin(async {
            let series = trend::last_days(&self.sources.responses, &self.snapshot, options).await;
            self.noted(value_of(series))
        })
    }

    fn trend<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Series> {
        Box::pin(async {
            let series = trend::series(&self.sources.responses, &self.snapshot, options).await;
            self.noted(value_of(series))
        })
    }

    fn named(&self, place: &Place, lang: Lang) -> Place {
        names::named_place(place, lang)
    }

    fn similar_places(&self, place: &Place) -> Option<Vec<Place>> {
        similar_places(place)
    }

    fn report_form(&self) -> Option<ReportForm> {
        let form = || self.form.clone().unwrap_or_default();
        self.sources.intake.is_on().then(form)
    }

    fn brand(&self) -> Arc<Brand> {
        self.sources.brand.clone()
    }

    fn licence(&self) -> Option<Licence> {
        self.sources.licence.clone()
    }

    fn openapi(&self) -> &Value {
        &self.sources.openapi.document
    }

    fn problems(&self) -> &[ProblemCode] {
        &*PROBLEMS
    }
}
