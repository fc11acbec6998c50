//! One rebuild at a time: what it found at the beginning is only true while no other one corrects the same.

use std::time::Duration;

use crate::{
    Store,
    engine::{
        sql::{self, Connection},
        transaction::{Times, Turn},
    },
    error::{Error, Result},
};

/// For how long a rebuild that says nothing is taken to be alive.
const LEASE: Duration = Duration::from_secs(10);
/// How often it says that it is.
const RENEWAL: Duration = Duration::from_secs(3);
/// How often another one looks whether it is over.
const LOOK: Duration = Duration::from_millis(200);

/// The right to correct what is derived. Every transaction that does [asserts](Self::assert) it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lease {
    number: i64,
}

impl Lease {
    /// Waits until no other rebuild is alive, and takes its place. Calls `waiting` once if there is one.
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
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Runs `work`, and says meanwhile that it is alive.
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
        // Whoever waits may begin at once. If this fails, they wait for the lease to end.
        let _ = self.extend(store, Duration::ZERO).await;
        done
    }

    async fn extend(self, store: &Store, by: Duration) -> Result<()> {
        store
            .change(Turn::Publishing, move |tx, Times { clock, .. }| {
                Box::pin(async move {
                    self.assert(tx).await?;
                    // Leases end by the clock, whatever time changes have.
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
    /// [`Error::Superseded`] if another rebuild took the place of this one.
    pub(super) async fn assert(self, tx: &mut Connection) -> Result<()> {
        let number: i64 =
            sql::query_scalar("SELECT rebuild FROM derived WHERE id = 1").fetch_one(tx).await?;
        if number == self.number { Ok(()) } else { Err(Error::Superseded) }
    }
}
