//! One `EventSource`, kept alive: a small machine with one timer.
//!
//! The timer always means "open anew", and is set to the patience that the moment calls for: 15 s
//! without any event while a stream is open, a back-off once one has been refused.

use super::{State, backoff};
use js_sys::{Function, JSON, Math};
use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Event, EventSource, MessageEvent, Window};

/// Three ticks of the server without a word, in milliseconds: the stream is dead, whatever TCP
/// believes.
const SILENCE: i32 = 15_000;

/// Opens the stream at `url` and keeps it open until the page goes away.
///
/// `events` names the events to hear; `on_event` gets the name and the parsed data of each, and
/// `on_state` every change of state. The server's `error` event (a tick that failed) is a state
/// here, not an event.
pub fn follow(
    url: &str,
    events: &'static [&'static str],
    on_event: impl Fn(&str, &JsValue) + 'static,
    on_state: impl Fn(State) + 'static,
) {
    let Some(window) = web_sys::window() else {
        return;
    };
    let stream = Rc::new(Stream {
        window,
        url: url.to_owned(),
        events,
        on_event: Box::new(on_event),
        on_state: Box::new(on_state),
        state: Cell::new(State::Waiting),
        failures: Cell::new(0),
        source: RefCell::new(None),
        timer: Cell::new(0),
        heard: OnceCell::new(),
        late: OnceCell::new(),
    });

    // The page's own lifetime is the stream's, so its callbacks are handed over for good.
    let this = stream.clone();
    let heard = Closure::<dyn Fn(Event)>::new(move |event| this.hear(&event)).into_js_value();
    let this = stream.clone();
    let late = Closure::<dyn Fn()>::new(move || this.give_up_waiting()).into_js_value();
    let heard = stream.heard.get_or_init(|| heard.unchecked_into());
    stream.late.get_or_init(|| late.unchecked_into());

    if let Some(document) = stream.window.document() {
        _ = document.add_event_listener_with_callback("visibilitychange", heard);
    }
    stream.open();
}

type OnEvent = Box<dyn Fn(&str, &JsValue)>;
type OnState = Box<dyn Fn(State)>;

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
    /// [`Stream::hear`] and [`Stream::give_up_waiting`], as the browser calls them.
    heard: OnceCell<Function>,
    late: OnceCell<Function>,
}

impl Stream {
    /// Opens, unless nobody looks: then the `visibilitychange` will.
    fn open(&self) {
        self.close();
        if self.hidden() {
            return;
        }
        let (Some(heard), Ok(source)) = (self.heard.get(), EventSource::new(&self.url)) else {
            return self.retry();
        };
        for name in self.events.iter().chain(&["error"]) {
            _ = source.add_event_listener_with_callback(name, heard);
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

    /// Every event of the stream and of the page ends up here.
    fn hear(&self, event: &Event) {
        let name = event.type_();
        if name == "visibilitychange" {
            self.failures.set(0);
            return self.open();
        }
        // The browser's own `error` says that the connection is in trouble. The server's event
        // of that name comes over a sound one, and is a message with data.
        let data = event.dyn_ref::<MessageEvent>().and_then(|message| message.data().as_string());
        let Some(data) = data else { return self.lose() };

        self.failures.set(0);
        self.wait(SILENCE);
        if name == "error" {
            self.say(State::Reconnecting);
        } else if let Ok(data) = JSON::parse(&data) {
            (self.on_event)(&name, &data);
            self.say(State::Live);
        }
    }

    /// The browser reconnects by itself, unless it has given up. Then it is our turn.
    fn lose(&self) {
        self.say(State::Reconnecting);
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

    fn give_up_waiting(&self) {
        self.say(State::Reconnecting);
        self.open();
    }

    fn wait(&self, milliseconds: i32) {
        self.window.clear_timeout_with_handle(self.timer.get());
        if let Some(late) = self.late.get()
            && let Ok(timer) = self
                .window
                .set_timeout_with_callback_and_timeout_and_arguments_0(late, milliseconds)
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
