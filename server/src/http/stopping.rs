use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

/// That connections are to end: a token whose state is as cheap to look at as a flag. They look
/// whenever anything happens, and a token takes a lock each time.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopping {
    has_begun: Arc<AtomicBool>,
    token: CancellationToken,
}

impl Stopping {
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
