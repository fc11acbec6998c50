use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

/// Signals for connections that the service is about to stop, in two steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopping {
    /// First step: requests are handled, but later ones should reach another node. Each connection handles at most
    /// one more request.
    pub(super) draining: Step,
    /// Second step: connections end after the requests in flight.
    pub(super) ending: Step,
}

/// Token whose state is as cheap to read as a flag. Connections read it at every event, and reading a plain token
/// takes a lock.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    has_begun: Arc<AtomicBool>,
    token: CancellationToken,
}

impl Step {
    /// Notifies all connections.
    pub(super) fn begin(&self) {
        // In this order, so that woken tasks see the flag.
        self.has_begun.store(true, Ordering::Release);
        self.token.cancel();
    }

    pub(super) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Acquire)
    }

    /// Waits for the step. After one poll, the step wakes the task, which then checks
    /// [`has_begun`](Self::has_begun) for the reason.
    pub(super) fn begun(&self) -> WaitForCancellationFuture<'_> {
        self.token.cancelled()
    }
}
