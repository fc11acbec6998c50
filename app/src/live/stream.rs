//! One stream, kept alive, and shared with every other page and frame of the browser that follows
//! the same one: a small machine with one timer.
//!
//! Whoever holds the lock of the stream's name leads: it has the one `EventSource`, and repeats on
//! the channel of that name what it receives. All others wait for the lock and show what the leader
//! repeats. A browser takes the lock from a page that is closed, crashes or leaves, so there is a
//! next leader at once. A page that nobody looks at gives the lock back by itself, and requests it
//! again when it is looked at. Where there are no locks or no channels, everybody has a stream of
//! their own.
//!
//! The timer always means "there has been no word for too long", and is set to the patience that
//! the moment calls for: 15 s while a stream is open or followed, a back-off once one has been
//! refused. One's own stream is then opened anew. A leader that does not answer when it is asked
//! loses the lock: it may be frozen, which a browser does not count as gone.

mod sharing;

use self::sharing::PROBE;
use super::{State, backoff};
use js_sys::{Function, JSON, Math};
use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, Document, Event, EventSource, MessageEvent, Window};

/// Three ticks of the server without a word, in milliseconds: the stream is dead, whatever TCP
/// believes.
const SILENCE: i32 = 15_000;

/// What a stream carries. The server's `error` is a tick that failed.
const EVENTS: [&str; 3] = ["metrics", "reports", ERROR];
const ERROR: &str = "error";

type OnEvent = Box<dyn Fn(&str, &JsValue)>;
type OnState = Box<dyn Fn(State)>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Has not had the lock yet, and does not know whether there are locks here.
    Undecided,
    /// Shows what the leader repeats, and waits for the lock.
    Following,
    /// Has the lock.
    Leading,
    /// Has a stream of its own and shares nothing.
    Alone,
}

/// See the [module](self). Ends with [`close`](Self::close).
pub(super) struct Stream {
    window: Window,
    document: Document,
    url: String,
    on_event: OnEvent,
    on_state: OnState,
    state: Cell<State>,
    /// Failures in a row, since the last event.
    failures: Cell<u32>,
    source: RefCell<Option<EventSource>>,
    /// Whether the browser reconnects by itself, since the last event.
    reconnecting: Cell<bool>,
    timer: Cell<i32>,
    role: Cell<Role>,
    channel: Option<BroadcastChannel>,
    /// The last of each of [`EVENTS`] but `error`, as on the channel.
    last: RefCell<[String; 2]>,
    /// Gives the lock back.
    release: RefCell<Option<Function>>,
    /// Whether the lock has been requested and is yet to come.
    queued: Cell<bool>,
    /// The same for the lock that is to be taken from a silent leader.
    stealing: Cell<bool>,
    /// Whether the leader has been asked for a sign of life and has not given it yet.
    probed: Cell<bool>,
    /// Took the lock from a silent leader, and has heard nothing on the channel since.
    unheard: Cell<bool>,
    /// Whether the page has been left; it may come back out of the back/forward cache.
    left: Cell<bool>,
    callbacks: Callbacks,
}

/// What the browser calls. Each holds the stream weakly: a lock may be granted after the stream has
/// ended, and then nothing happens. The browser's garbage collector frees them.
struct Callbacks {
    event: Function,
    silence: Function,
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
            silence: callback(Stream::on_silence),
            lock_granted: callback(Stream::on_lock_granted),
            lock_refused: callback(Stream::on_lock_refused),
        }
    }
}

impl Stream {
    /// Follows the stream at `url` until it is closed.
    ///
    /// `on_event` gets the name and the parsed data of each event, and `on_state` every change of
    /// state. The server's `error` event (a tick that failed) is a state here, not an event. What
    /// is already known may be repeated, when another page asks for it.
    pub(super) fn open(
        url: &str,
        on_event: impl Fn(&str, &JsValue) + 'static,
        on_state: impl Fn(State) + 'static,
    ) -> Rc<Self> {
        let channel = BroadcastChannel::new(url).ok();
        let role = if channel.is_some() { Role::Undecided } else { Role::Alone };
        let stream = Rc::new_cyclic(|stream| Self {
            window: leptos::prelude::window(),
            document: leptos::prelude::document(),
            url: url.to_owned(),
            on_event: Box::new(on_event),
            on_state: Box::new(on_state),
            state: Cell::default(),
            failures: Cell::default(),
            source: RefCell::default(),
            reconnecting: Cell::default(),
            timer: Cell::default(),
            role: Cell::new(role),
            channel,
            last: RefCell::default(),
            release: RefCell::default(),
            queued: Cell::default(),
            stealing: Cell::default(),
            probed: Cell::default(),
            unheard: Cell::default(),
            left: Cell::default(),
            callbacks: Callbacks::new(stream),
        });
        let listener = &stream.callbacks.event;
        _ = stream.document.add_event_listener_with_callback("visibilitychange", listener);
        for event in ["pagehide", "pageshow"] {
            _ = stream.window.add_event_listener_with_callback(event, listener);
        }
        if let Some(channel) = &stream.channel {
            _ = channel.add_event_listener_with_callback("message", listener);
        }
        stream.adapt_to_visibility();
        stream
    }

