//! Lease that allows only one rebuild at a time: the findings of a rebuild are only valid while no other rebuild
//! corrects the same data.

use std::time::Duration;

use crate::{
    Store,
    engine::{
        sql::{self, Connection},
        transaction::{Times, Turn},
    },
    error::{Error, Result},
};

/// Time after its last heartbeat for which a rebuild counts as alive.
const LEASE: Duration = Duration::from_secs(10);
/// Interval between heartbeats of a rebuild.
const RENEWAL: Duration = Duration::from_secs(3);
/// Poll interval of a rebuild that waits for another.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Right to correct derived data. Every transaction that corrects [asserts](Self::assert) it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lease {
    number: i64,
}

impl Lease {
    /// Waits until no other rebuild is alive, and takes the lease. Calls `waiting` once if it has to wait.
    pub(super) async fn take(store: &Store, waiting: impl Fn()) -> Result<Self> {
        let mut told = false;
        loop {
            let taken = store
                .change(Turn::Publishing, |tx, Times { clock, .. }| {
                    Box::pin(async move {
                        let now = clock.timestamp_millis();
                        let taken = sql::query_scalar(
                            "UPDATE derived SET rebuild = rebuild + 1, rebuild_until = $1
                             WHERE id = 1 AND rebuild_until <= $2 RETURNING rebuild",
                        );
                        let until = now + LEASE.as_millis() as i64;
                        Ok(taken.bind(until).bind(now).fetch_optional(&mut **tx).await?)
                    })
                })
                .await?
                .done;
            if let Some(number) = taken {
                return Ok(Self { number });
            }
            if !std::mem::replace(&mut told, true) {
                waiting();
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Runs `work` and renews the lease in the meantime.
    pub(super) async fn during<T>(
        self,
        store: &Store,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let renewing = async {
            loop {
                tokio::time::sleep(RENEWAL).await;
                if let Err(error) = self.extend(store, LEASE).await {
                    return error;
                }
            }
        };
        let done = tokio::select! {
            done = work => done,
            error = renewing => Err(error),
        };
        // Ends the lease, so that another rebuild can begin immediately. If this fails, it has to wait until the lease
        // expires.
        let _ = self.extend(store, Duration::ZERO).await;
        done
    }

    async fn extend(self, store: &Store, by: Duration) -> Result<()> {
        store
            .change(Turn::Publishing, move |tx, Times { clock, .. }| {
                Box::pin(async move {
                    self.assert(tx).await?;
                    // Leases are compared with the clock, not with the times of changes.
                    let until = clock.timestamp_millis() + by.as_millis() as i64;
                    sql::query("UPDATE derived SET rebuild_until = $1 WHERE id = 1")
                        .bind(until)
                        .execute(&mut **tx)
                        .await?;
                    Ok(())
                })
            })
            .await?;
        Ok(())
    }

    /// # Errors
    /// [`Error::Superseded`] if another rebuild has taken the lease.
    pub(super) async fn assert(self, tx: &mut Connection) -> Result<()> {
        let number: i64 =
            sql::query_scalar("SELECT rebuild FROM derived WHERE id = 1").fetch_one(tx).await?;
        if number == self.number { Ok(()) } else { Err(Error::Superseded) }
    }
}
