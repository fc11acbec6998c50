//! Who leads, and what is said on the channel.

use super::{Calls, ERROR, EVENTS, Role, SILENCE, Stream};
use crate::live::{State, lock};
use wasm_bindgen::JsValue;

/// On the channel: whoever leads is to say what it knows. Everything else there is the name of an
/// event with its data right behind it.
pub(super) const ASK: &str = "?";

impl Stream {
    /// Begins, or goes on, as it becomes one who is looked at, or is not.
    pub(super) fn look(&self) {
        self.failures.set(0);
        self.asked.set(false);
        if self.hidden() {
            self.close();
            if self.role.get() == Role::Leading {
                self.step_down();
            }
        } else if self.is_own_master() {
            self.open();
        } else {
            self.say_on_channel(ASK);
            self.wait(SILENCE);
            if !self.queued.replace(true) {
                self.ask_for_lock(false);
            }
        }
    }

    pub(super) fn is_own_master(&self) -> bool {
        matches!(self.role.get(), Role::Leading | Role::Alone)
    }

    pub(super) fn ask_for_lock(&self, steal: bool) {
        if let Some(Calls { lead, refused, .. }) = self.calls.get()
            && lock::request(&self.url, steal, lead, refused).is_err()
        {
            self.refused(JsValue::UNDEFINED);
        }
    }

    /// The lock is ours, until what is returned here is settled.
    pub(super) fn lead(&self, _: JsValue) -> JsValue {
        // A lock that was taken leaves the request for it in the queue.
        self.queued.set(self.stealing.take());
        if self.hidden() {
            self.role.set(Role::Following);
            return JsValue::UNDEFINED;
        }
        self.role.set(Role::Leading);
        let (held, release) = lock::hold();
        self.release.replace(release);
        self.open();
        held
    }

    fn step_down(&self) {
        self.role.set(Role::Following);
        if let Some(release) = self.release.take() {
            _ = release.call0(&JsValue::UNDEFINED);
        }
    }

    /// There are no locks (a page of an opaque origin or without TLS), or another has taken ours,
    /// because it has heard nothing from here.
    pub(super) fn refused(&self, _: JsValue) -> JsValue {
        self.close();
        if self.role.get() == Role::Asking {
            self.role.set(Role::Alone);
        } else {
            self.step_down();
        }
        self.look();
        JsValue::UNDEFINED
    }

    pub(super) fn overhear(&self, text: &str) {
        if text == ASK {
            if self.role.get() == Role::Leading {
                self.answer();
            }
        } else if !self.is_own_master() && !self.hidden() {
            self.asked.set(false);
            self.deaf.set(false);
            for name in EVENTS {
                if let Some(data) = text.strip_prefix(name) {
                    self.take(name, data);
                }
            }
        }
    }

    /// What is known here, for those who have just come.
    fn answer(&self) {
        match self.state.get() {
            State::Waiting => {}
            State::Live => {
                for text in self.last.borrow().iter() {
                    self.say_on_channel(text);
                }
            }
            State::Reconnecting => self.say_on_channel(ERROR),
        }
    }

    pub(super) fn say_on_channel(&self, text: &str) {
        if let Some(channel) = &self.channel {
            _ = channel.post_message(&JsValue::from_str(text));
        }
    }
}
