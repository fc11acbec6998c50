//! The states of a page that takes part in the shared stream, without a browser: [`Machine::on`]
//! changes the state after an event, and calls for the actions that the browser must perform.
//!
//! A page that detects no leader announces itself as the leader. If two pages do so at once, the
//! one whose id sorts first remains, as soon as they receive each other's messages. A leader
//! announces when it leaves. If it cannot, the browser's lock, for which all pages wait, passes to
//! the next page at once. Without locks, as on pages without TLS, the other pages notice the
//! silence. Only a leader keeps the lock, and hidden pages neither hold it nor wait for it.
//!
//! There is one timer. Its timeout always means that something has not happened in time: a moment
//! for other pages to announce their views, 15 s while a stream is open, a back-off after a stream
//! was refused. Until a refused stream is open again, its views are polled.

mod backoff;
mod event;
mod message;
#[cfg(test)]
mod tests;
mod views;

pub(super) use self::{
    event::{Event, SOURCE_EVENTS},
    message::CHANNEL,
};
use self::{
    message::Message,
    views::{Added, StreamViews, is_of},
};
use std::ops::Range;

/// Timeout of an open stream, in milliseconds: three ticks of the server. After this silence the
/// stream counts as dead, even if TCP reports it as alive.
const SILENCE: i32 = 15_000;
/// Maximum time between two polls, in milliseconds.
const POLL: i32 = 10_000;
/// Shortest time for all pages to announce their views before they are requested, in milliseconds.
const ROLL_CALL: i32 = 100;
/// Timeout for a response of the leader, in milliseconds. It is long enough for a busy page, and
/// random for each page, so that they do not all take over. Pages with locks don't wait.
const ANSWER: Range<i32> = 300..900;
/// Time without messages before a page takes over, in milliseconds. Longer than the leader needs to
/// announce that its stream is silent.
const SILENCE_TIMEOUT: Range<i32> = SILENCE + 5_000..SILENCE + 10_000;

