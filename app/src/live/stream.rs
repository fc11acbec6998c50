//! One stream, kept alive, and shared with every other page and frame of the browser that follows
//! the same one: a small machine with one timer.
//!
//! Who holds the lock of the stream's name leads: it has the one `EventSource`, and repeats on the
//! channel of that name what it hears. All others wait for the lock and show what they overhear. A
//! browser takes the lock from a page that is closed, crashes or leaves, so there is a next leader
//! at once. A page that nobody looks at gives the lock back by itself, and asks for it again when
//! it is looked at. Where there are no locks or no channels, everybody has a stream of their own.
//!
//! The timer always means "there has been no word for too long", and is set to the patience that
//! the moment calls for: 15 s while a stream is open or overheard, a back-off once one has been
//! refused. One's own stream is then opened anew. A leader that does not answer when it is asked
//! loses the lock: it may be frozen, which a browser does not count as gone.

mod sharing;

use self::sharing::ASK;
use super::{State, backoff};
use js_sys::{Function, JSON, Math};
use std::cell::{Cell, OnceCell, RefCell};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, Event, EventSource, MessageEvent, Window};

/// Three ticks of the server without a word, in milliseconds: the stream is dead, whatever TCP
/// believes.
const SILENCE: i32 = 15_000;

/// What a stream carries: a leader has to hear all of it, whatever it shows itself. The server's
/// `error` is a tick that failed.
const EVENTS: [&str; 3] = ["metrics", "reports", ERROR];
const ERROR: &str = "error";

/// Follows the stream at `url` until the page goes away.
///
/// `events` names the events to hear; `on_event` gets the name and the parsed data of each, and
/// `on_state` every change of state. The server's `error` event (a tick that failed) is a state
/// here, not an event. What is already known may be told again, when another page asks for it.
pub fn follow(
    url: impl Into<String>,
    events: &'static [&'static str],
    on_event: impl Fn(&str, &JsValue) + 'static,
    on_state: impl Fn(State) + 'static,
) {
    let Some(window) = web_sys::window() else {
        return;
    };
    let url = url.into();
    let channel = BroadcastChannel::new(&url).ok();
    let role = if channel.is_some() { Role::Asking } else { Role::Alone };
    // The page's own lifetime is the stream's, so it is handed over for good.
    let stream: &'static Stream = Box::leak(Box::new(Stream {
        window,
        url,
        events,
        on_event: Box::new(on_event),
        on_state: Box::new(on_state),
        state: Cell::new(State::Waiting),
        failures: Cell::new(0),
        source: RefCell::new(None),
        timer: Cell::new(0),
        role: Cell::new(role),
        channel,
        last: RefCell::default(),
        release: RefCell::new(None),
        queued: Cell::new(false),
        stealing: Cell::new(false),
        asked: Cell::new(false),
        deaf: Cell::new(false),
        calls: OnceCell::new(),
    }));
    let call = |method: Method| -> Function {
        let call = move |argument| method(stream, argument);
        Closure::<dyn Fn(JsValue) -> JsValue>::new(call).into_js_value().unchecked_into()
    };
    let calls = stream.calls.get_or_init(|| Calls {
        hear: call(Stream::hear),
        late: call(Stream::late),
        lead: call(Stream::lead),
        refused: call(Stream::refused),
    });

    if let Some(document) = stream.window.document() {
        _ = document.add_event_listener_with_callback("visibilitychange", &calls.hear);
    }
    if let Some(channel) = &stream.channel {
        _ = channel.add_event_listener_with_callback("message", &calls.hear);
    }
    stream.look();
}

type OnEvent = Box<dyn Fn(&str, &JsValue)>;
type OnState = Box<dyn Fn(State)>;
/// What the browser calls. All of one shape, so that the code for it is there once.
type Method = fn(&Stream, JsValue) -> JsValue;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Has not had the lock yet, and does not know whether locks are to be had here.
    Asking,
    /// Overhears the leader, and waits for the lock.
    Following,
    /// Has the lock.
    Leading,
    /// Has a stream of its own and shares nothing.
    Alone,
}

