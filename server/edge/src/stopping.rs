use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

/// How connections learn that the service is about to stop, in two steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopping {
    /// Requests are answered, but the next ones are to go to another node: a connection is used for
    /// no more than the request that comes next.
    pub(super) draining: Step,
    /// Connections end, after the requests in flight.
    pub(super) ending: Step,
}

/// A token whose state is as cheap to look at as a flag. Connections look whenever anything happens,
/// and a token takes a lock each time.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    has_begun: Arc<AtomicBool>,
    token: CancellationToken,
}

impl Step {
    /// Tells all connections.
    pub(super) fn begin(&self) {
        // In this order: whoever is woken sees it.
        self.has_begun.store(true, Ordering::Release);
        self.token.cancel();
    }

    pub(super) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Acquire)
    }

    /// Waits for it. Polled once, it wakes its task; from then on [`has_begun`](Self::has_begun) says
    /// whether that was the reason.
    pub(super) fn begun(&self) -> WaitForCancellationFuture<'_> {
        self.token.cancelled()
    }
}
