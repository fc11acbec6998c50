use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed},
};

use tokio::time::Instant;

use super::Timeouts;
use crate::detached_stream::TakeOver;

/// Current phase of a connection, for its time limits. The socket, the service and the connection's loop update it.
/// All of them run in one task, so nothing here is ever contended.
#[derive(Debug)]
pub(crate) struct Activity {
    pub(super) timeouts: &'static Timeouts,
    phase: AtomicU8,
    /// Start of the phase, in microseconds since `opened`.
    since: AtomicU64,
    opened: Instant,
    /// Whether hyper has written something that the socket has not taken yet.
    unflushed: AtomicBool,
    /// Whether some of the last request's body was not read.
    is_unread: AtomicBool,
    is_http2: AtomicBool,
    take_over: Mutex<Option<Box<TakeOver>>>,
}

/// Start of a phase that counts from the time of the next read.
const JUST_NOW: u64 = u64::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Phase {
    /// No request is being handled.
    Idle,
    /// The head of a request has begun to arrive.
    Head,
    /// A request is being handled.
    Busy,
    /// The last part of the response was given to hyper, but not all of it is written yet.
    Answered,
}

impl Activity {
    pub(super) fn new(timeouts: &'static Timeouts) -> Self {
        Self {
            timeouts,
            phase: AtomicU8::new(Phase::Idle as u8),
            since: AtomicU64::new(0),
            opened: Instant::now(),
            unflushed: AtomicBool::new(false),
            is_unread: AtomicBool::new(false),
            is_http2: AtomicBool::new(false),
            take_over: Mutex::new(None),
        }
    }

    fn phase(&self) -> Phase {
        match self.phase.load(Relaxed) {
            0 => Phase::Idle,
            1 => Phase::Head,
            2 => Phase::Busy,
            _ => Phase::Answered,
        }
    }

    fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
    }

    fn begin_now(&self) -> u64 {
        let since = u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(JUST_NOW - 1);
        self.since.store(since, Relaxed);
        since
    }

    /// Deadline of the phase, if it has a limit.
    pub(super) fn limit(&self) -> Option<(Phase, Instant)> {
        let phase = self.phase();
        let limit = match phase {
            Phase::Idle => self.timeouts.idle,
            Phase::Head => self.timeouts.head,
            Phase::Busy | Phase::Answered => return None,
        };
        let since = match self.since.load(Relaxed) {
            JUST_NOW => self.begin_now(),
            since => since,
        };
        let since = std::time::Duration::from_micros(since);
        Some((phase, self.opened + since + limit))
    }

    /// Records that data has arrived.
    pub(super) fn received(&self) {
        if self.phase() == Phase::Idle {
            // Nearly always the head is complete and the start is never read, so the clock is not read either.
            self.since.store(JUST_NOW, Relaxed);
            self.enter(Phase::Head);
        }
    }

    /// Records that the connection begins like HTTP/2.
    pub(super) fn http2(&self) {
        self.is_http2.store(true, Relaxed);
    }

    pub(super) fn is_http2(&self) -> bool {
        self.is_http2.load(Relaxed)
    }

    /// Records that a request is being handled from now on.
    pub(super) fn begin(&self) {
        self.is_unread.store(false, Relaxed);
        self.enter(Phase::Busy);
    }

    /// Records that the rest of the request's body will not be read.
    pub(super) fn left_unread(&self) {
        self.is_unread.store(true, Relaxed);
    }

    pub(super) fn is_unread(&self) -> bool {
        self.is_unread.load(Relaxed)
    }

    /// Records that the end of the response's body was reached.
    pub(super) fn answered(&self) {
        self.enter(Phase::Answered);
    }

    /// Whether a response is being sent. Otherwise, written data is hyper's own refusal of a malformed request.
    pub(super) fn is_responding(&self) -> bool {
        matches!(self.phase(), Phase::Busy | Phase::Answered)
    }

    pub(super) fn written(&self) {
        self.unflushed.store(true, Relaxed);
    }

    /// Records that the socket has accepted all written data.
    pub(super) fn flushed(&self) {
        self.unflushed.store(false, Relaxed);
        if self.phase() == Phase::Answered {
            self.begin_now();
            self.enter(Phase::Idle);
        }
    }

    pub(super) fn take_over(&self, take_over: TakeOver) {
        *self.take_over.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(take_over));
    }

    /// Returns the response that takes over the connection, once all earlier ones are written.
    pub(super) fn taken(&self) -> Option<Box<TakeOver>> {
        if self.phase() != Phase::Busy || self.unflushed.load(Relaxed) {
            return None;
        }
        self.take_over.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
