//! Probes whether the database can be written to. Reading goes on where writing does not, on a full disk for
//! example, so nobody would notice before reports and keys are missing. Changes that fail are noticed
//! [at once](Store::unwritable), whether or not there was a probe.

use std::time::Duration;

use base::clock::Clock;
use store::Store;

/// Between two probes. Each costs a write to the disk.
pub const TRY_EVERY: Duration = Duration::from_secs(30);
/// Between two probes while they fail.
pub const RETRY_EVERY: Duration = Duration::from_secs(5);
/// The shortest time between two probes, however many changes ask for one.
const PAUSE: Duration = Duration::from_secs(1);

/// Probes forever. While a probe waits for another process, what is known stays.
pub async fn watch(store: &Store, clock: &Clock) {
    loop {
        // The store notes how it ended.
        let _ = store.try_write().await;
        clock.sleep(PAUSE).await;
        let pause = if store.unwritable().is_none() { TRY_EVERY } else { RETRY_EVERY };
        tokio::select! {
            () = clock.sleep(pause - PAUSE) => {}
            () = store.writing_changes() => {}
        }
    }
}