    /// Ends it for good: gives the lock back and listens to nothing any more.
    pub(super) fn close(&self) {
        let listener = &self.callbacks.event;
        _ = self.document.remove_event_listener_with_callback("visibilitychange", listener);
        for event in ["pagehide", "pageshow"] {
            _ = self.window.remove_event_listener_with_callback(event, listener);
        }
        self.left.set(true);
        self.disconnect();
        self.step_down();
        if let Some(channel) = &self.channel {
            channel.close();
        }
    }

    fn connect(&self) {
        self.disconnect();
        let Ok(source) = EventSource::new(&self.url) else {
            return self.retry();
        };
        for name in EVENTS {
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
                if self.left.replace(left) != left {
                    self.adapt_to_visibility();
                }
            }
            ("message", Some(text)) => self.on_channel_message(&text),
            // The browser's own `error` says that the connection is in trouble. The server's event
            // of that name comes over a sound one, and is a message with data.
            (_, None) => self.on_connection_error(),
            (name, Some(data)) => {
                self.failures.set(0);
                self.reconnecting.set(false);
                self.accept(name, &data);
            }
        }
        JsValue::UNDEFINED
    }

    fn accept(&self, name: &str, data: &str) {
        self.wait(SILENCE);
        let text = name.to_owned() + data;
        if self.role.get() == Role::Leading {
            self.broadcast(&text);
        }
        if name == ERROR {
            self.set_state(State::Reconnecting);
        } else if let Ok(parsed) = JSON::parse(data) {
            for (event, last) in EVENTS.iter().zip(self.last.borrow_mut().iter_mut()) {
                if *event == name {
                    last.clone_from(&text);
                }
            }
            (self.on_event)(name, &parsed);
            self.set_state(State::Live);
        }
    }

    /// The browser reconnects once by itself, after the time that the server asked for, which
    /// spreads the clients of a server that restarts. If that fails too, or the browser has given
    /// up, the next attempts are ours: the browser's own would come at a fixed rate.
    fn on_connection_error(&self) {
        self.accept(ERROR, "");
        let given_up = self
            .source
            .borrow()
            .as_ref()
            .is_some_and(|source| source.ready_state() == EventSource::CLOSED);
        if given_up || self.reconnecting.replace(true) {
            self.retry();
        }
    }

    fn retry(&self) {
        self.disconnect();
        let failures = self.failures.get();
        self.failures.set(failures.saturating_add(1));
        self.wait(backoff::delay(failures, Math::random()));
    }

    /// There has been no word for too long.
    fn on_silence(&self, _: JsValue) -> JsValue {
        self.accept(ERROR, "");
        if self.has_own_source() {
            self.connect();
        } else if !self.probed.replace(true) {
            // A leader whose server is silent says so, and one that is between two attempts
            // answers. Followers wait for different times, lest all of them take the lock.
            self.broadcast(PROBE);
            self.wait(backoff::delay(1, Math::random()));
        } else if self.unheard.replace(true) {
            // Nor did leading help: whoever leads now cannot be heard here.
            self.role.set(Role::Alone);
            self.connect();
        } else {
            self.stealing.set(true);
            self.request_lock(true);
        }
        JsValue::UNDEFINED
    }

    fn wait(&self, milliseconds: i32) {
        self.window.clear_timeout_with_handle(self.timer.get());
        if let Ok(timer) = self.window.set_timeout_with_callback_and_timeout_and_arguments_0(
            &self.callbacks.silence,
            milliseconds,
        ) {
            self.timer.set(timer);
        }
    }

    fn set_state(&self, state: State) {
        if self.state.replace(state) != state {
            (self.on_state)(state);
        }
    }

    fn is_hidden(&self) -> bool {
        self.left.get() || self.document.hidden()
    }
}
