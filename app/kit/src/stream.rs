//! One stream for all pages and frames of the browser that can communicate with each other: a small
//! state machine with one timer.
//!
//! A leader among the pages has the only `EventSource`, which carries the views of all
//! pages, and rebroadcasts on a channel what it receives. [`election`] chooses the leader. Hidden
//! pages do not take part.
//!
//! The timer always means that something has not happened in time. Its timeout depends on the
//! state: a moment for other pages to announce their views, 15 s while a stream is open, a back-off
//! after a stream was refused. Until a refused stream is open again, its views are polled.

mod backoff;
mod election;
mod lock;
mod views;

use self::{election::Message, views::StreamViews};
use crate::{number::plain, refresh::fetch};
use js_sys::{Function, JSON, JsString, Math};
use leptos::task::spawn_local;
use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, Document, Event, EventSource, MessageEvent, Window};

/// Timeout of an open stream, in milliseconds: three ticks of the server. After this silence the
/// stream counts as dead, even if TCP reports it as alive.
const SILENCE: i32 = 15_000;
/// Maximum time between two polls, in milliseconds.
const POLL: i32 = 10_000;

/// Events of a stream: the views that have changed, and at each tick a sign that all changed views
/// have been sent, or that they could not be read.
const VIEW: &str = "view";
const TICK: &str = "tick";
const ERROR: &str = "error";

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
pub struct Stream {
    this: Weak<Stream>,
    window: Window,
    document: Document,
    view: String,
    /// Id of this page. If two pages lead, the one whose id sorts first remains the leader.
    id: String,
    on_data: OnData,
    on_state: OnState,
    state: Cell<State>,
    source: RefCell<Option<EventSource>>,
    /// Whether the browser is reconnecting on its own. The next event resets it.
    is_reconnecting: Cell<bool>,
    /// Failures in a row. The next event resets it.
    failures: Cell<u32>,
    /// Remaining time until the next attempt to open a stream, in milliseconds.
    pause: Cell<i32>,
    timer: Cell<i32>,
    /// Name of the channel and of the lock. Each service has its own, even if several share a host.
    channel_name: String,
    channel: RefCell<Option<BroadcastChannel>>,
    is_leading: Cell<bool>,
    /// Whether this page is collecting the views of all pages, before it opens a stream for them.
    is_gathering: Cell<bool>,
    /// Views of all pages, while this page leads.
    wanted: RefCell<StreamViews>,
    /// Whether another page is known to lead.
    is_led: Cell<bool>,
    /// Whether data of this view have arrived.
    is_served: Cell<bool>,
    /// Releases the lock.
    release: RefCell<Option<Function>>,
    /// Whether the lock has been requested and not been granted yet.
    is_queued: Cell<bool>,
    /// Whether the visitor has left the page. It may come back from the back/forward cache.
    is_left: Cell<bool>,
    callbacks: Callbacks,
}

/// Callbacks for the browser. Each holds the stream weakly: if a lock is granted after the stream
/// has ended, nothing happens. The browser's garbage collector frees the callbacks.
struct Callbacks {
    event: Function,
    timer: Function,
    lock_granted: Function,
    lock_refused: Function,
}

impl Callbacks {
    fn new(stream: &Weak<Stream>) -> Self {
        // All have the same signature, so the wasm contains their code only once.
        let callback = |method: fn(&Stream, JsValue) -> JsValue| -> Function {
            let stream = stream.clone();
            let call = move |argument| match stream.upgrade() {
                Some(stream) => method(&stream, argument),
                None => JsValue::UNDEFINED,
            };
            Closure::<dyn Fn(JsValue) -> JsValue>::new(call).into_js_value().unchecked_into()
        };
        Self {
            event: callback(Stream::on_event),
            timer: callback(Stream::on_timer),
            lock_granted: callback(Stream::on_lock_granted),
            lock_refused: callback(|_, _| JsValue::UNDEFINED),
        }
    }
}

