//! Renders pages for tests as the server does, from made-up values.

use crate::{
    base_url::BaseUrl,
    brand::Brand,
    contract::{EmbedOptions, Place, snippets::Embed},
    licence::Licence,
    page_data::{GlobeMarkers, PageData, ProblemCode, Read, ReportForm},
    picture::{self, Picture},
    request::PageRequest,
    shell::{Assets, provide_page_context, shell},
    widgets::registry::Widget,
};
use futures::{StreamExt, executor::block_on};
use hydration_context::SsrSharedContext;
use kit::lang::Lang;
use leptos::prelude::*;
use leptos_router::location::RequestUrl;
use model::{Markers, Metrics, Report, Series};
use serde_json::Value;
use std::{future::ready, sync::Arc};

/// Public base URL in tests.
pub(crate) const BASE_URL: &str = "https://a.example";

/// The data, independent of the options.
#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) metrics: Metrics,
    pub(crate) reports: Vec<Report>,
    pub(crate) markers: Markers,
    pub(crate) series: Series,
    pub(crate) openapi: Value,
    pub(crate) brand: Arc<Brand>,
    pub(crate) licence: Option<Licence>,
    pub(crate) form: Option<ReportForm>,
}

impl PageData for Fake {
    fn metrics<'a>(&'a self, _: &'a EmbedOptions) -> Read<'a, Metrics> {
        Box::pin(ready(Ok(self.metrics.clone())))
    }

    fn reports<'a>(&'a self, options: &'a EmbedOptions, _: Lang) -> Read<'a, Vec<Report>> {
        let limit = options.limit.get() as usize;
        Box::pin(ready(Ok(self.reports.iter().take(limit).cloned().collect())))
    }

    fn markers<'a>(&'a self, _: &'a EmbedOptions, _: Lang) -> Read<'a, Arc<GlobeMarkers>> {
        Box::pin(ready(Ok(Arc::new(self.markers.clone().into()))))
    }

    fn series<'a>(&'a self, _: &'a EmbedOptions) -> Read<'a, Series> {
        Box::pin(ready(Ok(self.series.clone())))
    }

    fn trend<'a>(&'a self, options: &'a EmbedOptions) -> Read<'a, Series> {
        self.series(options)
    }

    fn named(&self, place: &Place, _: Lang) -> Place {
        place.clone()
    }

    fn similar_places(&self, place: &Place) -> Option<Vec<Place>> {
        (place.city.as_deref() == Some("Lion"))
            .then(|| vec![Place { city: Some("Lyon".to_owned()), ..place.clone() }])
    }

    fn report_form(&self) -> Option<ReportForm> {
        self.form.clone()
    }

    fn brand(&self) -> Arc<Brand> {
        self.brand.clone()
    }

    fn licence(&self) -> Option<Licence> {
        self.licence.clone()
    }

    fn openapi(&self) -> &Value {
        &self.openapi
    }

    fn problems(&self) -> &[ProblemCode] {
        &[]
    }
}

/// Document of a path with its query.
pub(crate) fn html(address: &str, source: Fake) -> String {
    let boot = "/assets/boot.js".to_owned();
    html_with(Assets { boot, ..Assets::default() }, address, source)
}

/// Document of a path with its query, on a site with these assets.
pub(crate) fn html_with(assets: Assets, address: &str, source: Fake) -> String {
    // Can be set only once, for all tests.
    _ = any_spawner::Executor::init_futures_executor();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let request = PageRequest::new(path, query, None, BaseUrl::new(BASE_URL, "")).unwrap();
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let stream = owner.with(|| {
        provide_context(RequestUrl::new(&format!("http://leptos.dev{address}")));
        provide_page_context(request, Arc::new(source), Arc::new(assets));
        shell().into_view().to_html_stream_in_order()
    });
    block_on(stream.collect())
}

/// Picture of a widget with the options of a query.
pub(crate) fn picture(widget: &str, query: &str, source: Fake) -> Picture {
    let widget = Widget::named(widget).unwrap();
    let embed = Embed { widget, options: EmbedOptions::from_query(query) };
    block_on(picture::draw(&embed, &source).unwrap()).unwrap()
}
