//! What the board shows at this moment.

#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "hydrate")]
mod roll;
#[cfg(not(feature = "hydrate"))]
mod server;

#[cfg(feature = "hydrate")]
use browser as platform;
#[cfg(not(feature = "hydrate"))]
use server as platform;

use super::counts::{Counter, Counts};
use crate::{
    live::State,
    number::{localised, neutral},
    words::Words,
};
use leptos::prelude::*;

/// The values behind the board. Still on the server; moved by the stream in the browser.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) counts: RwSignal<Counts>,
    pub(super) state: RwSignal<State>,
    /// Whether numbers are written in the visitor's way. Not at first: the browser's first render
    /// has to be the server's to the letter.
    localised: RwSignal<bool>,
}

impl Shown {
    /// Starts from the first values, which are the server's own in the browser too. With them come
    /// the words, and the time (`HH:MM`, UTC) that the values are from.
    pub(super) fn start() -> (Self, Words, String) {
        let first = platform::first();
        let shown = Self {
            counts: RwSignal::new(first.counts),
            state: RwSignal::new(State::default()),
            localised: RwSignal::new(false),
        };
        platform::follow(shown, first.source);
        (shown, first.words, first.time)
    }

    pub(super) fn count(&self, counter: Counter) -> u64 {
        self.counts.get().get(counter)
    }

    /// The count, written for reading.
    pub(super) fn number(&self, counter: Counter, words: &Words) -> String {
        let write = if self.localised.get() { localised } else { neutral };
        write(self.count(counter), words.lang)
    }
}

/// What a board starts from.
struct First {
    counts: Counts,
    words: Words,
    time: String,
    source: platform::Source,
}
