//! One stream for all pages and frames of the browser that can communicate with each other.
//!
//! A leader among the pages has the only `EventSource`, which carries the views of all
//! pages, and rebroadcasts on a channel what it receives. Hidden pages do not take part: they are
//! not in the channel, which would also keep them out of the browser's back/forward cache.
//!
//! [`machine`] makes all decisions. This file turns the browser's events into the machine's, and
//! performs its actions.

mod lock;
mod machine;
mod promise;

use self::{
    lock::AbortController,
    machine::{Action, CHANNEL, Event, Machine, SOURCE_EVENTS},
    promise::Chain,
};
use crate::{
    json::{field, text},
    number::plain,
};
use js_sys::{Function, JSON, Math};
use std::cell::{Cell, OnceCell, RefCell};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, Document, EventSource, RequestCache, RequestInit, Window};

/// Whether the displayed data are up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Rendered by the server: no event has arrived yet, and nothing has failed.
    #[default]
    Waiting,
    /// Events are arriving.
    Live,
    /// The connection is lost, silent or refused, or the server has reported that it cannot count.
    Reconnecting,
}

impl State {
    /// Value of `data-state`.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Live => "live",
            State::Reconnecting => "reconnecting",
        }
    }
}

type OnData = Box<dyn Fn(&JsValue)>;
type OnState = Box<dyn Fn(State)>;

/// See the [module](self). Ends with [`close`](Self::close).
///
/// The memory of a stream, a few hundred bytes, is never freed, because the browser may keep
/// callbacks longer than the page needs the stream. Reference counts would be a kilobyte of wasm.
pub struct Stream {
    window: Window,
    document: Document,
    /// Name of the channel and of the lock. Each service has its own, even if several share a host.
    name: String,
    on_data: OnData,
    on_state: OnState,
    /// Listener for all events and for the timer.
    listener: OnceCell<Function>,
    /// Whether the visitor has left the page. It may come back from the back/forward cache.
    is_left: Cell<bool>,
    is_closed: Cell<bool>,
    parts: RefCell<(Machine, Connections)>,
}

/// Everything that is open in the browser.
#[derive(Default)]
struct Connections {
    channel: Option<BroadcastChannel>,
    lock_request: Option<AbortController>,
    /// Settles the promise that holds the lock.
    release_lock: Option<Function>,
    source: Option<EventSource>,
    timer: i32,
}

