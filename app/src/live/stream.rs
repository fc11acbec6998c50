//! One stream for all pages and frames of the browser that know of each other: a small machine with
//! one timer.
//!
//! One of them leads: it has the one `EventSource`, which carries the views that all of them show,
//! and repeats on a channel what it receives. [`election`] is who leads. A page that nobody looks at
//! takes no part.
//!
//! The timer always means "something has not happened for too long", and is set to the patience that
//! the moment calls for: a moment for others to say what they show, 15 s while a stream is open, a
//! back-off once one has been refused. Until a refused stream is open again, its views are polled.

mod election;
mod wanted;

use self::{election::Message, wanted::Wanted};
use super::{State, backoff};
use crate::{number::plain, refresh::fetch};
use js_sys::{Function, JSON, JsString, Math};
use leptos::task::spawn_local;
use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, Document, Event, EventSource, MessageEvent, Window};

/// Three ticks of the server without a word, in milliseconds: the stream is dead, whatever TCP
/// believes.
const SILENCE: i32 = 15_000;
/// The longest time between two polls, in milliseconds.
const POLL: i32 = 10_000;

/// What a stream carries: the views that have changed, and at each tick a sign that all have been
/// told, or that they could not be read.
const VIEW: &str = "view";
const TICK: &str = "tick";
const ERROR: &str = "error";

type OnData = Box<dyn Fn(&JsValue)>;
type OnState = Box<dyn Fn(State)>;

/// See the [module](self). Ends with [`close`](Self::close).
pub(super) struct Stream {
    this: Weak<Stream>,
    window: Window,
    document: Document,
    view: String,
    /// Who this is: of two that lead, the one whose id sorts first goes on.
    id: String,
    on_data: OnData,
    on_state: OnState,
    state: Cell<State>,
    source: RefCell<Option<EventSource>>,
    /// Whether the browser reconnects by itself, since the last event.
    is_reconnecting: Cell<bool>,
    /// Failures in a row, since the last event.
    failures: Cell<u32>,
    /// How long it is until the next attempt at a stream, in milliseconds.
    pause: Cell<i32>,
    timer: Cell<i32>,
    /// Of the lock, too. Each service has its own, also where several share a host.
    channel_name: String,
    channel: RefCell<Option<BroadcastChannel>>,
    is_leading: Cell<bool>,
    /// Whether all are being asked which views they show, before a stream is opened for these.
    is_gathering: Cell<bool>,
    /// The views of all, while this leads.
    wanted: RefCell<Wanted>,
    /// Whether somebody else is known to lead.
    is_led: Cell<bool>,
    /// Whether data of this view have come.
    is_served: Cell<bool>,
    /// Gives the lock back.
    release: RefCell<Option<Function>>,
    /// Whether the lock has been requested and is yet to come.
    is_queued: Cell<bool>,
    /// Whether the page has been left; it may come back out of the back/forward cache.
    is_left: Cell<bool>,
    callbacks: Callbacks,
}

/// What the browser calls. Each holds the stream weakly: a lock may be granted after the stream has
/// ended, and then nothing happens. The browser's garbage collector frees them.
struct Callbacks {
    event: Function,
    timer: Function,
    lock_granted: Function,
    lock_refused: Function,
}

impl Callbacks {
    fn new(stream: &Weak<Stream>) -> Self {
        // All of one shape, so that the code for it is there once.
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
    /// Follows a view of the service below `base_path` until it is closed.
    ///
    /// `on_data` gets the view's data whenever they may have changed, and `on_state` the state at each
    /// sign of it: what is live is confirmed at every tick.
    pub(super) fn open(
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

    /// Ends it for good: somebody else leads, and nothing is listened to any more.
    pub(super) fn close(&self) {
        let listener = &self.callbacks.event;
        _ = self.document.remove_event_listener_with_callback("visibilitychange", listener);
        for event in ["pagehide", "pageshow"] {
            _ = self.window.remove_event_listener_with_callback(event, listener);
        }
        self.is_left.set(true);
        self.adapt_to_visibility();
        self.leave_channel();
    }

    /// Begins, or ends, according to whether anybody looks at the page.
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

    /// Every event of the stream, of the channel and of the page ends up here.
    fn on_event(&self, event: JsValue) -> JsValue {
        let event: Event = event.unchecked_into();
        let data = event.dyn_ref::<MessageEvent>().and_then(|message| message.data().as_string());
        match (&*event.type_(), data) {
            ("visibilitychange", _) => self.adapt_to_visibility(),
            (name @ ("pagehide" | "pageshow"), _) => {
                // Every page is shown once when it is loaded, which changes nothing.
                let left = name == "pagehide";
                if self.is_left.replace(left) != left {
                    self.adapt_to_visibility();
                }
            }
            ("message", Some(text)) => self.on_channel_message(&text),
            // The browser's own `error` says that the connection is in trouble. The server's event
            // of that name comes over a sound one, and is a message with data.
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

    /// Takes what the server said, and repeats it for the others.
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

    /// Takes data, if they are of this view.
    fn accept(&self, data: &str) {
        if wanted::is_of(data, &self.view)
            && let Ok(data) = JSON::parse(data)
        {
            self.is_served.set(true);
            (self.on_data)(&data);
        }
    }

    /// A tick: the views are up to date, or could not be read.
    fn accept_sign(&self, is_good: bool) {
        let state = if is_good { State::Live } else { State::Reconnecting };
        if !is_good || self.is_served.get() {
            self.state.set(state);
            (self.on_state)(state);
        }
    }

    /// The browser reconnects once by itself, after the time that the server asked for, which
    /// spreads the clients of a server that restarts. If that fails too, or the browser has given
    /// up, the next attempts are ours: the browser's own would come at a fixed rate.
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

    /// Reads once what the stream would tell, for everybody, and waits on.
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

    /// Something has not happened for too long.
    fn on_timer(&self, _: JsValue) -> JsValue {
        if !self.is_leading.get() {
            if self.is_led.get() && !self.is_served.get() {
                // Whoever leads has no room for this view.
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