struct Stream {
    window: Window,
    url: String,
    events: &'static [&'static str],
    on_event: OnEvent,
    on_state: OnState,
    state: Cell<State>,
    /// Failures in a row, since the last event.
    failures: Cell<u32>,
    source: RefCell<Option<EventSource>>,
    timer: Cell<i32>,
    role: Cell<Role>,
    channel: Option<BroadcastChannel>,
    /// The last of each of [`EVENTS`] but `error`, as on the channel.
    last: RefCell<[String; 2]>,
    /// Gives the lock back.
    release: RefCell<Option<Function>>,
    /// Whether the lock has been asked for and is yet to come.
    queued: Cell<bool>,
    /// The same for the lock that is to be taken from a silent leader.
    stealing: Cell<bool>,
    /// Whether the leader has been asked for a word and has not said it yet.
    asked: Cell<bool>,
    /// Has taken the lock from a silent leader, and not overheard anything since.
    deaf: Cell<bool>,
    calls: OnceCell<Calls>,
}

/// The methods of these names, as the browser calls them.
struct Calls {
    hear: Function,
    late: Function,
    lead: Function,
    refused: Function,
}

impl Stream {
    fn open(&self) {
        self.close();
        let (Some(calls), Ok(source)) = (self.calls.get(), EventSource::new(&self.url)) else {
            return self.retry();
        };
        for name in EVENTS {
            _ = source.add_event_listener_with_callback(name, &calls.hear);
        }
        self.source.replace(Some(source));
        self.wait(SILENCE);
    }

    fn close(&self) {
        self.window.clear_timeout_with_handle(self.timer.get());
        if let Some(source) = self.source.take() {
            source.close();
        }
    }

    /// Every event of the stream, of the channel and of the page ends up here.
    fn hear(&self, event: JsValue) -> JsValue {
        let event: Event = event.unchecked_into();
        let data = event.dyn_ref::<MessageEvent>().and_then(|message| message.data().as_string());
        match (&*event.type_(), data) {
            ("visibilitychange", _) => self.look(),
            ("message", Some(text)) => self.overhear(&text),
            // The browser's own `error` says that the connection is in trouble. The server's event
            // of that name comes over a sound one, and is a message with data.
            (_, None) => self.lose(),
            (name, Some(data)) => {
                self.failures.set(0);
                self.take(name, &data);
            }
        }
        JsValue::UNDEFINED
    }

    fn take(&self, name: &str, data: &str) {
        self.wait(SILENCE);
        let text = name.to_owned() + data;
        if self.role.get() == Role::Leading {
            self.say_on_channel(&text);
        }
        if name == ERROR {
            self.say(State::Reconnecting);
        } else if let Ok(parsed) = JSON::parse(data) {
            for (event, last) in EVENTS.iter().zip(self.last.borrow_mut().iter_mut()) {
                if *event == name {
                    last.clone_from(&text);
                }
            }
            if self.events.contains(&name) {
                (self.on_event)(name, &parsed);
            }
            self.say(State::Live);
        }
    }

    /// The browser reconnects by itself, unless it has given up. Then it is our turn.
    fn lose(&self) {
        self.take(ERROR, "");
        let given_up = self
            .source
            .borrow()
            .as_ref()
            .is_some_and(|source| source.ready_state() == EventSource::CLOSED);
        if given_up {
            self.retry();
        }
    }

    fn retry(&self) {
        let failures = self.failures.get();
        self.failures.set(failures.saturating_add(1));
        self.wait(backoff::delay(failures, Math::random()));
    }

    /// There has been no word for too long.
    fn late(&self, _: JsValue) -> JsValue {
        self.take(ERROR, "");
        if self.is_own_master() {
            self.open();
        } else if !self.asked.replace(true) {
            // A leader that finds the server silent says so, and one that is between two tries
            // answers. What the followers wait differs, lest all of them take the lock.
            self.say_on_channel(ASK);
            self.wait(backoff::delay(1, Math::random()));
        } else if self.deaf.replace(true) {
            // Nor did leading help: whoever leads now cannot be heard here.
            self.role.set(Role::Alone);
            self.open();
        } else {
            self.stealing.set(true);
            self.ask_for_lock(true);
        }
        JsValue::UNDEFINED
    }

    fn wait(&self, milliseconds: i32) {
        self.window.clear_timeout_with_handle(self.timer.get());
        if let Some(calls) = self.calls.get()
            && let Ok(timer) = self
                .window
                .set_timeout_with_callback_and_timeout_and_arguments_0(&calls.late, milliseconds)
        {
            self.timer.set(timer);
        }
    }

    fn say(&self, state: State) {
        if self.state.replace(state) != state {
            (self.on_state)(state);
        }
    }

    fn hidden(&self) -> bool {
        self.window.document().is_some_and(|document| document.hidden())
    }
}
