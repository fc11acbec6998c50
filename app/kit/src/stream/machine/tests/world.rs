//! A browser with several pages, and a server. Time is virtual, in milliseconds.

use crate::stream::machine::{Action, Event, Group, Machine, is_of};
use std::{
    collections::{BTreeMap, VecDeque},
    mem::{replace, take},
};

/// Time between two ticks of the server.
const TICK: u64 = 5_000;
/// Delay before a browser reconnects on its own.
const RETRY: u64 = 3_000;
/// Time after which a world must be at rest, if nothing happens: the longest back-off, and the
/// longest silence before a page takes over, both after an attempt that was silent.
pub(super) const REST: u64 = 60_000 + 25_000 + 15_000 + 10_000;

/// Server's behaviour towards streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Server {
    #[default]
    Up,
    /// Accepts no connection. Open streams fail.
    Down,
    /// Responds with an error. Open streams end. `polls` is whether views can be polled.
    Refusing { polls: bool },
    /// Accepts connections, but sends nothing.
    Silent,
    /// Sends at each tick that it cannot read the data.
    Failing,
}

/// Events that happen later, each with the number of its page.
#[derive(Debug)]
enum Later {
    Message(usize, String),
    /// For the timer with this number.
    Timeout(usize, u64),
    /// For the request for the lock with this number.
    LockGranted(usize, u64),
    LockLost(usize, u64),
    /// For the source with this number.
    Connect(usize, u64),
    Fetched(usize, Option<String>),
    Tick,
}

struct Source {
    id: u64,
    views: Vec<String>,
    is_open: bool,
}

pub(super) struct Page {
    view: String,
    machine: Machine,
    is_gone: bool,
    is_frozen: bool,
    /// Delay of messages to this page.
    pub(super) delay: u64,
    /// Events that a frozen page has not handled yet.
    backlog: Vec<Later>,
    is_in_channel: bool,
    /// Number of the page's request for the lock; 0 if it neither waits for it nor has it.
    lock_request: u64,
    timer: u64,
    /// Duration of the current timer.
    pub(super) wait: i32,
    source: Option<Source>,
    /// Latest data that the page has received.
    data: Option<u32>,
    /// Last sign that the page has received.
    pub(super) sign: Option<bool>,
}

