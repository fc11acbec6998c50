use super::dom;
use crate::{live::State, words::Words};
use web_sys::Element;

/// Where its words stand in a widget's list: before all others.
const LIVE: usize = 0;
const RECONNECTING: usize = 1;

/// The line of a widget that says how many reports there are, and whether the number is alive.
pub(super) struct Pulse(Element);

impl Pulse {
    pub(super) fn find() -> Option<Self> {
        dom::find(".pulse").map(Self)
    }

    pub(super) fn tell(&self, state: State, words: &Words) {
        _ = self.0.set_attribute("data-state", state.as_str());
        let word = match state {
            State::Waiting => return,
            State::Live => LIVE,
            State::Reconnecting => RECONNECTING,
        };
        self.write(".status", words.text(word));
    }

    /// Writes a text in it; returns whether it was another before.
    pub(super) fn write(&self, selector: &str, text: &str) -> bool {
        dom::write(&self.0, selector, text)
    }
}