impl Stream {
    /// Follows a view of the service below `base_path` until the stream is closed.
    ///
    /// `on_data` receives the view's data whenever they may have changed. `on_state` receives the
    /// state at each sign, so every tick confirms that the data are live. Neither may close the
    /// stream.
    pub fn open(
        base_path: &str,
        view: &str,
        on_data: impl Fn(&JsValue) + 'static,
        on_state: impl Fn(State) + 'static,
    ) -> &'static Self {
        let machine = Machine::new(view, plain((Math::random() * 9e15) as u64));
        let stream: &'static Self = Box::leak(Box::new(Self {
            window: leptos::prelude::window(),
            document: leptos::prelude::document(),
            name: [CHANNEL, base_path].concat(),
            on_data: Box::new(on_data),
            on_state: Box::new(on_state),
            listener: OnceCell::new(),
            is_left: Cell::default(),
            is_closed: Cell::default(),
            parts: RefCell::new((machine, Connections::default())),
        }));
        let listener = stream.listener();
        _ = stream.document.add_event_listener_with_callback("visibilitychange", listener);
        for event in ["pagehide", "pageshow"] {
            _ = stream.window.add_event_listener_with_callback(event, listener);
        }
        stream.adapt_to_visibility();
        stream
    }

    /// Ends the stream for good, and gives up the lead. Later events have no effect.
    pub fn close(&'static self) {
        self.is_closed.set(true);
        self.adapt_to_visibility();
    }

    fn listener(&'static self) -> &'static Function {
        self.listener.get_or_init(|| self.callback(Self::on_event))
    }

    /// Returns a callback for the browser, whose garbage collector frees it.
    fn callback(&'static self, method: fn(&'static Self, JsValue) -> JsValue) -> Function {
        // All have the same signature, so the wasm contains their code only once.
        let call = move |argument| method(self, argument);
        Closure::<dyn Fn(JsValue) -> JsValue>::new(call).into_js_value().unchecked_into()
    }

    /// Takes part, or stops taking part, depending on whether the page is visible.
    fn adapt_to_visibility(&'static self) {
        let is_hidden = self.is_closed.get() || self.is_left.get() || self.document.hidden();
        let mut parts = self.parts.borrow_mut();
        if is_hidden == parts.0.is_hidden() {
            return;
        }
        if !is_hidden && let Ok(channel) = BroadcastChannel::new(&self.name) {
            _ = channel.add_event_listener_with_callback("message", self.listener());
            parts.1.channel = Some(channel);
        }
        let has_channel = parts.1.channel.is_some();
        drop(parts);
        self.handle(if is_hidden { Event::Hidden } else { Event::Shown { has_channel } });
    }

    /// Handles all events of the stream, the channel, the page and the timer. The timer has no
    /// argument.
    fn on_event(&'static self, event: JsValue) -> JsValue {
        let name = text(&event, "type");
        match &*name {
            "" => self.handle(Event::Timeout),
            "visibilitychange" => self.adapt_to_visibility(),
            "pagehide" | "pageshow" => {
                self.is_left.set(name == "pagehide");
                self.adapt_to_visibility();
            }
            _ => {
                let data = field(&event, "data").as_string();
                let ready_state = field(&field(&event, "target"), "readyState").as_f64();
                let has_given_up = ready_state == Some(f64::from(EventSource::CLOSED));
                if let Some(event) = Event::received(&name, data.as_deref(), has_given_up) {
                    self.handle(event);
                }
            }
        }
        JsValue::UNDEFINED
    }

    fn on_lock_granted(&'static self, _: JsValue) -> JsValue {
        let (held, release) = promise::unsettled();
        self.parts.borrow_mut().1.release_lock = release;
        self.handle(Event::LockGranted);
        held
    }

    fn on_lock_lost(&'static self, _: JsValue) -> JsValue {
        self.handle(Event::LockLost);
        JsValue::UNDEFINED
    }

    /// Handles the response to a poll. Returns a promise of its text.
    fn on_response(&'static self, response: JsValue) -> JsValue {
        if !field(&response, "ok").is_truthy() {
            return JsValue::UNDEFINED;
        }
        let read: Function = field(&response, "text").unchecked_into();
        read.call0(&response).unwrap_or_default()
    }

    /// Handles the text of a response, or the exception of a failed request.
    fn on_text(&'static self, text: JsValue) -> JsValue {
        self.handle(Event::Fetched(text.as_string().as_deref()));
        JsValue::UNDEFINED
    }

    fn handle(&'static self, event: Event) {
        let (machine, open) = &mut *self.parts.borrow_mut();
        machine.on(event, Math::random(), &mut |action| self.perform(action, open));
    }

    fn perform(&'static self, action: Action, open: &mut Connections) {
        match action {
            Action::Broadcast(message) => {
                if let Some(channel) = &open.channel {
                    _ = channel.post_message(&JsValue::from_str(&message.text()));
                }
            }
            Action::LeaveChannel => {
                if let Some(channel) = open.channel.take() {
                    channel.close();
                }
            }
            Action::RequestLock => {
                let granted = self.callback(Self::on_lock_granted);
                let lost = self.callback(Self::on_lock_lost);
                open.lock_request = lock::request(&self.name, &granted, &lost);
            }
            Action::ReleaseLock => {
                if let Some(request) = &open.lock_request {
                    request.abort();
                }
                if let Some(release) = open.release_lock.take() {
                    _ = release.call0(&JsValue::UNDEFINED);
                }
            }
            Action::Open(query) => {
                self.perform(Action::CloseSource, open);
                if let Ok(source) = EventSource::new(&["../api/v1/stream?", query].concat()) {
                    for name in SOURCE_EVENTS {
                        _ = source.add_event_listener_with_callback(name, self.listener());
                    }
                    open.source = Some(source);
                }
            }
            Action::CloseSource => {
                if let Some(source) = open.source.take() {
                    source.close();
                }
            }
            Action::Fetch(query) => self.fetch(query),
            Action::Wait(milliseconds) => {
                self.window.clear_timeout_with_handle(open.timer);
                let timer = self.window.set_timeout_with_callback_and_timeout_and_arguments_0(
                    self.listener(),
                    milliseconds,
                );
                open.timer = timer.unwrap_or_default();
            }
            Action::Data(data) => {
                if let Ok(data) = JSON::parse(data) {
                    (self.on_data)(&data);
                }
            }
            Action::Sign { is_good } => {
                (self.on_state)(if is_good { State::Live } else { State::Reconnecting });
            }
        }
    }

    /// Like [`refresh::fetch`](crate::refresh::fetch), whose futures would add 0.7 kB to the widgets that
    /// fetch nothing else.
    fn fetch(&'static self, query: &str) {
        let init = RequestInit::new();
        init.set_cache(RequestCache::NoCache);
        let request = self.window.fetch_with_str_and_init(&["live?", query].concat(), &init);
        let (on_response, on_text) =
            (self.callback(Self::on_response), self.callback(Self::on_text));
        _ = Chain::from(request).then(&on_response, &JsValue::UNDEFINED).then(&on_text, &on_text);
    }
}
