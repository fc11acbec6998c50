//! Whether the database can be written to. Reading goes on where writing does not, on a full disk for
//! example, so nobody would notice before reports and keys are missing.

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwapOption;

use crate::{clock::Clock, store::Store};

/// Between two tries. Each costs a write to the disk.
pub const TRY_EVERY: Duration = Duration::from_secs(30);
/// Between two tries while they fail.
pub const RETRY_EVERY: Duration = Duration::from_secs(5);

/// How the last try to write ended. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Writing(Arc<ArcSwapOption<String>>);

impl Writing {
    /// Why the database cannot be written to, as a sentence.
    pub fn problem(&self) -> Option<Arc<String>> {
        self.0.load_full()
    }

    /// Tries forever. While a try waits for another process, what the last one found stays.
    pub async fn watch(&self, store: &Store, clock: &Clock) {
        loop {
            match (store.try_write().await, self.problem()) {
                (Ok(()), None) => {}
                (Ok(()), Some(_)) => {
                    tracing::info!("the database can be written to again");
                    self.0.store(None);
                }
                (Err(error), before) => {
                    let problem = error.to_string();
                    if before.is_none_or(|before| *before != problem) {
                        tracing::error!(%error, "the database cannot be written to");
                    }
                    self.0.store(Some(Arc::new(problem)));
                }
            }
            clock.sleep(if self.problem().is_none() { TRY_EVERY } else { RETRY_EVERY }).await;
        }
    }
}