/// An action of the browser. None causes another event before it returns.
#[derive(Clone, Copy)]
pub(super) enum Action<'a> {
    /// Sends a message to all other pages.
    Broadcast(Message<'a>),
    /// Leaves the channel; [`Event::Shown`] reports that the page is in it again.
    LeaveChannel,
    RequestLock,
    /// Releases the lock, or withdraws the request for it.
    ReleaseLock,
    /// Opens a stream with this query, instead of an earlier one.
    Open(&'a str),
    CloseSource,
    /// Fetches once the data that a stream with this query would send.
    Fetch(&'a str),
    /// Restarts the timer with this many milliseconds.
    Wait(i32),
    /// Passes on data of the page's view.
    Data(&'a str),
    /// Passes on whether the page's data are up to date.
    Sign {
        is_good: bool,
    },
}

/// Performs an action. Owned actions in a list would need more code.
type Act<'a> = &'a mut dyn FnMut(Action);

/// Membership in the group of pages that share a stream.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    /// Not in the channel.
    Alone,
    /// In the channel, and waiting for the lock.
    Member,
    /// In the channel, and holding the lock. The page leads.
    LockHolder,
}

enum State {
    Hidden,
    /// Looking for a leader.
    Asking,
    /// Another page leads. `is_served` is whether it has sent data of this page's view.
    Following {
        is_served: bool,
    },
    /// This page leads.
    Leading(Lead),
}

/// A page's lead.
struct Lead {
    stage: Stage,
    /// Views of all pages. The first is the page's own.
    views: StreamViews,
    /// Failures in a row since the stream's last event.
    failures: u32,
    /// Whether the last sign was bad.
    is_bad: bool,
}

/// Stages of a lead.
#[derive(Clone, Copy)]
enum Stage {
    /// Collecting the views of all pages. An earlier stream may still be open.
    Gathering,
    /// The stream is open or connecting. `is_reconnecting` is whether the browser is reconnecting
    /// on its own.
    Streaming { is_reconnecting: bool },
    /// The stream was refused. `pause` is the remaining time until the next attempt, and `wait` the
    /// part of it before the next poll, in milliseconds.
    Polling { pause: i32, wait: i32 },
}

/// See the [module](self).
pub(super) struct Machine {
    view: String,
    /// Id of this page. If two pages lead, the one whose id sorts first remains the leader.
    id: String,
    group: Group,
    state: State,
    /// Duration of the next roll call, in milliseconds. A view that arrives after the stream was
    /// opened, perhaps as a late answer, multiplies it by four; each sign of the stream halves it.
    roll_call: i32,
    /// Random number from 0 to 1, for the current event.
    chance: f64,
}

impl Machine {
    pub(super) fn new(view: &str, id: String) -> Self {
        let (group, state) = (Group::Alone, State::Hidden);
        Self { view: view.to_owned(), id, group, state, roll_call: ROLL_CALL, chance: 0.0 }
    }

    pub(super) fn is_hidden(&self) -> bool {
        matches!(self.state, State::Hidden)
    }

    /// Handles an event. `chance` is a random number from 0 to 1.
    pub(super) fn on(&mut self, event: Event, chance: f64, act: Act) {
        self.chance = chance;
        match event {
            Event::Shown { has_channel } => {
                if has_channel {
                    self.wait_for_lock(act);
                    self.ask(act);
                } else {
                    self.lead(act);
                }
            }
            Event::Hidden => {
                if self.is_leading() {
                    act(Action::CloseSource);
                    act(Action::Broadcast(Message::Leave));
                }
                self.leave_group(act);
                self.state = State::Hidden;
            }
            Event::Message(text) => {
                if let Some(message) = Message::parse(text)
                    && self.group != Group::Alone
                {
                    if self.is_leading() {
                        self.on_message_to_leader(message, act);
                    } else {
                        self.on_message(message, act);
                    }
                }
            }
            Event::LockGranted => {
                if self.group == Group::Alone {
                    return act(Action::ReleaseLock);
                }
                self.group = Group::LockHolder;
                if !self.is_leading() {
                    self.lead(act);
                }
            }
            Event::LockLost => {
                if self.group == Group::LockHolder {
                    self.wait_for_lock(act);
                }
            }
            Event::Timeout => self.on_timeout(act),
            Event::View(data) => {
                self.on_connected(act);
                self.spread_data(data, act);
            }
            Event::Sign { is_good } => {
                self.on_connected(act);
                self.spread_sign(is_good, act);
            }
            Event::SourceFailed { has_given_up } => self.on_source_failed(has_given_up, act),
            Event::Fetched(lines) => self.on_fetched(lines, act),
        }
    }

    /// Handles another page's message, unless this page leads.
    fn on_message(&mut self, message: Message, act: Act) {
        let (was_following, mut is_served) = match self.state {
            State::Following { is_served } => (true, is_served),
            _ => (false, false),
        };
        // Whether the leader has no data to send, because its stream is opening or failing.
        let mut is_waiting = false;
        match message {
            Message::Show(_) => return,
            Message::Leave => return self.ask(act),
            Message::Full(view) => {
                if view == self.view {
                    self.leave_group(act);
                    self.lead(act);
                }
                return;
            }
            Message::Lead(_) => {
                is_waiting = true;
                act(Action::Broadcast(Message::Show(&self.view)));
            }
            Message::Data(data) => is_served |= pass_on(data, &self.view, act),
            Message::Good(_) => {
                if is_served {
                    act(Action::Sign { is_good: true });
                }
            }
            Message::Bad(_) => {
                is_waiting = true;
                act(Action::Sign { is_good: false });
            }
        }
        // A page that has a leader but receives no data must not wait forever, unless the leader
        // receives none either.
        if !was_following || is_served || is_waiting {
            self.wait_within(SILENCE_TIMEOUT, act);
        }
        self.state = State::Following { is_served };
    }

    fn on_message_to_leader(&mut self, message: Message, act: Act) {
        match message {
            Message::Show(view) => self.serve(view, act),
            // Another page claims to lead.
            Message::Lead(id) | Message::Good(id) | Message::Bad(id) => {
                if id > &*self.id {
                    return act(Action::Broadcast(Message::Lead(&self.id)));
                }
                act(Action::CloseSource);
                // If this page kept the lock, a crash of the new leader would be noticed late.
                if self.group == Group::LockHolder {
                    act(Action::ReleaseLock);
                    self.wait_for_lock(act);
                }
                self.ask(act);
            }
            Message::Leave | Message::Full(_) | Message::Data(_) => {}
        }
    }

    /// Handles another page's view: sends its last data, or includes it in the stream.
    fn serve(&mut self, view: &str, act: Act) {
        let State::Leading(lead) = &mut self.state else { return };
        let is_bad = lead.is_bad;
        let is_open = matches!(lead.stage, Stage::Streaming { is_reconnecting: false });
        match lead.views.add(view) {
            Added::Before(last) => {
                if !last.is_empty() {
                    act(Action::Broadcast(Message::Data(last)));
                }
            }
            _ if is_open && lead.failures == 0 => {
                // Only pages that answer are carried: others may have left without a message, even
                // the one that sent this view.
                self.gather(act);
                self.roll_call *= 4;
            }
            Added::Full => return act(Action::Broadcast(Message::Full(view))),
            Added::New => match &mut lead.stage {
                Stage::Gathering => {}
                // The browser would reconnect without the view. Opening another stream at once
                // would ignore the delay that the server has set.
                Stage::Streaming { .. } => self.retry(act),
                Stage::Polling { wait, .. } => {
                    // The next poll comes sooner; the next attempt does not.
                    *wait = 0;
                    act(Action::Wait(ROLL_CALL));
                }
            },
        }
        act(Action::Broadcast(sign(!is_bad, &self.id)));
    }

    fn on_timeout(&mut self, act: Act) {
        match &mut self.state {
            State::Hidden => {}
            State::Asking | State::Following { is_served: true } => self.lead(act),
            State::Following { is_served: false } => {
                // The leader sends other views only.
                self.leave_group(act);
                self.lead(act);
            }
            State::Leading(lead) => match &mut lead.stage {
                Stage::Gathering => self.open(act),
                Stage::Streaming { .. } => {
                    self.open(act);
                    self.spread_sign(false, act);
                }
                Stage::Polling { pause, wait } => {
                    *pause -= *wait;
                    if *pause > 0 { self.poll(act) } else { self.gather(act) }
                }
            },
        }
    }

    /// Handles an event of the stream, which shows that it is connected.
    fn on_connected(&mut self, act: Act) {
        if let State::Leading(lead) = &mut self.state {
            lead.failures = 0;
            if let Stage::Streaming { is_reconnecting } = &mut lead.stage {
                *is_reconnecting = false;
                act(Action::Wait(SILENCE));
            }
        }
    }

    /// Handles a lost connection. The browser reconnects once on its own, after the delay set by
    /// the server, which spreads the clients of a restarting server. If that fails too, or the
    /// browser has given up, this page makes all attempts until the next event, because the
    /// browser's attempts come at a fixed rate.
    fn on_source_failed(&mut self, has_given_up: bool, act: Act) {
        if let State::Leading(lead) = &mut self.state {
            match &mut lead.stage {
                Stage::Streaming { is_reconnecting: is_reconnecting @ false }
                    if lead.failures == 0 && !has_given_up =>
                {
                    *is_reconnecting = true;
                    self.spread_sign(false, act);
                }
                _ => self.retry(act),
            }
        }
    }

    fn on_fetched(&mut self, lines: Option<&str>, act: Act) {
        // Without a failure, the next stream may have sent newer data.
        if let State::Leading(Lead { failures: 1.., .. }) = self.state {
            for line in lines.unwrap_or_default().split_terminator('\n') {
                self.spread_data(line, act);
            }
            self.spread_sign(lines.is_some(), act);
        }
    }

    fn is_leading(&self) -> bool {
        matches!(self.state, State::Leading(_))
    }

    /// Looks for a leader.
    fn ask(&mut self, act: Act) {
        self.state = State::Asking;
        act(Action::Broadcast(Message::Show(&self.view)));
        self.wait_within(ANSWER, act);
    }

    fn wait_for_lock(&mut self, act: Act) {
        self.group = Group::Member;
        act(Action::RequestLock);
    }

    fn lead(&mut self, act: Act) {
        let mut views = StreamViews::default();
        views.add(&self.view);
        self.state =
            State::Leading(Lead { stage: Stage::Gathering, views, failures: 0, is_bad: false });
        self.gather(act);
    }

    /// Collects the views of all pages, and then opens a stream.
    fn gather(&mut self, act: Act) {
        let State::Leading(lead) = &mut self.state else { return };
        lead.views.reset();
        if self.group == Group::Alone {
            return self.open(act);
        }
        lead.stage = Stage::Gathering;
        act(Action::Broadcast(Message::Lead(&self.id)));
        act(Action::Wait(self.roll_call));
    }

    fn open(&mut self, act: Act) {
        if let State::Leading(lead) = &mut self.state {
            lead.stage = Stage::Streaming { is_reconnecting: false };
            act(Action::Open(&lead.views.query()));
            act(Action::Wait(SILENCE));
        }
    }

    /// Polls until the next attempt to open a stream.
    fn retry(&mut self, act: Act) {
        if let State::Leading(lead) = &mut self.state {
            let pause = backoff::delay(lead.failures, self.chance);
            lead.failures += 1;
            lead.stage = Stage::Polling { pause, wait: 0 };
            act(Action::CloseSource);
            self.poll(act);
        }
    }

    fn poll(&mut self, act: Act) {
        if let State::Leading(lead) = &mut self.state
            && let Stage::Polling { pause, wait } = &mut lead.stage
        {
            *wait = POLL.min(*pause);
            act(Action::Wait(*wait));
            act(Action::Fetch(&lead.views.query()));
        }
    }

    /// Handles data of some view, as the leader.
    fn spread_data(&mut self, data: &str, act: Act) {
        if let State::Leading(lead) = &mut self.state {
            lead.views.keep(data);
            act(Action::Broadcast(Message::Data(data)));
            pass_on(data, &self.view, act);
        }
    }

    /// Handles a sign that the data are up to date, or could not be read, as the leader.
    fn spread_sign(&mut self, is_good: bool, act: Act) {
        if let State::Leading(lead) = &mut self.state {
            lead.is_bad = !is_good;
            self.roll_call = ROLL_CALL.max(self.roll_call >> 1);
            if !is_good || lead.views.has_first() {
                act(Action::Sign { is_good });
            }
            act(Action::Broadcast(sign(is_good, &self.id)));
        }
    }

    /// Shares no stream with other pages from now on, until the page is shown again.
    fn leave_group(&mut self, act: Act) {
        if self.group != Group::Alone {
            self.group = Group::Alone;
            act(Action::ReleaseLock);
            act(Action::LeaveChannel);
        }
    }

    fn wait_within(&self, times: Range<i32>, act: Act) {
        let length = f64::from(times.end - times.start);
        act(Action::Wait(times.start + (length * self.chance) as i32));
    }
}

fn sign(is_good: bool, id: &str) -> Message<'_> {
    if is_good { Message::Good(id) } else { Message::Bad(id) }
}

/// Passes on data, if they belong to this view. Returns whether they do.
fn pass_on(data: &str, view: &str, act: Act) -> bool {
    let is_own = is_of(data, view);
    if is_own {
        act(Action::Data(data));
    }
    is_own
}