impl Stream {
    /// Follows a view of the service below `base_path` until the stream is closed.
    ///
    /// `on_data` receives the view's data whenever they may have changed. `on_state` receives the
    /// state at each sign, so every tick confirms that the data are live.
    pub fn open(
        base_path: &str,
        view: &str,
        on_data: impl Fn(&JsValue) + 'static,
        on_state: impl Fn(State) + 'static,
    ) -> Rc<Self> {
        let channel_name = [election::CHANNEL, base_path].concat();
        let stream = Rc::new_cyclic(|stream: &Weak<Self>| Self {
            this: stream.clone(),
            window: leptos::prelude::window(),
            document: leptos::prelude::document(),
            view: view.to_owned(),
            id: plain((Math::random() * 9e15) as u64),
            on_data: Box::new(on_data),
            on_state: Box::new(on_state),
            state: Cell::default(),
            source: RefCell::default(),
            is_reconnecting: Cell::default(),
            failures: Cell::default(),
            pause: Cell::default(),
            timer: Cell::default(),
            channel: RefCell::new(BroadcastChannel::new(&channel_name).ok()),
            channel_name,
            is_leading: Cell::default(),
            is_gathering: Cell::default(),
            wanted: RefCell::default(),
            is_led: Cell::default(),
            is_served: Cell::default(),
            release: RefCell::default(),
            is_queued: Cell::default(),
            is_left: Cell::default(),
            callbacks: Callbacks::new(stream),
        });
        let listener = &stream.callbacks.event;
        _ = stream.document.add_event_listener_with_callback("visibilitychange", listener);
        for event in ["pagehide", "pageshow"] {
            _ = stream.window.add_event_listener_with_callback(event, listener);
        }
        if let Some(channel) = &*stream.channel.borrow() {
            _ = channel.add_event_listener_with_callback("message", listener);
        }
        stream.adapt_to_visibility();
        stream
    }

    /// Ends the stream for good: gives up the lead and removes all listeners.
    pub fn close(&self) {
        let listener = &self.callbacks.event;
        _ = self.document.remove_event_listener_with_callback("visibilitychange", listener);
        for event in ["pagehide", "pageshow"] {
            _ = self.window.remove_event_listener_with_callback(event, listener);
        }
        self.is_left.set(true);
        self.adapt_to_visibility();
        self.leave_channel();
    }

    /// Takes part, or stops taking part, depending on whether the page is visible.
    fn adapt_to_visibility(&self) {
        self.failures.set(0);
        if self.is_hidden() {
            self.disconnect();
            self.resign();
        } else if !self.is_leading.get() {
            self.look_for_leader();
        }
    }

    fn connect(&self) {
        self.disconnect();
        let url = ["../api/v1/stream?", &self.wanted.borrow().query()].concat();
        let Ok(source) = EventSource::new(&url) else {
            return self.retry();
        };
        for name in [VIEW, TICK, ERROR] {
            _ = source.add_event_listener_with_callback(name, &self.callbacks.event);
        }
        self.source.replace(Some(source));
        self.wait(SILENCE);
    }

    fn disconnect(&self) {
        self.window.clear_timeout_with_handle(self.timer.get());
        if let Some(source) = self.source.take() {
            source.close();
        }
    }

    /// Handles all events of the stream, the channel and the page.
    fn on_event(&self, event: JsValue) -> JsValue {
        let event: Event = event.unchecked_into();
        let data = event.dyn_ref::<MessageEvent>().and_then(|message| message.data().as_string());
        match (&*event.type_(), data) {
            ("visibilitychange", _) => self.adapt_to_visibility(),
            (name @ ("pagehide" | "pageshow"), _) => {
                // Every page fires `pageshow` once when it is loaded, which changes nothing.
                let left = name == "pagehide";
                if self.is_left.replace(left) != left {
                    self.adapt_to_visibility();
                }
            }
            ("message", Some(text)) => self.on_channel_message(&text),
            // The browser's own `error` event has no data and means that the connection failed. The
            // server's event of that name arrives over a working connection, as a message with
            // data.
            (_, None) => self.on_connection_error(),
            (name, Some(data)) => {
                self.failures.set(0);
                self.is_reconnecting.set(false);
                if !self.is_gathering.get() {
                    self.wait(SILENCE);
                }
                self.spread(name, &data);
            }
        }
        JsValue::UNDEFINED
    }

