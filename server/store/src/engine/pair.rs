//! Opens the source and the target of a copy.

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

/// Number of polls for a service that uses the target: the connections of a service that has just stopped remain for a
/// moment.
const POLLS: u32 = 10;
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Two different databases.
#[derive(Debug)]
pub(crate) struct Pair {
    pub source: Store,
    pub target: Store,
}

/// Opens both databases. The target is created if the source can be opened.
///
/// # Errors
/// [`Error::SameDatabase`]; [`Error::InUse`] and [`Error::Served`] if others use the target, as far as that is visible;
/// [`Error::TooNew`] if a database has more migrations than this binary; and the errors of [`open_url`].
pub(crate) async fn open_pair(from: &str, to: &str) -> Result<Pair> {
    let (from_file, to_file) = (DatabaseUrl::file(from)?, DatabaseUrl::file(to)?);
    if let (Some(from), Some(to)) = (&from_file, &to_file)
        && (from == to || inode(from).is_some_and(|from| Some(from) == inode(to)))
    {
        return Err(Error::SameDatabase(to.display().to_string()));
    }
    if let Some(file) = to_file.filter(|file| file.is_file()) {
        // This process must not have the file open: closing the handle would drop its locks.
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
            // Two schemas of one database: a service that listens there may be using the source only.
            (Some((source, _)), Some((target, _))) if source == target => Ok(()),
            (_, Some(_)) => self.target.refuse_served().await,
            _ => Ok(()),
        }
    }
}

impl Store {
    /// Identity of a database and schema on a server, independent of the URL. The server's start time and a number
    /// identify the database.
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
    /// [`Error::Served`] while a service listens for announcements in this database.
    async fn refuse_served(&self) -> Result<()> {
        for _ in 0..POLLS {
            let listening = sql::query_scalar(AssertSqlSafe(format!(
                "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                                WHERE datname = current_database() AND query LIKE 'LISTEN \"{}\"%')",
                Topic::Data.channel()
            )));
            let listening = listening.fetch_one(&self.readers).await;
            if !listening.map_err(|error| Error::from(error).about(&self.name()))? {
                return Ok(());
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Err(Error::Served(self.name()))
    }
}
