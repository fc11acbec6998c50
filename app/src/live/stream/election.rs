//! Who leads, and what is said on the channel.
//!
//! Who sees that nobody leads says that it does. If two say so at a time, the one whose id sorts
//! first goes on, as soon as they hear of each other. Whoever leads says when it leaves; the browser's
//! lock, which all wait for, tells the next at once when it could not say so any more. Without locks,
//! as on pages without TLS, the others notice that they hear nothing.

use super::{SILENCE, Stream};
use crate::live::{State, lock, stream::wanted::Wanted};
use js_sys::Math;
use wasm_bindgen::JsValue;

/// The name of channel and lock, for services that have a host for themselves. It changes with what
/// is said there.
pub(super) const CHANNEL: &str = "svc live 1";

/// How long all have to say what they show before a stream is opened, in milliseconds.
const ROLL_CALL: i32 = 100;
/// How long to wait for an answer of whoever leads, in milliseconds: long enough for a busy page, and
/// different for each page that asks, so that they don't all take over. Pages with locks don't wait.
const ANSWER: std::ops::Range<i32> = 300..900;
/// How long to hear nothing before taking over, in milliseconds: longer than whoever leads takes to
/// say that its stream is silent.
const PATIENCE: std::ops::Range<i32> = SILENCE + 5_000..SILENCE + 10_000;

/// What is said on the channel. As text, its kind is the first character.
pub(super) enum Message<'a> {
    /// I show this view: who leads?
    Show(&'a str),
    /// I lead, by my id: what do you show?
    Lead(&'a str),
    /// I have led and leave.
    Leave,
    /// From the one who leads: data of some view, as they came.
    Data(&'a str),
    /// From the one who leads, by its id: what I sent last is up to date.
    Good(&'a str),
    /// The same: what I sent last is the last that is known.
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
    /// Begins: somebody leads already, or somebody will, perhaps this.
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
        self.wanted.replace(Wanted::only(&self.view));
        if self.channel.borrow().is_none() {
            return self.connect();
        }
        self.broadcast(Message::Lead(&self.id));
        self.is_gathering.set(true);
        self.wait(ROLL_CALL);
    }

    /// Leads no longer, and gives the lock back.
    pub(super) fn resign(&self) {
        self.is_gathering.set(false);
        if self.is_leading.replace(false) {
            self.broadcast(Message::Leave);
        }
        if let Some(release) = self.release.take() {
            _ = release.call0(&JsValue::UNDEFINED);
        }
    }

    /// The lock is ours, until what is returned here is settled: whoever had it is gone.
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
        // Who is led without being served does not wait for ever.
        if !self.is_led.replace(true) || self.is_served.get() {
            self.wait_within(PATIENCE);
        }
    }

    /// Tells somebody what is known of a view, or opens a stream that carries it too.
    fn serve(&self, view: &str) {
        let is_missing = self.wanted.borrow_mut().add(view);
        let last = self.wanted.borrow().last(view).unwrap_or_default().to_owned();
        if !last.is_empty() {
            self.broadcast(Message::Data(&last));
        }
        self.broadcast_sign();
        if is_missing && !self.is_gathering.get() {
            // Who has left without a word is not asked for any longer.
            self.lead();
            self.wanted.borrow_mut().add(view);
        }
    }

    /// Somebody else says that it leads.
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

    /// Shares nothing any more.
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
