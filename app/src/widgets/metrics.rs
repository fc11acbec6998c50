//! The metrics widget: four counters, live.
//!
//! [`MetricsBoard`] is rendered twice from one view: by the server with the counters of the page,
//! and by the browser over signals. [`roll`] animates the numbers.

#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
mod picture;
mod roll;

use self::roll::use_roll;
use crate::{
    contract::page_state::{InitialState, Scope},
    widgets::{
        connection_status::{Printed, Status},
        live::use_live,
    },
    words::{Word, Wording},
};
use kit::{
    number::plain,
    signals::{Var, text},
};
use leptos::prelude::*;
use model::{Metrics, ReportType, Types};
#[cfg(feature = "ssr")]
use {super::registry::Widget, document::MetricsWidget};

/// The widget's entry in the [registry](super::registry).
#[cfg(feature = "ssr")]
pub(super) const WIDGET: Widget = Widget {
    name: "metrics",
    label: "Counters",
    title: |words| words.metrics,
    height: 120,
    whole_height: "w=>w<200?102:w<420?120:w<640?110:w<880?96:100",
    view: || MetricsWidget().into_any(),
    picture: Some(picture::draw),
};

/// Texts of the island, by name.
#[cfg(feature = "ssr")]
const WORDS: &[Word] = &[
    Word::AsOf,
    Word::AsOfDate,
    Word::Both,
    Word::City,
    Word::Country,
    Word::Live,
    Word::NothingYet,
    Word::Reconnecting,
    Word::Spirit,
    Word::Today,
    Word::Total,
    Word::Water,
];

/// The island: the counters, the number of places, and the connection status.
#[island(lazy)]
pub fn MetricsBoard() -> impl IntoView {
    let initial = InitialState::get();
    let wording = Wording::new(&initial.words);
    let live = use_live(&initial);
    let shown = use_roll(live.metrics);
    let types = initial.types;
    let is_unlabelled = initial.label.is_empty();
    let kinds: Vec<ReportType> = types.each().collect();
    // A single type needs no separate total.
    let is_single = kinds.len() == 1;
    let is_without_today = initial.is_without_today;
    let counter = |class: &str, glyph: &str, label, count| {
        counter(shown, wording, class, glyph, label, count, is_without_today)
    };
    let mut counters = Vec::new();
    if !is_single {
        let label = if initial.label.is_empty() {
            wording.text(Word::Total)
        } else {
            initial.label.clone()
        };
        counters.push(counter("total", "total", label, Count::Total(types)));
    }
    for kind in &kinds {
        let (name, label) = (kind.as_str(), wording.text(Word::of(*kind)));
        let label = match is_single && !initial.label.is_empty() {
            true => [&label, " · ", &initial.label].concat(),
            false => label,
        };
        let class = [if is_single { "total " } else { "" }, name].concat();
        counters.push(counter(&class, name, label, Count::Of(*kind)));
    }
    let shares: Vec<_> = kinds.iter().map(|kind| share(shown, types, *kind)).collect();
    // Places are counted for all types, so they are left out if only some types are shown.
    let mut places = Vec::new();
    if types.is_all() && initial.scope == Scope::World {
        places.push(place(shown, wording, |metrics| metrics.countries, Word::Country));
    }
    if types.is_all() && initial.scope != Scope::City {
        places.push(place(shown, wording, |metrics| metrics.cities, Word::City));
    }
    let board = move || if live.count(types) == 0 { "board empty" } else { "board" }.to_owned();
    view! {
        <h1 class="unseen">{initial.heading.clone()}</h1>
        <div class=text(board)>
            <dl>{counters}</dl>
            <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                {shares}
            </svg>
            <div class="pulse" data-state=text(move || live.state.get().as_str().to_owned())>
                <Status live=live wording=wording />
                <p class="places">{places}</p>
            </div>
            <p class="nothing">
                <b hidden=is_unlabelled>{initial.label.clone()}</b>
                " "
                {wording.text(Word::NothingYet)}
            </p>
        </div>
        <Printed live=live wording=wording />
    }
}

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
    shown: Var<Metrics>,
    wording: Wording,
    class: &str,
    glyph: &str,
    label: String,
    count: Count,
    is_without_today: bool,
) -> impl IntoView + use<> {
    let so_far = move || wording.number(count.so_far(&shown.get()));
    let today = move || {
        ["+", &wording.number(count.today(&shown.get())), " ", &wording.text(Word::Today)].concat()
    };
    view! {
        <div class=class.to_owned()>
            <dt>
                <svg aria-hidden="true">
                    <use href=["#", glyph].concat() />
                </svg>
                <span>{label}</span>
            </dt>
            <dd class="number">{text(so_far)}</dd>
            <dd class="today" hidden=is_without_today>
                <bdi>{text(today)}</bdi>
            </dd>
        </div>
    }
}

/// Share of one type in the total.
fn share(shown: Var<Metrics>, types: Types, kind: ReportType) -> impl IntoView {
    let share = move || thousandths(&shown.get(), types, kind);
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

fn place(
    shown: Var<Metrics>,
    wording: Wording,
    count: fn(&Metrics) -> u64,
    noun: Word,
) -> impl IntoView {
    view! {
        <bdi>{text(move || wording.counted(noun, count(&shown.get())))}</bdi>
        " "
    }
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
