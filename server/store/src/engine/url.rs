//! Database URLs.

mod servers;

use std::path::PathBuf;

use base::redaction::without_passwords;

pub(super) use self::servers::{ServersUrl, Wanted, address};
use super::sqlite;
use crate::error::{Error, Result};

/// Engine of a database, and its place.
#[derive(Debug)]
pub(super) enum DatabaseUrl {
    Sqlite(PathBuf),
    Postgres(ServersUrl),
}

impl DatabaseUrl {
    pub(super) fn parse(url: &str) -> Result<Self> {
        if let Some(path) = sqlite_path(url) {
            return Ok(Self::Sqlite(path));
        }
        if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(Error::UnknownScheme(without_passwords(url)));
        }
        let servers = ServersUrl::parse(url);
        let malformed = |reason| Error::MalformedUrl { url: without_passwords(url), reason };
        Ok(Self::Postgres(servers.map_err(malformed)?))
    }

    /// The absolute path of the file that `url` names, if it is one of SQLite: only its databases are files.
    pub(super) fn file(url: &str) -> Result<Option<PathBuf>> {
        match Self::parse(url)? {
            Self::Sqlite(path) => sqlite::absolute(&path).map(Some),
            Self::Postgres(_) => Ok(None),
        }
    }
}

fn sqlite_path(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"))?;
    // The mode that other tools want to be told is what this one does anyway.
    let path = path.strip_suffix("?mode=rwc").unwrap_or(path);
    let is_file = !path.is_empty() && path != ":memory:" && !path.contains('?');
    is_file.then(|| PathBuf::from(path))
}

/// Checks that `url` is one of a database.
///
/// # Errors
/// What is wrong with it, without the password.
pub fn check_url(url: &str) -> Result<()> {
    DatabaseUrl::parse(url).map(drop)
}

/// What to call the database that `url` names in messages, if it can be one: its absolute path, or the URL without
/// the password.
#[must_use]
pub fn name_of(url: &str) -> Option<String> {
    match DatabaseUrl::parse(url).ok()? {
        DatabaseUrl::Sqlite(path) => Some(sqlite::absolute(&path).ok()?.display().to_string()),
        DatabaseUrl::Postgres(servers) => Some(servers.name()),
    }
}
