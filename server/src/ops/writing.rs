//! Probes whether the database is writable. Reads keep working where writes fail, for example on a full disk, so the
//! failure would go unnoticed until reports and keys are missing. Failed changes are noticed [at
//! once](Store::unwritable), with or without a probe.

use std::time::Duration;

use base::clock::Clock;
use store::Store;

/// Time between two probes. Each costs a write to the disk.
pub const TRY_EVERY: Duration = Duration::from_secs(30);
/// Time between two probes while they fail.
pub const RETRY_EVERY: Duration = Duration::from_secs(5);
/// Minimum time between two probes, however many changes request one.
const PAUSE: Duration = Duration::from_secs(1);

/// Probes forever. While a probe waits for another process, the last result stays.
pub async fn watch(store: &Store, clock: &Clock) {
    loop {
        // The store records the result.
        let _ = store.try_write().await;
        clock.sleep(PAUSE).await;
        let pause = if store.unwritable().is_none() { TRY_EVERY } else { RETRY_EVERY };
        tokio::select! {
            () = clock.sleep(pause - PAUSE) => {}
            () = store.writing_changes() => {}
        }
    }
}
