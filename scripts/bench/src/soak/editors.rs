//! Publications and withdrawals with the command line, as operators do them.

use std::time::Duration;

use anyhow::Result;
use tokio::time;

use crate::{
    context::Context,
    database::{Database, Made},
};

/// Number of reports published per second.
const BATCH: u64 = 10;
/// Seconds until they are withdrawn.
const STAY: u64 = 30;

pub(super) struct Editors {
    database: Database,
    made: Made,
    seconds: u64,
}

impl Editors {
    /// Imports the reports to publish.
    pub(super) async fn prepare(
        context: &Context,
        database: &Database,
        seconds: u64,
    ) -> Result<Self> {
        let made = Made { rows: seconds * BATCH, seed: 2, mode: None };
        database.import(context, &made).await?;
        Ok(Self { database: database.clone(), made, seconds })
    }

    /// Publishes some reports every second, and withdraws earlier ones.
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
