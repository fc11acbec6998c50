use super::{
    counts::Counter::{self, *},
    shown::Shown,
};
use crate::{
    live::State,
    words::{EN, Noun, Words},
};
use leptos::prelude::*;

/// The island: the four counters, where they come from, and whether they are alive.
///
/// It has no properties, because theirs would bring a JSON reader into the wasm: the page holds
/// the first values, and the browser has a reader of its own.
#[island(lazy)]
pub fn MetricsBoard() -> impl IntoView {
    let (shown, time) = Shown::start();
    let words = &EN;
    view! {
        <dl>
            {counter(shown, words, "total", words.total, Total, TotalToday)}
            {counter(shown, words, "spirit", words.spirit, Spirit, SpiritToday)}
            {counter(shown, words, "water", words.water, Water, WaterToday)}
            {counter(shown, words, "both", words.both, Both, BothToday)}
        </dl>
        <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
            {share(shown, "spirit", 0)}
            {share(shown, "water", 1)}
            {share(shown, "both", 2)}
        </svg>
        <div class="pulse" data-state=move || shown.state.get().as_str()>
            <p role="status">{text(move || status(words, shown.state.get(), &time))}</p>
            <p class="places">
                {place(shown, Countries, &words.country)}
                " "
                {place(shown, Cities, &words.city)}
            </p>
        </div>
    }
}

/// One type for every text that changes, so that the code that keeps a text current is there once.
///
/// A number and the words after it are one text: words of their own would be pushed aside, and be
/// a layout shift, whenever the number gets longer.
type Text = Box<dyn FnMut() -> String + Send>;

fn text(text: impl FnMut() -> String + Send + 'static) -> Text {
    Box::new(text)
}

fn counter(
    shown: Shown,
    words: &'static Words,
    name: &'static str,
    label: &'static str,
    all: Counter,
    today: Counter,
) -> impl IntoView {
    view! {
        <div class=name>
            <dt>
                <svg aria-hidden="true">
                    <use href=format!("#{name}") />
                </svg>
                {label}
            </dt>
            <dd class="number">{text(move || shown.number(all))}</dd>
            <dd class="today">
                <bdi>
                    {text(move || "+".to_owned() + &shown.number(today) + " " + words.today)}
                </bdi>
            </dd>
        </div>
    }
}

/// The part that one type has in the total.
fn share(shown: Shown, name: &'static str, index: usize) -> impl IntoView {
    let share = move || shown.counts.get().shares()[index];
    view! {
        <rect
            class=name
            height="10"
            x=text(move || crate::number::plain(share().0))
            width=text(move || crate::number::plain(share().1))
        ></rect>
    }
}

fn place(shown: Shown, counter: Counter, noun: &'static Noun) -> impl IntoView {
    view! {
        <bdi>
            {text(move || shown.number(counter) + " " + noun.form(shown.count(counter)))}
        </bdi>
    }
}

fn status(words: &Words, state: State, time: &str) -> String {
    match state {
        State::Waiting => words.as_of.to_owned() + " " + time + " UTC",
        State::Live => words.live.to_owned(),
        State::Reconnecting => words.reconnecting.to_owned(),
    }
}
