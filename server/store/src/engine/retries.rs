//! How often a transaction that was undone is tried again.

use std::time::{Duration, Instant};

use super::transaction::{WRITE_PATIENCE, WRITE_RETRY};
use crate::error::{Error, Result};

/// How often a transaction is tried again that the server undid for the sake of others.
const TRIES: u32 = 20;
/// How long the server may be away: a restart, or another server that takes over.
const ABSENCE: Duration = Duration::from_secs(10);
/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// The tries of one transaction.
#[derive(Debug)]
pub(super) struct Retries {
    began: Instant,
    made: u32,
}

impl Default for Retries {
    fn default() -> Self {
        Self { began: Instant::now(), made: 0 }
    }
}

impl Retries {
    /// Waits a moment if the same again may succeed.
    ///
    /// # Errors
    /// `error`, if it may not, or was tried often enough.
    pub(super) async fn pause(&mut self, error: Error) -> Result<()> {
        self.made += 1;
        let is_over = match () {
            () if error.is_undone() => self.made > TRIES,
            () if error.is_unreachable() => self.began.elapsed() > ABSENCE,
            () => true,
        };
        if is_over {
            return Err(error);
        }
        tracing::debug!(%error, tries = self.made, "a transaction is tried again");
        tokio::time::sleep((WRITE_RETRY * self.made * self.made).min(LONGEST_PAUSE)).await;
        Ok(())
    }
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
