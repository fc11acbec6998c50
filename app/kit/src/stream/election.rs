//! Election of the leader, and the messages on the channel.
//!
//! A page that detects no leader announces itself as the leader. If two pages do so at once, the
//! one whose id sorts first remains, as soon as they receive each other's messages. A leader
//! announces when it leaves. If it cannot, the browser's lock, for which all pages wait, passes to
//! the next page at once. Without locks, as on pages without TLS, the other pages notice the
//! silence.

use super::{SILENCE, Stream};
use crate::stream::{State, lock, views::StreamViews};
use js_sys::Math;
use wasm_bindgen::JsValue;

/// Name of the channel and the lock, for services that have a host to themselves. It changes with
/// the format of the messages.
pub(super) const CHANNEL: &str = "svc live 1";

/// Time for all pages to announce their views before a stream is opened, in milliseconds.
const ROLL_CALL: i32 = 100;
/// Timeout for a response of the leader, in milliseconds. It is long enough for a busy page, and
/// random for each page, so that they do not all take over. Pages with locks don't wait.
const ANSWER: std::ops::Range<i32> = 300..900;
/// Time without messages before a page takes over, in milliseconds. Longer than the leader needs to
/// announce that its stream is silent.
const SILENCE_TIMEOUT: std::ops::Range<i32> = SILENCE + 5_000..SILENCE + 10_000;

/// A message on the channel. In its text form, the first character is the kind.
pub(super) enum Message<'a> {
    /// This page shows this view; the leader should respond.
    Show(&'a str),
    /// The page with this id leads; the others should announce their views.
    Lead(&'a str),
    /// The leader leaves.
    Leave,
    /// From the leader: data of some view, as received.
    Data(&'a str),
    /// From the leader, with its id: the latest data are up to date.
    Good(&'a str),
    /// From the leader, with its id: newer data could not be read, so the latest data are the last
    /// known.
    Bad(&'a str),
}

impl<'a> Message<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (kind, rest) = text.split_at_checked(1)?;
        Some(match kind {
            "?" => Self::Show(rest),
            "!" => Self::Lead(rest),
            "-" => Self::Leave,
            "{" => Self::Data(text),
            "." => Self::Good(rest),
            "x" => Self::Bad(rest),
            _ => return None,
        })
    }

    fn text(&self) -> String {
        match self {
            Self::Show(view) => ["?", view].concat(),
            Self::Lead(id) => ["!", id].concat(),
            Self::Leave => "-".to_owned(),
            Self::Data(data) => (*data).to_owned(),
            Self::Good(id) => [".", id].concat(),
            Self::Bad(id) => ["x", id].concat(),
        }
    }
}

impl Stream {
    /// Takes part: looks for a leader, and requests the lock.
    pub(super) fn look_for_leader(&self) {
        if self.channel.borrow().is_none() {
            return self.lead();
        }
        self.ask_who_leads();
        if self.release.borrow().is_none() && !self.is_queued.replace(true) {
            let callbacks = &self.callbacks;
            lock::request(&self.channel_name, &callbacks.lock_granted, &callbacks.lock_refused);
        }
    }

    fn ask_who_leads(&self) {
        self.is_led.set(false);
        self.broadcast(Message::Show(&self.view));
        self.wait_within(ANSWER);
    }

    pub(super) fn lead(&self) {
        self.is_leading.set(true);
        self.wanted.replace(StreamViews::only(&self.view));
        if self.channel.borrow().is_none() {
            return self.connect();
        }
        self.broadcast(Message::Lead(&self.id));
        self.is_gathering.set(true);
        self.wait(ROLL_CALL);
    }

    /// Stops leading, and releases the lock.
    pub(super) fn resign(&self) {
        self.is_gathering.set(false);
        if self.is_leading.replace(false) {
            self.broadcast(Message::Leave);
        }
        if let Some(release) = self.release.take() {
            _ = release.call0(&JsValue::UNDEFINED);
        }
    }

    /// Handles the granted lock: its previous holder is gone. The page holds the lock until the
    /// returned promise is settled.
    pub(super) fn on_lock_granted(&self, _: JsValue) -> JsValue {
        self.is_queued.set(false);
        if self.is_hidden() {
            return JsValue::UNDEFINED;
        }
        let (held, release) = lock::guard();
        self.release.replace(release);
        if !self.is_leading.get() {
            self.lead();
        }
        held
    }

    pub(super) fn on_channel_message(&self, text: &str) {
        let Some(message) = Message::parse(text).filter(|_| !self.is_hidden()) else { return };
        if self.is_leading.get() {
            match message {
                Message::Show(view) => self.serve(view),
                Message::Lead(id) | Message::Good(id) | Message::Bad(id) => self.yield_to(id),
                Message::Leave | Message::Data(_) => {}
            }
            return;
        }
        match message {
            Message::Show(_) => return,
            Message::Leave => return self.ask_who_leads(),
            Message::Lead(_) => self.broadcast(Message::Show(&self.view)),
            Message::Data(data) => self.accept(data),
            Message::Good(_) => self.accept_sign(true),
            Message::Bad(_) => self.accept_sign(false),
        }
        // A page that has a leader but receives no data must not wait forever.
        if !self.is_led.replace(true) || self.is_served.get() {
            self.wait_within(SILENCE_TIMEOUT);
        }
    }

    /// Sends another page the last data of its view, or opens a stream that includes the view.
    fn serve(&self, view: &str) {
        let is_missing = self.wanted.borrow_mut().add(view);
        let last = self.wanted.borrow().last(view).unwrap_or_default().to_owned();
        if !last.is_empty() {
            self.broadcast(Message::Data(&last));
        }
        self.broadcast_sign();
        if is_missing && !self.is_gathering.get() {
            // Opening again also drops the views of pages that left without a message.
            self.lead();
            self.wanted.borrow_mut().add(view);
        }
    }

    /// Handles another page's claim to lead.
    fn yield_to(&self, id: &str) {
        if id < &*self.id {
            self.disconnect();
            self.is_gathering.set(false);
            self.is_leading.set(false);
            self.ask_who_leads();
        } else {
            self.broadcast(Message::Lead(&self.id));
        }
    }

    pub(super) fn broadcast(&self, message: Message) {
        if let Some(channel) = &*self.channel.borrow() {
            _ = channel.post_message(&JsValue::from_str(&message.text()));
        }
    }

    pub(super) fn broadcast_sign(&self) {
        self.broadcast(match self.state.get() {
            State::Reconnecting => Message::Bad(&self.id),
            State::Waiting | State::Live => Message::Good(&self.id),
        });
    }

    /// Stops sharing a stream with other pages.
    pub(super) fn leave_channel(&self) {
        if let Some(channel) = self.channel.take() {
            channel.close();
        }
    }

    fn wait_within(&self, times: std::ops::Range<i32>) {
        let length = f64::from(times.end - times.start);
        self.wait(times.start + (length * Math::random()) as i32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood() {
        for text in ["?country=BR", "?", "!0.5", "-", "{\"view\":\"\"}", ".0.5", "x0.5"] {
            assert_eq!(Message::parse(text).unwrap().text(), text);
        }
        for text in ["", "é", "metrics{}"] {
            assert!(Message::parse(text).is_none(), "{text}");
        }
    }
}
