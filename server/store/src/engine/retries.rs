//! Retries of transactions that were rolled back.

use std::time::{Duration, Instant};

use super::{
    fault::FaultKind,
    transaction::{WRITE_RETRY, WRITE_TIMEOUT},
};
use crate::error::{Error, Result};

/// Maximum number of retries of a transaction that the server rolled back in favour of others.
const TRIES: u32 = 20;
/// Maximum downtime of the server: a restart, or a failover to another server.
const ABSENCE: Duration = Duration::from_secs(10);
/// Maximum pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Waits a moment if a retry may succeed after `tries` attempts, the first of which started at `began`.
///
/// # Errors
/// `error`, if a retry cannot succeed or there were too many.
pub(super) async fn pause(error: Error, tries: u32, began: Instant) -> Result<()> {
    let is_over = match error.kind() {
        Some(FaultKind::Undone) => tries > TRIES,
        Some(FaultKind::Unreachable) => began.elapsed() > ABSENCE,
        _ => true,
    };
    if is_over {
        return Err(error);
    }
    tracing::debug!(%error, tries, "a transaction is tried again");
    tokio::time::sleep((WRITE_RETRY * tries * tries).min(LONGEST_PAUSE)).await;
    Ok(())
}

/// Waits a moment if `error` means that another process is writing. Returns any other error, and this one after
/// [`WRITE_TIMEOUT`].
pub(crate) async fn wait_if_busy(error: Error, began: Instant) -> Result<()> {
    match error {
        Error::Database(fault) if fault.is_busy() => {
            if began.elapsed() > WRITE_TIMEOUT {
                return Err(Error::Busy(WRITE_TIMEOUT.as_secs()));
            }
            tokio::time::sleep(WRITE_RETRY).await;
            Ok(())
        }
        other => Err(other),
    }
}