    /// Handles an event of the server, and rebroadcasts it to the other pages.
    fn spread(&self, name: &str, data: &str) {
        match name {
            VIEW => {
                self.wanted.borrow_mut().keep(data);
                self.broadcast(Message::Data(data));
                self.accept(data);
            }
            _ => {
                let is_good = name == TICK;
                self.accept_sign(is_good);
                self.broadcast_sign();
            }
        }
    }

    /// Handles data, if they belong to this view.
    fn accept(&self, data: &str) {
        if views::is_of(data, &self.view)
            && let Ok(data) = JSON::parse(data)
        {
            self.is_served.set(true);
            (self.on_data)(&data);
        }
    }

    /// Handles a tick: the views are up to date, or could not be read.
    fn accept_sign(&self, is_good: bool) {
        let state = if is_good { State::Live } else { State::Reconnecting };
        if !is_good || self.is_served.get() {
            self.state.set(state);
            (self.on_state)(state);
        }
    }

    /// Handles a lost connection. The browser reconnects once on its own, after the delay set by
    /// the server, which spreads the clients of a restarting server. If that fails too, or the
    /// browser has given up, this page makes the next attempts, because the browser's attempts come
    /// at a fixed rate.
    fn on_connection_error(&self) {
        let has_given_up = self
            .source
            .borrow()
            .as_ref()
            .is_some_and(|source| source.ready_state() == EventSource::CLOSED);
        if has_given_up || self.is_reconnecting.replace(true) {
            self.retry();
        } else {
            self.spread(ERROR, "");
        }
    }

    /// Polls until the next attempt.
    fn retry(&self) {
        self.disconnect();
        let failures = self.failures.get();
        self.failures.set(failures.saturating_add(1));
        self.pause.set(backoff::delay(failures, Math::random()));
        self.poll();
    }

    /// Fetches once what the stream would send, for all pages, and restarts the timer.
    fn poll(&self) {
        self.wait(self.pause.get().min(POLL));
        let url = ["live?", &self.wanted.borrow().query()].concat();
        let this = self.this.clone();
        spawn_local(async move {
            let lines = fetch(url, "text").await.map(|text| JsString::from(text).split("\n"));
            let Some(stream) = this.upgrade() else { return };
            if !stream.is_leading.get() || stream.has_open_source() {
                return;
            }
            let Some(lines) = lines else { return stream.spread(ERROR, "") };
            for line in lines.iter() {
                stream.spread(VIEW, &line.as_string().unwrap_or_default());
            }
            stream.spread(TICK, "");
        });
    }

    /// Handles the timeout.
    fn on_timer(&self, _: JsValue) -> JsValue {
        if !self.is_leading.get() {
            if self.is_led.get() && !self.is_served.get() {
                // The leader has no room for this view.
                self.leave_channel();
            }
            self.lead();
        } else if self.is_gathering.take() {
            self.connect();
        } else if self.source.borrow().is_some() {
            self.spread(ERROR, "");
            self.connect();
        } else {
            let pause = self.pause.get() - POLL;
            self.pause.set(pause);
            if pause > 0 {
                self.poll();
            } else {
                self.connect();
            }
        }
        JsValue::UNDEFINED
    }

    fn wait(&self, milliseconds: i32) {
        self.window.clear_timeout_with_handle(self.timer.get());
        if let Ok(timer) = self.window.set_timeout_with_callback_and_timeout_and_arguments_0(
            &self.callbacks.timer,
            milliseconds,
        ) {
            self.timer.set(timer);
        }
    }

    fn has_open_source(&self) -> bool {
        let source = self.source.borrow();
        source.as_ref().is_some_and(|source| source.ready_state() == EventSource::OPEN)
    }

    fn is_hidden(&self) -> bool {
        self.is_left.get() || self.document.hidden()
    }
}