#[derive(Default)]
pub(super) struct World {
    now: u64,
    /// Number of things that have happened, which numbers timers and sources.
    count: u64,
    seed: u64,
    /// Number of events that have happened.
    happened: usize,
    later: BTreeMap<(u64, u64), Later>,
    pub(super) pages: Vec<Page>,
    has_no_channel: bool,
    has_no_locks: bool,
    server: Server,
    /// Version of the server's data.
    version: u32,
    /// Page that holds the lock, and pages that wait for it.
    holder: Option<usize>,
    queue: VecDeque<usize>,
    /// Number of streams that have been opened, and of requests for polled data.
    pub(super) opens: usize,
    pub(super) fetches: usize,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut world = Self { seed, ..Self::default() };
        world.plan(TICK, Later::Tick);
        world
    }

    pub(super) fn without_locks(seed: u64) -> Self {
        Self { has_no_locks: true, ..Self::new(seed) }
    }

    pub(super) fn without_channel(seed: u64) -> Self {
        Self { has_no_channel: true, ..Self::new(seed) }
    }

    /// Opens a visible page with this id and view. Returns its number.
    pub(super) fn open(&mut self, id: &str, view: &str) -> usize {
        self.pages.push(Page {
            view: view.to_owned(),
            machine: Machine::new(view, id.to_owned()),
            is_gone: false,
            is_frozen: false,
            delay: 1,
            backlog: Vec::new(),
            is_in_channel: false,
            lock_request: 0,
            timer: 0,
            wait: 0,
            source: None,
            data: None,
            sign: None,
        });
        let page = self.pages.len() - 1;
        self.show(page);
        page
    }

    pub(super) fn show(&mut self, page: usize) {
        let state = &mut self.pages[page];
        if state.machine.is_hidden() && !state.is_gone {
            state.is_in_channel = !self.has_no_channel;
            self.handle(page, Event::Shown { has_channel: !self.has_no_channel });
        }
    }

    pub(super) fn hide(&mut self, page: usize) {
        self.handle(page, Event::Hidden);
    }

    /// Ends a page without an event.
    pub(super) fn crash(&mut self, page: usize) {
        let state = &mut self.pages[page];
        (state.is_gone, state.is_in_channel, state.source) = (true, false, None);
        self.release_lock(page);
    }

    pub(super) fn freeze(&mut self, page: usize) {
        self.pages[page].is_frozen = true;
    }

    pub(super) fn thaw(&mut self, page: usize) {
        self.pages[page].is_frozen = false;
        for later in take(&mut self.pages[page].backlog) {
            self.happen(later);
        }
    }

    /// Takes the lock from its holder, as any script of the origin can.
    pub(super) fn lose_lock(&mut self) {
        if let Some(page) = self.holder.take() {
            let request = self.pages[page].lock_request;
            self.plan(1, Later::LockLost(page, request));
            self.grant_lock();
        }
    }

    pub(super) fn set_server(&mut self, server: Server) {
        self.server = server;
        if !matches!(server, Server::Down | Server::Refusing { .. }) {
            return;
        }
        for page in 0..self.pages.len() {
            let Page { source: Some(source), is_frozen, .. } = &mut self.pages[page] else {
                continue;
            };
            if source.is_open {
                source.is_open = false;
                let (id, is_frozen) = (source.id, *is_frozen);
                self.plan(RETRY, Later::Connect(page, id));
                if !is_frozen {
                    self.handle(page, Event::SourceFailed { has_given_up: false });
                }
            }
        }
    }

    /// Changes the server's data.
    pub(super) fn publish(&mut self) {
        self.version += 1;
    }

    pub(super) fn run(&mut self, milliseconds: u64) {
        let end = self.now + milliseconds;
        while let Some(next) = self.later.first_entry() {
            if next.key().0 > end {
                break;
            }
            self.now = next.key().0;
            let later = next.remove();
            self.happened += 1;
            assert!(self.happened < 100_000, "pages never come to rest: {later:?}");
            self.happen(later);
        }
        self.now = end;
    }

    pub(super) fn visible(&self) -> Vec<usize> {
        let is_visible = |page: &Page| !page.is_gone && !page.machine.is_hidden();
        (0..self.pages.len()).filter(|page| is_visible(&self.pages[*page])).collect()
    }

    /// Pages with a stream.
    pub(super) fn leaders(&self) -> Vec<usize> {
        (0..self.pages.len()).filter(|page| self.pages[*page].source.is_some()).collect()
    }

    pub(super) fn lock_holder(&self) -> Option<usize> {
        self.holder
    }

    pub(super) fn is_sharing(&self, page: usize) -> bool {
        self.pages[page].is_in_channel
    }

    /// Whether a page shows the server's current data, and is live.
    pub(super) fn is_live(&self, page: usize) -> bool {
        let page = &self.pages[page];
        page.sign == Some(true) && page.data == Some(self.version)
    }

    /// Views of a page's stream.
    pub(super) fn views(&self, page: usize) -> &[String] {
        self.pages[page].source.as_ref().map_or(&[], |source| &source.views)
    }

    fn plan(&mut self, delay: u64, later: Later) {
        self.count += 1;
        self.later.insert((self.now + delay, self.count), later);
    }

    /// A number from 0 to 1 (SplitMix64).
    fn chance(&mut self) -> f64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn happen(&mut self, later: Later) {
        let page = match later {
            Later::Tick => return self.tick(),
            Later::Message(page, _)
            | Later::Timeout(page, _)
            | Later::LockGranted(page, _)
            | Later::LockLost(page, _)
            | Later::Connect(page, _)
            | Later::Fetched(page, _) => page,
        };
        let state = &mut self.pages[page];
        if state.is_gone {
        } else if state.is_frozen {
            state.backlog.push(later);
        } else {
            match later {
                Later::Message(_, text) if state.is_in_channel => {
                    self.handle(page, Event::Message(&text));
                }
                Later::Timeout(_, timer) if timer == state.timer => {
                    self.handle(page, Event::Timeout);
                }
                Later::LockGranted(_, request) if request == state.lock_request => {
                    self.handle(page, Event::LockGranted);
                }
                Later::LockLost(_, request) if request == state.lock_request => {
                    state.lock_request = 0;
                    self.handle(page, Event::LockLost);
                }
                Later::Connect(_, id) => self.connect(page, id),
                Later::Fetched(_, lines) => self.handle(page, Event::Fetched(lines.as_deref())),
                _ => {}
            }
        }
    }

    fn handle(&mut self, page: usize, event: Event) {
        if self.pages[page].is_gone {
            return;
        }
        let chance = self.chance();
        // Another machine stands in while the page's own causes changes of the world.
        let mut machine = replace(&mut self.pages[page].machine, Machine::new("", String::new()));
        machine.on(event, chance, &mut |action| self.perform(page, action));
        self.pages[page].machine = machine;
        self.check(page);
    }

    fn perform(&mut self, page: usize, action: Action) {
        match action {
            Action::Broadcast(message) => {
                for other in 0..self.pages.len() {
                    if other != page && self.pages[page].is_in_channel {
                        let delay = self.pages[other].delay;
                        self.plan(delay, Later::Message(other, message.text()));
                    }
                }
            }
            Action::LeaveChannel => self.pages[page].is_in_channel = false,
            Action::RequestLock => {
                assert_eq!(self.pages[page].lock_request, 0, "page {page} requests the lock once");
                self.count += 1;
                self.pages[page].lock_request = self.count;
                if !self.has_no_locks {
                    self.queue.push_back(page);
                    self.grant_lock();
                }
            }
            Action::ReleaseLock => self.release_lock(page),
            Action::Open(query) => {
                self.opens += 1;
                self.count += 1;
                let id = self.count;
                let views = query.split('&').map(|view| view["view=".len()..].to_owned()).collect();
                self.pages[page].source = Some(Source { id, views, is_open: false });
                self.plan(20, Later::Connect(page, id));
            }
            Action::CloseSource => self.pages[page].source = None,
            Action::Fetch(query) => {
                self.fetches += 1;
                let can_poll = matches!(self.server, Server::Up | Server::Refusing { polls: true });
                let lines = can_poll.then(|| {
                    let views = query.split('&').map(|view| &view["view=".len()..]);
                    views.map(|view| self.data(view) + "\n").collect()
                });
                self.plan(20, Later::Fetched(page, lines));
            }
            Action::Wait(milliseconds) => {
                assert!(milliseconds > 0);
                self.count += 1;
                let timer = self.count;
                (self.pages[page].timer, self.pages[page].wait) = (timer, milliseconds);
                self.plan(u64::from(milliseconds.unsigned_abs()), Later::Timeout(page, timer));
            }
            Action::Data(data) => {
                assert!(is_of(data, &self.pages[page].view), "{data}");
                let (_, version) = data.trim_end_matches('}').rsplit_once(':').unwrap();
                self.pages[page].data = Some(version.parse().unwrap());
            }
            Action::Sign { is_good } => self.pages[page].sign = Some(is_good),
        }
    }

    /// Properties that hold after each event.
    fn check(&self, page: usize) {
        let Page { machine, source, is_in_channel, .. } = &self.pages[page];
        let is_leading = machine.is_leading();
        assert!(source.is_none() || is_leading, "page {page} has a stream and does not lead");
        let has_lock = machine.group == Group::LockHolder;
        assert!(!has_lock || is_leading, "page {page} keeps the lock and does not lead");
        assert_eq!(machine.group != Group::Alone, *is_in_channel, "page {page} in the channel");
        if machine.is_hidden() {
            assert!(!is_in_channel, "page {page} is hidden and in the channel");
            let has_lock = self.holder == Some(page) || self.queue.contains(&page);
            assert!(!has_lock, "page {page} is hidden and has the lock or waits for it");
        }
    }

    fn grant_lock(&mut self) {
        if self.holder.is_none()
            && let Some(page) = self.queue.pop_front()
        {
            self.holder = Some(page);
            let request = self.pages[page].lock_request;
            self.plan(1, Later::LockGranted(page, request));
        }
    }

    fn release_lock(&mut self, page: usize) {
        self.pages[page].lock_request = 0;
        self.queue.retain(|waiting| *waiting != page);
        if self.holder == Some(page) {
            self.holder = None;
            self.grant_lock();
        }
    }

    fn data(&self, view: &str) -> String {
        format!(r#"{{"view":"{view}","version":{}}}"#, self.version)
    }

    fn connect(&mut self, page: usize, id: u64) {
        let Some(source) = self.pages[page].source.as_mut().filter(|source| source.id == id) else {
            return;
        };
        match self.server {
            Server::Down => {
                self.plan(RETRY, Later::Connect(page, id));
                self.handle(page, Event::SourceFailed { has_given_up: false });
            }
            Server::Refusing { .. } => {
                self.handle(page, Event::SourceFailed { has_given_up: true });
            }
            _ => {
                source.is_open = true;
                self.send(page);
            }
        }
    }

    fn tick(&mut self) {
        self.plan(TICK, Later::Tick);
        for page in 0..self.pages.len() {
            let state = &self.pages[page];
            if !state.is_frozen && state.source.as_ref().is_some_and(|source| source.is_open) {
                self.send(page);
            }
        }
    }

    /// Sends what a tick has.
    fn send(&mut self, page: usize) {
        match self.server {
            Server::Up => {
                for view in self.views(page).to_vec() {
                    let data = self.data(&view);
                    self.handle(page, Event::View(&data));
                }
                self.handle(page, Event::Sign { is_good: true });
            }
            Server::Failing => self.handle(page, Event::Sign { is_good: false }),
            _ => {}
        }
    }
}
