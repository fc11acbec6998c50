//! The metrics widget: four counters, live.
//!
//! [`MetricsBoard`] is rendered twice from one view: by the server with the counters of the page,
//! and by the browser over signals. [`roll`] animates the digits that change, and [`spark`] draws
//! the last days under the total.

#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
mod picture;
mod roll;
#[cfg(feature = "ssr")]
mod spark;
pub(crate) mod words;

#[cfg(feature = "ssr")]
pub(super) use document::WIDGET;

use self::{
    roll::rolled,
    words::{TODAY, TOTAL},
};
use crate::{
    contract::page_state::{InitialState, Scope},
    widgets::{
        connection_status::Printed,
        header::header,
        live::{Live, use_live},
    },
    words::{
        Word, Wording,
        common::{CITY, COUNTRY, NOTHING_YET},
        name_of,
    },
};
use kit::{
    number::plain,
    signals::{flag, text},
};
use leptos::prelude::*;
use model::{Metrics, ReportType, Types};

/// The island: the counters, the number of places, and the connection status.
#[component]
pub fn MetricsBoard() -> impl IntoView {
    let initial = InitialState::get();
    let wording = Wording::new(&initial.words);
    let live = use_live(&initial);
    let types = initial.types;
    let kinds: Vec<ReportType> = types.each().collect();
    // A single type needs no separate total.
    let is_single = kinds.len() == 1;
    let is_without_today = initial.is_without_today;
    let counter = |class: &str, glyph: &str, label, count| {
        counter(live, wording, class, glyph, label, count, is_without_today)
    };
    let mut counters = Vec::new();
    if !is_single {
        counters.push(counter("total", "total", wording.text(TOTAL), Count::Total(types)));
    }
    for kind in &kinds {
        let (name, label) = (kind.as_str(), wording.text(name_of(*kind)));
        let class = [if is_single { "total " } else { "" }, name].concat();
        counters.push(counter(&class, name, label, Count::Of(*kind)));
    }
    let shares: Vec<_> = kinds.iter().map(|kind| share(live, types, *kind)).collect();
    // Places are counted for all types, so they are left out if only some types are shown.
    let mut places: Vec<Places> = Vec::new();
    if types.is_all() && initial.scope == Scope::World {
        places.push((|metrics| metrics.countries, COUNTRY));
    }
    if types.is_all() && initial.scope != Scope::City {
        places.push((|metrics| metrics.cities, CITY));
    }
    // One text, because a separate text after a number that grows would be pushed aside.
    let places = move || {
        let metrics = live.metrics.read();
        let counted = |(count, noun): &Places| wording.counted(*noun, count(&metrics));
        places.iter().map(counted).collect::<Vec<_>>().join(" · ")
    };
    let places = view! { <p class="places">{text(places)}</p> };
    view! {
        {header(live, wording, initial.title(), places, ())}
        <dl>{counters}</dl>
        <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
            {shares}
        </svg>
        <Printed live=live wording=wording />
        <p class="nothing" hidden=flag(move || live.count(types) > 0)>
            {wording.text(NOTHING_YET)}
        </p>
    }
}

kit::own_module!(metrics, MetricsBoard);

/// A number of places, and its noun.
type Places = (fn(&Metrics) -> u64, Word);

/// Value of a counter.
#[derive(Clone, Copy)]
enum Count {
    /// Sum of these types.
    Total(Types),
    /// Count of one type.
    Of(ReportType),
}

impl Count {
    fn so_far(self, metrics: &Metrics) -> u64 {
        match self {
            Self::Total(types) => types.sum(|kind| metrics.of(kind)),
            Self::Of(kind) => metrics.of(kind),
        }
    }

    fn today(self, metrics: &Metrics) -> u64 {
        match self {
            Self::Total(types) => types.sum(|kind| metrics.today_of(kind)),
            Self::Of(kind) => metrics.today_of(kind),
        }
    }
}

/// One counter: glyph and label, number, today's number.
///
/// A number and the words after it are one text. Separate elements would be pushed aside when the
/// number gets longer, which is a layout shift.
fn counter(
    live: Live,
    wording: Wording,
    class: &str,
    glyph: &str,
    label: String,
    count: Count,
    is_without_today: bool,
) -> impl IntoView + use<> {
    let mut last = None;
    let so_far = move || {
        let count = count.so_far(&live.metrics.read());
        let next = (count, wording.number(count));
        let html = rolled(last.as_ref().unwrap_or(&next), &next);
        last = Some(next);
        html
    };
    let today = move || match count.today(&live.metrics.read()) {
        0 => String::new(),
        today => ["+", &wording.number(today), " ", &wording.text(TODAY)].concat(),
    };
    view! {
        <div class=class.to_owned()>
            <dt>
                <svg aria-hidden="true">
                    <use href=["#", glyph].concat() />
                </svg>
                <span>{label}</span>
            </dt>
            <dd class="number" inner_html=text(so_far)></dd>
            <dd class="today" hidden=is_without_today>
                <bdi>{text(today)}</bdi>
            </dd>
        </div>
    }
}

/// Share of one type in the total.
fn share(live: Live, types: Types, kind: ReportType) -> impl IntoView {
    let share = move || thousandths(&live.metrics.read(), types, kind);
    view! {
        <rect
            class=kind.as_str()
            height="10"
            x=text(move || plain(share().0))
            width=text(move || plain(share().1))
        ></rect>
    }
}

/// Start and length of a type's part of the bar, in thousandths. Together the parts fill the bar.
fn thousandths(metrics: &Metrics, types: Types, kind: ReportType) -> (u64, u64) {
    let total = types.sum(|kind| metrics.of(kind)).max(1);
    let before: u64 =
        types.each().take_while(|one| *one != kind).map(|kind| metrics.of(kind)).sum();
    let end = |sum: u64| (sum as f64 / total as f64 * 1_000.0) as u64;
    (end(before), end(before + metrics.of(kind)) - end(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(metrics: &Metrics, types: Types) -> Vec<(u64, u64)> {
        types.each().map(|kind| thousandths(metrics, types, kind)).collect()
    }

    #[test]
    fn shares_fill_the_whole() {
        let metrics = Metrics { spirit: 1, water: 1, both: 1, ..Metrics::default() };
        assert_eq!(shares(&metrics, Types::default()), [(0, 333), (333, 333), (666, 334)]);
        let some = Types::of([ReportType::Spirit, ReportType::Both]);
        assert_eq!(shares(&metrics, some), [(0, 500), (500, 500)]);
        assert_eq!(shares(&Metrics::default(), Types::default()), [(0, 0), (0, 0), (0, 0)]);
    }

    #[test]
    fn totals_are_of_the_types_that_are_shown() {
        let metrics = Metrics {
            spirit: 10,
            water: 20,
            both: 30,
            both_today: 3,
            spirit_today: 1,
            ..Metrics::default()
        };
        let some = Count::Total(Types::of([ReportType::Spirit, ReportType::Both]));
        assert_eq!((some.so_far(&metrics), some.today(&metrics)), (40, 4));
    }
}
