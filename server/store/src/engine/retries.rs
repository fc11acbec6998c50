//! Retries of transactions that were undone.

use std::time::{Duration, Instant};

use super::{
    fault::Kind,
    transaction::{WRITE_PATIENCE, WRITE_RETRY},
};
use crate::error::{Error, Result};

/// Maximum number of retries of a transaction that the server undid for the sake of others.
const TRIES: u32 = 20;
/// Time that the server may be away: a restart, or another server that takes over.
const ABSENCE: Duration = Duration::from_secs(10);
/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Waits a moment if a transaction that began to be tried at `began` may succeed after so many `tries`.
///
/// # Errors
/// `error`, if it may not, or was tried often enough.
pub(super) async fn pause(error: Error, tries: u32, began: Instant) -> Result<()> {
    let is_over = match error.kind() {
        Some(Kind::Undone) => tries > TRIES,
        Some(Kind::Unreachable) => began.elapsed() > ABSENCE,
        _ => true,
    };
    if is_over {
        return Err(error);
    }
    tracing::debug!(%error, tries, "a transaction is tried again");
    tokio::time::sleep((WRITE_RETRY * tries * tries).min(LONGEST_PAUSE)).await;
    Ok(())
}

/// Waits a moment if `error` says that another process is writing. Returns the error if it says anything
/// else, or when [`WRITE_PATIENCE`] has passed.
pub(crate) async fn wait_if_busy(error: Error, began: Instant) -> Result<()> {
    match error {
        Error::Database(fault) if fault.is_busy() => {
            if began.elapsed() > WRITE_PATIENCE {
                return Err(Error::Busy(WRITE_PATIENCE.as_secs()));
            }
            tokio::time::sleep(WRITE_RETRY).await;
            Ok(())
        }
        other => Err(other),
    }
}
