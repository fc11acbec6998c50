use std::{sync::Arc, time::Duration};

use app::{
    request::PageRequest,
    shell::{provide_page_context, shell},
};
use axum::{body::Body, extract::Request};
use chrono::NaiveDate;
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use leptos::prelude::*;
use leptos_axum::{AxumRouteListing, generate_route_list, handle_response_inner};
use leptos_integration_utils::{BoxedFnOnce, PinnedFuture, PinnedStream};
use moka::future::Cache;

use super::{Policies, source::SnapshotSource};
use crate::{
    config,
    http::{
        problem::{Problem, Result},
        representation::Representation,
    },
    state::App,
};

/// Maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// What a cached document costs besides its bytes and the URL it was asked under: mostly the texts
/// among the options, of at most 256 characters each.
const OVERHEAD: usize = 4 << 10;

/// Rendered documents. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pages {
    cache: Cache<Key, Arc<Representation>>,
    pub(super) policies: Policies,
    routes: Arc<[AxumRouteListing]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    request: PageRequest,
    /// The data and the day that the document shows, if it shows any.
    data: Option<(i64, NaiveDate)>,
}

impl Pages {
    pub fn new(settings: &config::Serve) -> Self {
        let routes = generate_route_list(app::App).into();
        Self { cache: cache(), policies: Policies::new(settings), routes }
    }

    /// The routes of the Leptos app. [`render`](super::render) handles them.
    pub(crate) fn routes(&self) -> &[AxumRouteListing] {
        &self.routes
    }

    /// A page, from the cache if it is there. Concurrent requests for one page render it once.
    ///
    /// # Errors
    /// The problem of the first read that failed, if any.
    pub async fn page(&self, app: &App, request: PageRequest) -> Result<Arc<Representation>> {
        let source = SnapshotSource::new(app.clone());
        let data = request.kind.has_data().then(|| source.state());
        let key = Key { request: request.clone(), data };
        let rendered = render(request, Arc::new(source), app);
        self.cache.try_get_with(key, rendered).await.map_err(Arc::unwrap_or_clone)
    }
}

fn cache() -> Cache<Key, Arc<Representation>> {
    Cache::builder()
        // Options come from the query: anyone can ask for documents that nobody asked for before.
        .max_capacity(MAX_BYTES)
        .weigher(|key: &Key, document: &Arc<Representation>| {
            let url = key.request.base_url.as_str().len() + key.request.path.len();
            u32::try_from(document.bytes() + url + OVERHEAD).unwrap_or(u32::MAX)
        })
        .time_to_idle(Duration::from_secs(60))
        .build()
}

async fn render(
    request: PageRequest,
    source: Arc<SnapshotSource>,
    app: &App,
) -> Result<Arc<Representation>> {
    // The page may depend on the cache key only, so Leptos gets a request without headers.
    let own = Request::builder().uri(&request.path).body(Body::empty());
    let own = own.map_err(|error| Problem::internal(Arc::new(error)))?;
    let (assets, shared) = (app.site.assets.clone(), source.clone());
    let context = move || provide_page_context(request.clone(), shared.clone(), assets.clone());
    let response = handle_response_inner(context, shell, own, in_one_piece).await;
    let html = response.into_body().collect().await;
    if let Some(problem) = source.failure() {
        return Err(problem);
    }
    let html = html.map_err(|error| Problem::internal(Arc::new(error)))?.to_bytes();
    Ok(Arc::new(Representation::html(html)))
}

/// Renders the whole view before anything is sent, and drops the scripts with serialised resources:
/// they would be inline with a nonce for each response, and our islands do not read them.
fn in_one_piece<V: IntoView + 'static>(
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
            let key = Key { request: request.unwrap(), data: None };
            cache.insert(key, large.clone()).await;
        }
        cache.run_pending_tasks().await;
        assert!((1..64).contains(&cache.entry_count()), "{}", cache.entry_count());
    }
}
