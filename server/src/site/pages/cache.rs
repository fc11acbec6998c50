use std::{ops::Deref, sync::Arc, time::Duration};

use app::{
    page_data::ReportForm,
    request::PageRequest,
    shell::{Assets, provide_page_context, shell},
};
use axum::{body::Body, extract::Request};
use base::cache::{Cache, Limits};
use edge::representation::Representation;
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use leptos::prelude::*;
use leptos_axum::{AxumRouteListing, generate_route_list, handle_response_inner};
use leptos_integration_utils::{BoxedFnOnce, PinnedFuture, PinnedStream};

use super::{
    Policies,
    page_data::{SnapshotPageData, Sources},
};
use crate::{
    base_url::BaseUrls,
    problem::{Problem, Result},
    responses::snapshot::DataState,
    site::visitors::{Visitor, Visitors, cost},
};

/// Maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 24 << 20;
/// Approximate size of a cached document besides its bytes and its URL: mostly the texts in the options, of at most 256
/// characters each.
const OVERHEAD: usize = 4 << 10;

/// Rendered documents. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pages(Arc<PageCacheInner>);

/// See [`Pages`].
#[derive(Debug)]
pub struct PageCacheInner {
    cache: Cache<PageKey, Representation>,
    routes: Vec<AxumRouteListing>,
    pub(super) assets: Arc<Assets>,
    sources: Sources,
    pub(super) policies: Policies,
    pub(super) base_urls: BaseUrls,
    pub(super) visitors: Visitors,
}

impl Deref for Pages {
    type Target = PageCacheInner;

    fn deref(&self) -> &PageCacheInner {
        &self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PageKey {
    request: Arc<PageRequest>,
    /// State of the data that the document shows, if it shows any.
    data: Option<DataState>,
}

impl Pages {
    pub fn new(
        policies: Policies,
        assets: Arc<Assets>,
        sources: Sources,
        base_urls: BaseUrls,
        visitors: Visitors,
    ) -> Self {
        let routes = generate_route_list(app::App);
        let cache = cache();
        Self(Arc::new(PageCacheInner {
            cache,
            routes,
            assets,
            sources,
            policies,
            base_urls,
            visitors,
        }))
    }

    /// Routes of the Leptos app. [`render`](super::render) handles them.
    pub(crate) fn routes(&self) -> &[AxumRouteListing] {
        &self.routes
    }

    /// Data for pages.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Renders the widget with this form, for one visitor.
    ///
    /// # Errors
    /// See [`page`](Self::page).
    pub(crate) async fn form(
        &self,
        request: PageRequest,
        visitor: &Visitor,
        form: ReportForm,
    ) -> Result<Arc<Representation>> {
        visitor.pay(cost::PAGE)?;
        let source = SnapshotPageData::new(self.sources.clone()).with_form(form);
        rendered(request, Arc::new(source), self.assets.clone(), shell).await
    }

    /// Returns a page, from the cache if possible. Concurrent requests for one page render it once.
    ///
    /// # Errors
    /// The problem of the first read that failed, if any; 429 if the visitor has requested too many uncached pages.
    pub async fn page(
        &self,
        request: &Arc<PageRequest>,
        visitor: &Visitor,
    ) -> Result<Arc<Representation>> {
        let snapshot = self.sources.responses.snapshot();
        let data = request.kind.has_data().then(|| snapshot.state());
        let key = PageKey { request: request.clone(), data };
        if let Some(page) = self.cache.get(&key).await {
            return Ok(page);
        }
        visitor.pay(cost::PAGE)?;
        let source = Arc::new(SnapshotPageData::at(snapshot, self.sources.clone()));
        let request = PageRequest::clone(request);
        let rendered = rendered(request, source, self.assets.clone(), shell);
        self.cache.get_or_try(key, rendered).await
    }
}

fn cache() -> Cache<PageKey, Representation> {
    // Options come from the query, so any client can request documents that are not cached.
    let limits = Limits { weight: MAX_BYTES, idle: Some(Duration::from_secs(60)), age: None };
    Cache::new(limits, |key: &PageKey, document: &Representation| {
        let url = key.request.base_url.as_str().len() + key.request.path.len();
        document.weight(url + OVERHEAD)
    })
}

/// Renders a document of `view`, which depends on the request alone.
pub(crate) async fn rendered<V: IntoView + 'static>(
    request: PageRequest,
    source: Arc<SnapshotPageData>,
    assets: Arc<Assets>,
    view: impl FnOnce() -> V + Send + 'static,
) -> Result<Arc<Representation>> {
    // The page may depend on the cache key only, so Leptos gets a request without headers.
    let own = Request::builder().uri(&request.path).body(Body::empty());
    let own = own.map_err(|error| Problem::internal(Arc::new(error)))?;
    let shared = source.clone();
    let context = move || provide_page_context(request.clone(), shared.clone(), assets.clone());
    let response = handle_response_inner(context, view, own, in_one_piece).await;
    let html = response.into_body().collect().await;
    if let Some(problem) = source.failure() {
        return Err(problem);
    }
    let html = html.map_err(|error| Problem::internal(Arc::new(error)))?.to_bytes();
    Ok(Arc::new(Representation::html(html)))
}

/// Renders the whole view before anything is sent, and drops the scripts with serialized resources: they would be
/// inline with a nonce for each response, and the islands do not read them.
pub(crate) fn in_one_piece<V: IntoView + 'static>(
    view: V,
    _scripts: BoxedFnOnce<PinnedStream<String>>,
    _supports_out_of_order: bool,
) -> PinnedFuture<PinnedStream<String>> {
    let html = view.into_view().to_html_stream_in_order();
    Box::pin(async move {
        let html: String = html.collect().await;
        Box::pin(stream::once(async { html })) as PinnedStream<String>
    })
}

#[cfg(test)]
mod tests {
    use app::base_url::BaseUrl;

    use super::*;

    #[tokio::test]
    async fn the_cache_is_bounded_by_bytes_however_large_the_documents_are() {
        let cache = cache();
        let large = Arc::new(Representation::html(vec![b' '; 1 << 20].into()));
        for number in 0..100 {
            let query = format!("title={number}");
            let request = PageRequest::new("/embed/feed", &query, None, BaseUrl::default());
            let key = PageKey { request: Arc::new(request.unwrap()), data: None };
            cache.insert(key, large.clone()).await;
        }
        let kept = cache.count().await;
        assert!((1..64).contains(&kept), "{kept}");
    }
}
