//! Database URLs.

mod servers;

use std::path::PathBuf;

use base::redaction::without_passwords;

pub(super) use self::servers::{ServersUrl, TargetSessionAttrs, address};
use super::sqlite;
use crate::error::{Error, Result};

/// Engine and location of a database.
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

    /// Absolute path of the file at `url`. `None` if the engine is not SQLite.
    pub(super) fn file(url: &str) -> Result<Option<PathBuf>> {
        match Self::parse(url)? {
            Self::Sqlite(path) => sqlite::absolute(&path).map(Some),
            Self::Postgres(_) => Ok(None),
        }
    }
}

fn sqlite_path(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"))?;
    // Other tools need this mode in the URL; svc behaves like it anyway.
    let path = path.strip_suffix("?mode=rwc").unwrap_or(path);
    let is_file = !path.is_empty() && path != ":memory:" && !path.contains('?');
    is_file.then(|| PathBuf::from(path))
}

/// Checks that `url` is a database URL.
///
/// # Errors
/// Reason why it is not, without the password.
pub fn check_url(url: &str) -> Result<()> {
    DatabaseUrl::parse(url).map(drop)
}

/// Name in messages of the database at `url`: its absolute path, or the URL without the password. `None` if the URL is
/// invalid.
#[must_use]
pub fn name_of(url: &str) -> Option<String> {
    match DatabaseUrl::parse(url).ok()? {
        DatabaseUrl::Sqlite(path) => Some(sqlite::absolute(&path).ok()?.display().to_string()),
        DatabaseUrl::Postgres(servers) => Some(servers.name()),
    }
}
