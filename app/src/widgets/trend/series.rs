//! Fetches the series again after each change of the counters on the stream, while the widget is
//! visible. Until then, the previous series is shown.

use crate::{contract::page_state::page_state, widgets::live::Live};
use kit::{
    json::FromJson,
    refresh::{fetch, use_refresh},
    signals::{Var, effect},
};
use model::Series;
use std::cell::RefCell;

/// Minimum time between two requests for the series, in milliseconds.
const REST: i32 = 4_000;

page_state! {
    /// Initial state of the trend.
    pub(super) struct TrendState {
        /// URL of the series.
        url: String = "seriesUrl",
        series: Series = "series",
        /// Whether the service chose the period, because the options have none.
        is_recent: bool = "isRecent",
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
                let answer = fetch(&url, "json").await;
                if let Some(answer) = answer.filter(Series::is_supported) {
                    series.set(Series::from_json(&answer));
                }
            })
        });
        // `updated_at` changes with every change of the data, even if the counters stay the same: a
        // report may have moved to another day.
        let known = known.clone();
        effect(move |_| {
            let metrics = live.metrics.read();
            if *known.borrow() != metrics.updated_at {
                known.replace(metrics.updated_at.clone());
                refresh.request();
            }
        });
    });
    series
}
