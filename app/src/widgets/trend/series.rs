//! Fetches the series again after each change of the counters on the stream, while the widget is
//! visible. Until then, the previous series is shown.

use crate::{contract::page_state::InitialState, widgets::live::Live};
use kit::{
    json::{field, series as read_series, text},
    refresh::{fetch, use_refresh},
    signals::{Var, effect, provided},
};
use model::Series;
use std::{cell::RefCell, sync::Arc};

/// Minimum time between two requests for the series, in milliseconds.
const REST: i32 = 4_000;

/// Initial state specific to the trend: from the context on the server, from the page in the
/// browser.
#[derive(Debug, Default)]
pub(super) struct TrendState {
    /// URL of the series.
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
    /// The part of the state that is embedded in the page.
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
        // `updated_at` changes with every change of the data, even if the counters stay the same: a
        // report may have moved to another day.
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
