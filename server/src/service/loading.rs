//! Reading what a service needs before it can serve, and waiting for a database that is not there yet.
//!
//! A node that ends because its database is away is started again and again by its supervisor, and answers nobody. So it
//! waits, listens, and says in every answer that it waits. It does not wait for what only people can change, such as a
//! wrong password: that ends the process, with an error that says what to change.

use std::time::Duration;

use base::{clock::Clock, random::Random};
use store::{self, Store};

use super::{Error, Listeners, waiting::Waiting};
use crate::{answers::snapshot::Snapshots, config, keys::Keys, watchdog::Watchdog};

/// Time between two tries to use a database that is away.
const TRY_EVERY: Duration = Duration::from_secs(1);

/// A database, and what a service remembers of it from the start.
#[derive(Debug)]
pub struct Loaded {
    pub(super) store: Store,
    pub(super) snapshots: Snapshots,
    pub(super) keys: Keys,
}

impl Loaded {
    /// Reads the first snapshot and the keys.
    ///
    /// # Errors
    /// The database cannot be read, or its webhook secrets cannot be decrypted.
    pub async fn of(store: Store, clock: &Clock) -> store::Result<Self> {
        let store = store.with_clock(clock.clone());
        match Self::read(&store, clock).await {
            Ok((snapshots, keys)) => Ok(Self { store, snapshots, keys }),
            Err(error) => {
                store.close().await;
                Err(error)
            }
        }
    }

    async fn read(store: &Store, clock: &Clock) -> store::Result<(Snapshots, Keys)> {
        store.subscriptions().check_secrets().await?;
        let background = store.background();
        let snapshots = Snapshots::start(background.clone(), clock.clone()).await?;
        let snapshots = snapshots.with_watchdog(Watchdog::of_supervisor());
        Ok((snapshots, Keys::start(background, clock.clone()).await?))
    }

    /// The same of the database that `open` opens, and the sockets to serve it on. While the database is away, it is
    /// tried once a second, and the sockets answer that the service waits. Safe to cancel.
    ///
    /// # Errors
    /// An error that does not pass by itself; an address that cannot be listened on.
    pub async fn when_possible(
        settings: &config::Serve,
        clock: &Clock,
        random: &Random,
        open: impl AsyncFn() -> store::Result<Store>,
    ) -> Result<(Self, Listeners), Error> {
        let load = async || Self::of(open().await?, clock).await;
        let first = match load().await {
            Ok(loaded) => return Ok((loaded, Listeners::bind(settings, clock).await?)),
            Err(error) if error.is_temporary() => error,
            Err(error) => return Err(error.into()),
        };
        let listeners = Listeners::bind(settings, clock).await?;
        let waiting = Waiting::start(&listeners, settings, clock, random, first.to_string());
        let waiting =
            waiting.map_err(|why| Error::Listen { flag: "--addr", addr: settings.addr, why })?;
        tracing::warn!(
            error = %first,
            "the database cannot be used yet: this node waits for it, and answers requests with 503"
        );
        loop {
            clock.sleep(TRY_EVERY).await;
            match load().await {
                Ok(loaded) => {
                    tracing::info!("the database can be used: this node begins to serve");
                    waiting.end().await;
                    return Ok((loaded, listeners));
                }
                Err(error) if error.is_temporary() => waiting.because(error.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
