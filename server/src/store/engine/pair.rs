//! Opening two databases, of which one becomes a copy of the other.

use std::{
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::{
    database::Database,
    open::{Missing, open_for_copy, open_url},
    sql,
    sqlite::{absolute, refuse_in_use},
    url::DatabaseUrl,
};
use crate::store::{
    Store,
    error::{Error, Result},
    name_of,
};

/// Two databases that are not the same.
#[derive(Debug)]
pub(in crate::store) struct Pair {
    pub source: Store,
    pub target: Store,
}

/// Opens both. The target is created, or brought up to date, if the source is all right.
///
/// # Errors
/// [`Error::SameDatabase`]; [`Error::InUse`] where another process has a target open that is a file; and those of
/// [`open_url`].
pub(in crate::store) async fn open_pair(from: &str, to: &str) -> Result<Pair> {
    let (from_file, to_file) = (file(from)?, file(to)?);
    if let (Some(from), Some(to)) = (&from_file, &to_file)
        && (from == to || inode(from).is_some_and(|inode| Some(inode) == self::inode(to)))
    {
        return Err(Error::SameDatabase(to.display().to_string()));
    }
    if let Some(file) = to_file.filter(|file| file.is_file()) {
        refuse_in_use(&file)?;
    }
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

fn about(error: Error, url: &str) -> Error {
    match name_of(url) {
        Some(name) => error.about(&name),
        None => error,
    }
}

fn file(url: &str) -> Result<Option<PathBuf>> {
    match DatabaseUrl::parse(url)? {
        DatabaseUrl::Sqlite(path) => absolute(&path).map(Some),
        DatabaseUrl::Postgres(_) => Ok(None),
    }
}

fn inode(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

impl Pair {
    async fn check(&self) -> Result<()> {
        for store in [&self.source, &self.target] {
            store.refuse_newer().await.map_err(|error| error.about(&store.name()))?;
        }
        self.refuse_same_server().await
    }

    async fn refuse_same_server(&self) -> Result<()> {
        let Self { source, target } = self;
        let (Database::Postgres(_), Database::Postgres(_)) = (&source.database, &target.database)
        else {
            return Ok(());
        };
        if source.place_on_server().await? == target.place_on_server().await? {
            return Err(Error::SameDatabase(target.name()));
        }
        Ok(())
    }
}

impl Store {
    /// What no two databases, or schemas in them, have in common, whatever URLs lead to them.
    async fn place_on_server(&self) -> Result<String> {
        let place = sql::query_scalar(
            "SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
                              (SELECT oid FROM pg_database WHERE datname = current_database()),
                              current_schema())",
        );
        place.fetch_one(&self.readers).await.map_err(|error| Error::from(error).about(&self.name()))
    }

    /// The same database, for writing many rows, in an order in which they need not refer to others that are
    /// there.
    pub(in crate::store) async fn unreferenced(&self) -> Result<Self> {
        let store = Self { database: self.database.unreferenced(), ..self.clone() };
        store.prepare_for_import().await?;
        Ok(store)
    }

    /// Closes what [`Store::unreferenced`] opened.
    pub(in crate::store) async fn close_writer(&self) {
        if let Database::Sqlite(_) = self.database {
            self.database.close().await;
        }
    }
}
