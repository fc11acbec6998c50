use super::{
    counts::Counter::{self, *},
    shown::Shown,
    word,
};
use crate::{live::State, words::Words};
use leptos::prelude::*;
use std::sync::Arc;

/// The island: the four counters, where they come from, and whether they are alive.
///
/// It has no properties, because theirs would bring a JSON reader into the wasm: the page holds
/// the first values, and the browser has a reader of its own.
#[island(lazy)]
pub fn MetricsBoard() -> impl IntoView {
    let (shown, words, time) = Shown::start();
    let words = Arc::new(words);
    let said = words.clone();
    view! {
        <dl>
            {counter(shown, &words, "total", word::TOTAL, Total, TotalToday)}
            {counter(shown, &words, "spirit", word::SPIRIT, Spirit, SpiritToday)}
            {counter(shown, &words, "water", word::WATER, Water, WaterToday)}
            {counter(shown, &words, "both", word::BOTH, Both, BothToday)}
        </dl>
        <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
            {share(shown, "spirit", 0)}
            {share(shown, "water", 1)}
            {share(shown, "both", 2)}
        </svg>
        <div class="pulse" data-state=move || shown.state.get().as_str()>
            <p role="status">{text(move || status(&said, shown.state.get(), &time))}</p>
            <p class="places">
                {place(shown, &words, Countries, word::COUNTRY)}
                " "
                {place(shown, &words, Cities, word::CITY)}
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
    words: &Arc<Words>,
    name: &'static str,
    label: usize,
    all: Counter,
    today: Counter,
) -> impl IntoView + use<> {
    let (label, words) = (words.text(label).to_owned(), words.clone());
    let number = words.clone();
    view! {
        <div class=name>
            <dt>
                <svg aria-hidden="true">
                    <use href=format!("#{name}") />
                </svg>
                {label}
            </dt>
            <dd class="number">{text(move || shown.number(all, &number))}</dd>
            <dd class="today">
                <bdi>
                    {text(move || {
                        "+".to_owned() + &shown.number(today, &words) + " " + words.text(word::TODAY)
                    })}
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

fn place(shown: Shown, words: &Arc<Words>, counter: Counter, noun: usize) -> impl IntoView + use<> {
    let words = words.clone();
    view! {
        <bdi>
            {text(move || {
                shown.number(counter, &words) + " " + words.noun(noun, shown.count(counter))
            })}
        </bdi>
    }
}

fn status(words: &Words, state: State, time: &str) -> String {
    match state {
        State::Waiting => words.text(word::AS_OF).to_owned() + " " + time + " UTC",
        State::Live => words.text(word::LIVE).to_owned(),
        State::Reconnecting => words.text(word::RECONNECTING).to_owned(),
    }
}
