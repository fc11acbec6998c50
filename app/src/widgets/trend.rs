//! The trend widget: the counters over time, live.
//!
//! [`TrendBoard`] is rendered twice from one view: by the server with the series of the page, and
//! by the browser over signals. [`series`] fetches the series again whenever the counters change,
//! [`columns`] draws the bars, and [`dates`] formats the dates of points. Pointing at a bar, or
//! moving to it with the arrow keys, puts its date and its numbers in the place of the period's.

mod columns;
mod dates;
#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
mod picture;
mod series;
pub(crate) mod words;

#[cfg(feature = "ssr")]
pub(crate) use self::dates::neutral_end;
#[cfg(feature = "ssr")]
pub(super) use document::WIDGET;

use self::{
    columns::columns,
    series::{TrendState, use_series},
};
use crate::{
    chart::{HEIGHT, VIEW_BOX, scale, slot},
    contract::page_state::InitialState,
    widgets::{
        connection_status::Printed,
        header::{header, report_count},
        legend::type_count,
        live::use_live,
    },
    words::{
        Wording,
        common::{NOTHING_YET, REPORT},
    },
};
use kit::{
    dom::{use_listener, use_on_screen},
    number::plain,
    signals::{Var, effect, flag, text},
};
use leptos::{html::Div, prelude::*};
use model::{ReportType, Series, Types};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDivElement, KeyboardEvent, MouseEvent};

