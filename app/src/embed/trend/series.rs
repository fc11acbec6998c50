//! The series: fetched anew whenever the stream tells of other counters, while somebody can see it. What
//! was known stays until then.

use crate::{
    embed::InitialState,
    live::{Live, field, read_series, text},
    reactive::{Var, effect, provided},
    refresh::{fetch, use_refresh},
};
use model::Series;
use std::{cell::RefCell, sync::Arc};

/// The least time between two reads of the series, in milliseconds.
const REST: i32 = 4_000;

/// What the trend starts from beyond what every widget does: on the server by context, in the browser out of
/// the page.
#[derive(Debug, Default)]
pub(super) struct TrendState {
    /// Where the series is.
    pub(super) url: String,
    pub(super) series: Series,
}

impl TrendState {
    /// The state that the page is rendered with.
    pub(super) fn get(initial: &InitialState) -> Arc<Self> {
        provided()
            .unwrap_or_else(|| Arc::new(initial.more.get().map(Self::read).unwrap_or_default()))
    }

    fn read(state: &wasm_bindgen::JsValue) -> Self {
        let series = read_series(&field(state, "series")).unwrap_or_default();
        Self { url: text(state, "seriesUrl"), series }
    }
}

#[cfg(feature = "ssr")]
impl TrendState {
    /// What the page carries of it.
    pub(super) fn to_json(&self) -> serde_json::Value {
        serde_json::json!({ "seriesUrl": self.url, "series": self.series })
    }
}

/// The series of the page, kept up to date.
pub(super) fn use_series(live: Live, is_on_screen: Var<bool>, state: &TrendState) -> Var<Series> {
    let series = Var::new(state.series.clone());
    let url = state.url.clone();
    let known = RefCell::new(state.series.updated_at.clone());
    effect(move |_| {
        let url = url.clone();
        let refresh = use_refresh(REST, Some(is_on_screen), move || {
            let url = url.clone();
            Box::pin(async move {
                let answer = fetch(url, "json").await;
                if let Some(fetched) = answer.as_ref().and_then(read_series) {
                    series.set(fetched);
                }
            })
        });
        // Each change of the data has a time of its own, also those that leave the counters as they were: a
        // report may have been moved to another day.
        let known = known.clone();
        effect(move |_| {
            let updated_at = live.metrics.get().updated_at;
            if *known.borrow() != updated_at {
                known.replace(updated_at);
                refresh.request();
            }
        });
    });
    series
}
