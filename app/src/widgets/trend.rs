//! The trend widget: the counters over time, live.
//!
//! [`TrendBoard`] is rendered twice from one view: by the server with the series of the page, and
//! by the browser over signals. [`series`] fetches the series again whenever the counters change,
//! and [`dates`] formats the dates of points. [`chart`](crate::chart) draws the bars.

mod dates;
#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
mod picture;
mod series;

#[cfg(feature = "ssr")]
use {super::registry::Widget, document::TrendWidget};

#[cfg(feature = "ssr")]
pub(crate) use self::dates::neutral_end;
use self::series::{TrendState, use_series};
use crate::{
    chart::{HEIGHT, VIEW_BOX, bars, scale, slot},
    contract::page_state::InitialState,
    widgets::{
        connection_status::{Printed, Status},
        legend::type_count,
        live::use_live,
    },
    words::{Word, Wording},
};
use kit::{
    dom::use_on_screen,
    number::plain,
    signals::{Var, effect, flag, text},
};
use leptos::{ev::PointerEvent, html::Div, prelude::*};
use model::{ReportType, Series, Types};

/// The widget's entry in the [registry](super::registry).
#[cfg(feature = "ssr")]
pub(super) const WIDGET: Widget = Widget {
    name: "trend",
    label: "Trend",
    title: |words| words.trend,
    height: 240,
    whole_height: "w=>240",
    view: || TrendWidget().into_any(),
    picture: Some(picture::draw),
};

/// Texts of the island, by name.
#[cfg(feature = "ssr")]
const WORDS: &[Word] = &[
    Word::AsOf,
    Word::AsOfDate,
    Word::Both,
    Word::Live,
    Word::NothingYet,
    Word::Reconnecting,
    Word::Report,
    Word::Spirit,
    Word::Water,
];

/// The island: the number of reports in the period, and their distribution over time.
#[island(lazy)]
pub fn TrendBoard() -> impl IntoView {
    let initial = InitialState::get();
    let state = TrendState::get(&initial);
    let wording = Wording::new(&initial.words);
    let live = use_live(&initial);
    let types = initial.types;
    let is_unlabelled = initial.label.is_empty();
    let chart = NodeRef::<Div>::new();
    let is_on_screen = Var::new(true);
    effect(move |_| {
        if let Some(chart) = chart.get() {
            use_on_screen(&chart, move |is| is_on_screen.set(is));
        }
    });
    let series = use_series(live, is_on_screen, &state);
    // Index of the bar under the pointer.
    let pointed = Var::new(None);
    let is_rtl = wording.words().lang.direction() == "rtl";
    let point = move |event: PointerEvent| {
        let width = chart.get_untracked().map_or(0, |chart| chart.client_width()).max(1);
        let x = event.offset_x();
        let of = series.get_untracked().points.len();
        let x = if is_rtl { width - x } else { x };
        let place = f64::from(x.clamp(0, width - 1)) / f64::from(width) * of as f64;
        pointed.set(Some(place as usize));
    };

    let total = move || sum(&series.get(), types);
    let noun = move || wording.words().form(Word::Report, total()).to_owned();
    let legend: Vec<_> = types
        .each()
        .map(|kind| {
            let count = move || Some(series.get().points.iter().map(|point| point.of(kind)).sum());
            type_count(kind, wording, count)
        })
        .collect();
    let heading = initial.heading.clone();
    let summary = move || {
        let series = series.get();
        let (from, to) = (dates::first(&series, wording), dates::last(&series, wording));
        let reports = wording.counted(Word::Report, sum(&series, types));
        [&heading, ", ", &from, " – ", &to, ": ", &reports].concat()
    };
    let said = move |place: usize| {
        let series = series.get();
        let point = series.points.get(place);
        point.map_or_else(String::new, |point| {
            let date = dates::of_point(point, series.interval, wording);
            [&date, ": ", &wording.counted(Word::Report, point.sum(types))].concat()
        })
    };
    let points = move || {
        let places = 0..series.get().points.len();
        places.map(|place| view! { <li>{said(place)}</li> }).collect_view()
    };
    let ends = move || match (pointed.get(), wording.is_localised()) {
        (Some(_), _) => "ends said pointing".to_owned(),
        (None, true) => "ends said".to_owned(),
        (None, false) => "ends".to_owned(),
    };
    let top = move || scale(&series.get().points, types);
    view! {
        <h1 class="unseen">{initial.heading.clone()}</h1>
        <header class="pulse" data-state=text(move || live.state.get().as_str().to_owned())>
            <p class="total">
                <bdi class="label" hidden=is_unlabelled>
                    {initial.label.clone()}
                </bdi>
                <b>{text(move || wording.number(total()))}</b>
                " "
                <span>{text(noun)}</span>
            </p>
            <ul class="legend">{legend}</ul>
            <Status live=live wording=wording />
        </header>
        <p class="scale" aria-hidden="true">
            {text(move || wording.number(top()))}
        </p>
        <div
            class="chart"
            node_ref=chart
            on:pointermove:capture=point
            on:pointerdown:capture=point
            on:pointerleave:capture=move |_: PointerEvent| pointed.set(None)
        >
            <svg
                viewBox=VIEW_BOX
                preserveAspectRatio="none"
                role="img"
                aria-label=text(summary)
            >
                {band(series, pointed)}
                {types.each().map(|kind| path(series, types, kind)).collect_view()}
            </svg>
        </div>
        <p class=text(ends) aria-hidden="true">
            <bdi>{text(move || dates::first(&series.get(), wording))}</bdi>
            <bdi class="pointed">{text(move || pointed.get().map_or_else(String::new, said))}</bdi>
            <bdi>{text(move || dates::last(&series.get(), wording))}</bdi>
        </p>
        <ol class="unseen" aria-label=initial.heading.clone()>
            {points}
        </ol>
        <Printed live=live wording=wording />
        <p class="nothing" hidden=flag(move || live.count(types) > 0)>
            {wording.text(Word::NothingYet)}
        </p>
    }
}

fn sum(series: &Series, types: Types) -> u64 {
    series.points.iter().map(|point| point.sum(types)).sum()
}

/// Path of the segments of one type.
fn path(series: Var<Series>, types: Types, kind: ReportType) -> impl IntoView {
    let bars = move || {
        let points = series.get().points;
        bars(&points, types, kind, scale(&points, types))
    };
    view! { <path class=kind.as_str() d=text(bars)></path> }
}

/// Background of the bar under the pointer.
fn band(series: Var<Series>, pointed: Var<Option<usize>>) -> impl IntoView {
    let slot = move || match pointed.get() {
        Some(place) => slot(place, series.get().points.len()),
        None => (0, 0),
    };
    view! {
        <rect
            class="band"
            height=plain(HEIGHT)
            x=text(move || plain(slot().0))
            width=text(move || plain(slot().1))
        ></rect>
    }
}