/// The island: the number of reports in the period, and their distribution over time.
#[component]
pub fn TrendBoard() -> impl IntoView {
    let initial = InitialState::get();
    let state = TrendState::get();
    let wording = Wording::new(&initial.words);
    let live = use_live(&initial);
    let types = initial.types;
    let chart = NodeRef::<Div>::new();
    let is_on_screen = Var::new(true);
    let series = use_series(live, is_on_screen, &state);
    // Index of the bar under the pointer, or the one that the keyboard is at.
    let pointed = Var::new(None);
    let is_rtl = wording.words().lang.direction() == "rtl";
    let point = move |chart: &HtmlDivElement, event: &MouseEvent| {
        let width = chart.client_width().max(1);
        let x = event.offset_x();
        let of = series.read_untracked().points.len();
        let x = if is_rtl { width - x } else { x };
        let place = f64::from(x.clamp(0, width - 1)) / f64::from(width) * of as f64;
        pointed.set(Some(place as usize));
    };
    let step = move |event: &KeyboardEvent| {
        let last = series.read_untracked().points.len().saturating_sub(1);
        let at = pointed.get_untracked().unwrap_or(last);
        let to = match (&*event.key(), is_rtl) {
            ("ArrowLeft", false) | ("ArrowRight", true) => at.saturating_sub(1),
            ("ArrowRight", false) | ("ArrowLeft", true) => (at + 1).min(last),
            ("Home", _) => 0,
            ("End", _) => last,
            _ => return,
        };
        event.prevent_default();
        pointed.set(Some(to));
    };
    let enter = move || {
        let last = series.read_untracked().points.len().checked_sub(1);
        // A pointer that focuses the chart has chosen a bar before.
        pointed.set(pointed.get_untracked().or(last));
    };
    effect(move |_| {
        let Some(chart) = chart.get_untracked() else { return };
        use_on_screen(&chart, move |is| is_on_screen.set(is));
        for name in ["pointermove", "pointerdown", "pointerleave", "keydown", "focus", "blur"] {
            let on = chart.clone();
            use_listener(&chart, name, move |event| match name {
                "pointermove" | "pointerdown" => point(&on, event.unchecked_ref()),
                "keydown" => step(event.unchecked_ref()),
                "focus" => enter(),
                _ => pointed.set(None),
            });
        }
    });

    // Count of a type at the chosen bar, or in the whole period.
    let count = move |kind: ReportType| {
        let series = series.read();
        match pointed.get().and_then(|place| series.points.get(place)) {
            Some(point) => point.of(kind),
            None => series.points.iter().map(|point| point.of(kind)).sum(),
        }
    };
    let legend: Vec<_> =
        types.each().map(|kind| type_count(kind, wording, move || Some(count(kind)))).collect();
    let is_recent = state.is_recent;
    let period = move || {
        let series = series.read();
        match pointed.get().and_then(|place| series.points.get(place)) {
            Some(point) => dates::of_point(point, series.interval, wording),
            None => dates::period(&series, is_recent, wording),
        }
    };
    let heading = initial.heading.clone();
    let summary = move || {
        let series = series.read();
        let period = dates::period(&series, false, wording);
        [&heading, ", ", &period, ": ", &wording.counted(REPORT, sum(&series, types))].concat()
    };
    let said = move |place: usize| {
        let series = series.read();
        let point = series.points.get(place);
        point.map_or_else(String::new, |point| {
            let date = dates::of_point(point, series.interval, wording);
            [&date, ": ", &wording.counted(REPORT, point.sum(types))].concat()
        })
    };
    let points = move || {
        let places = 0..series.read().points.len();
        // Dates, numbers and the noun need no escaping.
        places.map(|place| ["<li>", &said(place), "</li>"].concat()).collect::<String>()
    };
    // The place of the keyboard, from 1 on; without one, the newest bar.
    let place = move || pointed.get().map_or(series.read().points.len(), |place| place + 1);
    let chosen = move || pointed.get().map_or_else(&summary, said);
    let said_class =
        move |class: &str| [class, if wording.is_localised() { " said" } else { "" }].concat();
    // The last bar grows until its interval is over.
    let class = move || {
        let series = series.read();
        let is_open = *series.to >= *live.metrics.read().day();
        ["chart ", series.interval.as_str(), if is_open { " open" } else { "" }].concat()
    };
    let top = move || scale(&series.read().points, types);
    let total = view! {
        <p class="total">
            <span class=text(move || said_class("period"))>{text(period)}</span>
            {report_count(wording, move || types.sum(count))}
        </p>
    };
    view! {
        {header(live, wording, initial.title(), total, view! { <ul class="legend">{legend}</ul> })}
        <p class="scale" aria-hidden="true">
            {text(move || wording.number(top()))}
        </p>
        <div
            class=text(class)
            tabindex="0"
            role="slider"
            aria-label=initial.heading.clone()
            aria-valuemin="1"
            aria-valuenow=text(move || plain(place() as u64))
            aria-valuemax=text(move || plain(series.read().points.len() as u64))
            aria-valuetext=text(chosen)
            node_ref=chart
        >
            <svg class="band" viewBox=VIEW_BOX preserveAspectRatio="none">
                {band(series, pointed)}
            </svg>
            <div class="bars" inner_html=text(move || columns(&series.read().points, types))></div>
        </div>
        <p class=text(move || said_class("ends")) aria-hidden="true">
            <bdi>{text(move || dates::first(&series.read(), wording))}</bdi>
            <bdi>{text(move || dates::last(&series.read(), wording))}</bdi>
        </p>
        <ol class="unseen" aria-label=initial.heading.clone() inner_html=text(points)></ol>
        <Printed live=live wording=wording />
        <p class="nothing" hidden=flag(move || live.count(types) > 0)>
            {wording.text(NOTHING_YET)}
        </p>
    }
}

kit::own_module!(trend, TrendBoard);

fn sum(series: &Series, types: Types) -> u64 {
    series.points.iter().map(|point| point.sum(types)).sum()
}

/// Background of the chosen bar.
fn band(series: Var<Series>, pointed: Var<Option<usize>>) -> impl IntoView {
    let slot = move || match pointed.get() {
        Some(place) => slot(place, series.read().points.len()),
        None => (0, 0),
    };
    view! {
        <rect
            height=plain(HEIGHT)
            x=text(move || plain(slot().0))
            width=text(move || plain(slot().1))
        ></rect>
    }
}
