//! Publications and withdrawals, by the command line as operators do.

use std::time::Duration;

use anyhow::Result;
use tokio::time;

use crate::{
    context::Context,
    database::{Database, Made},
};

/// Reports that are published in one second.
const BATCH: u64 = 10;
/// How many seconds later they are withdrawn.
const STAY: u64 = 30;

pub(super) struct Editors {
    database: Database,
    made: Made,
    seconds: u64,
}

impl Editors {
    /// Imports what is to be published.
    pub(super) async fn prepare(
        context: &Context,
        database: &Database,
        seconds: u64,
    ) -> Result<Self> {
        let made = Made { rows: seconds * BATCH, seed: 2, mode: None };
        database.import(context, &made).await?;
        Ok(Self { database: database.clone(), made, seconds })
    }

    /// Publishes some reports every second, and withdraws what was published a while ago.
    pub(super) async fn edit(self) -> Result<()> {
        let mut turns = time::interval(Duration::from_secs(1));
        for second in 0..self.seconds {
            turns.tick().await;
            self.decide("approve", second).await?;
            if let Some(before) = second.checked_sub(STAY) {
                self.decide("withdraw", before).await?;
            }
        }
        Ok(())
    }

    async fn decide(&self, decision: &str, second: u64) -> Result<()> {
        let ids: Vec<String> =
            (1..=BATCH).map(|number| self.made.id(second * BATCH + number)).collect();
        let mut arguments = vec!["reports", decision];
        arguments.extend(ids.iter().map(String::as_str));
        self.database.output(&arguments).await?;
        Ok(())
    }
}
