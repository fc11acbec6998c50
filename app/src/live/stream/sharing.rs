//! Who leads, and what is said on the channel.

use super::{ERROR, EVENTS, Role, SILENCE, Stream};
use crate::live::{State, lock};
use wasm_bindgen::JsValue;

/// On the channel: the leader is to repeat what it knows. Everything else there is the name of an
/// event followed by its data.
pub(super) const PROBE: &str = "?";

impl Stream {
    /// Begins, or goes on, according to whether anybody looks at the page.
    pub(super) fn adapt_to_visibility(&self) {
        self.failures.set(0);
        self.probed.set(false);
        if self.is_hidden() {
            self.disconnect();
            if self.role.get() == Role::Leading {
                self.step_down();
            }
        } else if self.has_own_source() {
            self.connect();
        } else {
            self.broadcast(PROBE);
            self.wait(SILENCE);
            if !self.queued.replace(true) {
                self.request_lock(false);
            }
        }
    }

    pub(super) fn has_own_source(&self) -> bool {
        matches!(self.role.get(), Role::Leading | Role::Alone)
    }

    pub(super) fn request_lock(&self, steal: bool) {
        let callbacks = &self.callbacks;
        let (granted, refused) = (&callbacks.lock_granted, &callbacks.lock_refused);
        if lock::request(&self.url, steal, granted, refused).is_err() {
            self.on_lock_refused(JsValue::UNDEFINED);
        }
    }

    /// The lock is ours, until what is returned here is settled.
    pub(super) fn on_lock_granted(&self, _: JsValue) -> JsValue {
        // A lock that was taken leaves the request for it in the queue.
        self.queued.set(self.stealing.take());
        if self.is_hidden() {
            self.role.set(Role::Following);
            return JsValue::UNDEFINED;
        }
        self.role.set(Role::Leading);
        let (held, release) = lock::guard();
        self.release.replace(release);
        self.connect();
        held
    }

    pub(super) fn step_down(&self) {
        self.role.set(Role::Following);
        if let Some(release) = self.release.take() {
            _ = release.call0(&JsValue::UNDEFINED);
        }
    }

    /// There are no locks (a page of an opaque origin or without TLS), or another has taken ours,
    /// because it has heard nothing from here.
    pub(super) fn on_lock_refused(&self, _: JsValue) -> JsValue {
        self.disconnect();
        if self.role.get() == Role::Undecided {
            self.role.set(Role::Alone);
        } else {
            self.step_down();
        }
        self.adapt_to_visibility();
        JsValue::UNDEFINED
    }

    pub(super) fn on_channel_message(&self, text: &str) {
        if text == PROBE {
            if self.role.get() == Role::Leading {
                self.repeat();
            }
        } else if !self.has_own_source() && !self.is_hidden() {
            self.probed.set(false);
            self.unheard.set(false);
            for name in EVENTS {
                if let Some(data) = text.strip_prefix(name) {
                    self.accept(name, data);
                }
            }
        }
    }

    /// What is known here, for those who have just come.
    fn repeat(&self) {
        match self.state.get() {
            State::Waiting => {}
            State::Live => {
                for text in self.last.borrow().iter() {
                    self.broadcast(text);
                }
            }
            State::Reconnecting => self.broadcast(ERROR),
        }
    }

    pub(super) fn broadcast(&self, text: &str) {
        if let Some(channel) = &self.channel {
            _ = channel.post_message(&JsValue::from_str(text));
        }
    }
}
