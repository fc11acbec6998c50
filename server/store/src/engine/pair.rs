//! Opening two databases, of which one becomes a copy of the other.

use std::time::Duration;

use sqlx::AssertSqlSafe;

use super::{
    announcements::Topic,
    open::{Missing, open_for_copy, open_url},
    sql::{self, Engine},
    sqlite::{Alone, inode},
    url::DatabaseUrl,
};
use crate::{
    Store,
    error::{Error, Result},
    name_of,
};

/// How often it is looked whether a service uses the target: one that was stopped just now is there for a moment.
const LOOKS: u32 = 10;
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Two databases that are not the same.
#[derive(Debug)]
pub(crate) struct Pair {
    pub source: Store,
    pub target: Store,
}

/// Opens both. The target is created if the source is all right.
///
/// # Errors
/// [`Error::SameDatabase`]; [`Error::InUse`] and [`Error::Served`] where others use the target, as far as that can
/// be seen; [`Error::TooNew`] where one has more than this binary knows; and those of [`open_url`].
pub(crate) async fn open_pair(from: &str, to: &str) -> Result<Pair> {
    let (from_file, to_file) = (DatabaseUrl::file(from)?, DatabaseUrl::file(to)?);
    if let (Some(from), Some(to)) = (&from_file, &to_file)
        && (from == to || inode(from).is_some_and(|from| Some(from) == inode(to)))
    {
        return Err(Error::SameDatabase(to.display().to_string()));
    }
    if let Some(file) = to_file.filter(|file| file.is_file()) {
        // This process must not have it open, because it would lose its locks.
        drop(Alone::with(&file)?);
    }
    let about = |error: Error, url| error.about(&name_of(url).unwrap_or_default());
    let source = open_url(from, Missing::Refuse).await.map_err(|error| about(error, from))?;
    let target = match open_for_copy(to).await {
        Ok(target) => target,
        Err(error) => {
            source.close().await;
            return Err(about(error, to));
        }
    };
    let pair = Pair { source, target };
    match pair.check().await {
        Ok(()) => Ok(pair),
        Err(error) => {
            pair.source.close().await;
            pair.target.close().await;
            Err(error)
        }
    }
}

impl Pair {
    async fn check(&self) -> Result<()> {
        for store in [&self.source, &self.target] {
            store.refuse_newer().await.map_err(|error| error.about(&store.name()))?;
        }
        let (source, target) = (self.source.place().await?, self.target.place().await?);
        match (source, target) {
            (Some(source), Some(target)) if source == target => {
                Err(Error::SameDatabase(self.target.name()))
            }
            // Whoever uses one may use the other.
            (Some((source, _)), Some((target, _))) if source == target => Ok(()),
            (_, Some(_)) => self.target.refuse_served().await,
            _ => Ok(()),
        }
    }
}

impl Store {
    /// Database and schema of a server, whatever URLs there are for it: the database is the time at which the server
    /// was started, and a number.
    async fn place(&self) -> Result<Option<(String, Option<String>)>> {
        if self.engine() == Engine::Sqlite {
            return Ok(None);
        }
        let place = sql::query_as(
            "SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
                              (SELECT oid FROM pg_database WHERE datname = current_database())),
                    current_schema()::text",
        );
        let place = place.fetch_one(&self.readers).await;
        place.map(Some).map_err(|error| Error::from(error).about(&self.name()))
    }

    /// # Errors
    /// [`Error::Served`] while a service listens to what is announced in this database.
    async fn refuse_served(&self) -> Result<()> {
        for _ in 0..LOOKS {
            let listening = sql::query_scalar(AssertSqlSafe(format!(
                "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                                WHERE datname = current_database() AND query LIKE 'LISTEN \"{}\"%')",
                Topic::Data.channel()
            )));
            let listening = listening.fetch_one(&self.readers).await;
            if !listening.map_err(|error| Error::from(error).about(&self.name()))? {
                return Ok(());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Err(Error::Served(self.name()))
    }
}
