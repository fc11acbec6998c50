//! Errors of the engine, each as one sentence that says what is wrong and what to do.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use crate::store::error::Error;

/// A failure that the engine reported.
#[derive(Debug)]
pub struct Fault {
    kind: Kind,
    file: Option<PathBuf>,
    error: sqlx::Error,
}

/// By SQLite's result codes, see <https://www.sqlite.org/rescode.html>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Locked,
    ReadOnly,
    Moved,
    Unopenable,
    NotADatabase,
    Full,
    Corrupt,
    /// With the extended code.
    Disk(i32),
    Other,
}

impl Kind {
    fn of(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => {
                error.code().and_then(|code| code.parse().ok()).map_or(Self::Other, Self::of_code)
            }
            sqlx::Error::PoolTimedOut => Self::Locked,
            _ => Self::Other,
        }
    }

    fn of_code(code: i32) -> Self {
        match code {
            // SQLITE_READONLY_DBMOVED
            1032 => Self::Moved,
            // The low byte is what the extended codes have in common.
            _ => match code & 0xff {
                5 | 6 => Self::Locked,
                8 => Self::ReadOnly,
                10 => Self::Disk(code),
                11 => Self::Corrupt,
                13 => Self::Full,
                3 | 14 | 23 => Self::Unopenable,
                26 => Self::NotADatabase,
                _ => Self::Other,
            },
        }
    }
}

impl Fault {
    pub(in crate::store) fn new(error: sqlx::Error) -> Self {
        Self { kind: Kind::of(&error), file: None, error }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// The database's file, if known.
    pub(in crate::store) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// What the engine itself says.
    pub(super) fn plain(&self) -> String {
        plain(&self.error)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.kind == Kind::Locked && matches!(self.error, sqlx::Error::Database(_))
    }
}

impl Error {
    #[cfg(test)]
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Self::Database(fault) => Some(fault.kind()),
            _ => None,
        }
    }

    /// The same, about the database in this file.
    pub(super) fn of(self, file: &Path) -> Self {
        match self {
            Self::Database(fault) if fault.file.is_none() => {
                Self::Database(Fault { file: Some(file.to_owned()), ..fault })
            }
            other => other,
        }
    }
}

// No source: the sentence says all of it, and whoever prints causes would say it twice.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the database")?;
        if let Some(file) = &self.file {
            write!(f, " {}", file.display())?;
        }
        match self.kind {
            Kind::Locked => f.write_str(" is locked by another process: try again when it is done"),
            Kind::ReadOnly => f.write_str(
                " is read-only: make the file and its folder writable for the user that svc runs \
                 as, and check whether the file system is mounted read-only",
            ),
            Kind::Moved => f.write_str(
                " was moved or replaced while it was open: restart svc to use the file that is \
                 there now",
            ),
            Kind::Unopenable => f.write_str(
                " cannot be opened: let the user that svc runs as read and write the file and its \
                 folder",
            ),
            Kind::NotADatabase => f.write_str(
                " is not a SQLite database: check the path. If it was one, its file has been \
                 overwritten: move it away and run `svc db restore FILE` with a backup",
            ),
            Kind::Full => f.write_str(
                " cannot grow because its disk is full: free some space. What was written before \
                 is safe",
            ),
            Kind::Corrupt => f.write_str(
                " is damaged: stop the service and run `svc db restore FILE` with a backup; the \
                 damaged file is kept",
            ),
            Kind::Disk(code) => write!(
                f,
                " cannot be read or written: the system reported an I/O error (SQLite code {code}). \
                 Check the disk and the system's log",
            ),
            Kind::Other => write!(f, " did not answer as it should: {}", self.plain()),
        }
    }
}

/// Without what sqlx puts around the engine's own words.
fn plain(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Connection;

    use super::*;

    #[test]
    fn every_code_with_its_extensions_is_one_kind() {
        for (codes, kind) in [
            // Busy, locked, busy in recovery, busy because of a snapshot.
            (&[5, 6, 261, 517][..], Kind::Locked),
            (&[8, 264, 776], Kind::ReadOnly),
            (&[1_032], Kind::Moved),
            // Not allowed, cannot open, is a folder, not authorised.
            (&[3, 14, 526, 23], Kind::Unopenable),
            (&[26], Kind::NotADatabase),
            (&[13], Kind::Full),
            (&[11, 267], Kind::Corrupt),
            (&[10], Kind::Disk(10)),
            (&[778], Kind::Disk(778)),
            (&[1, 19, 2_067], Kind::Other),
        ] {
            for code in codes {
                assert_eq!(Kind::of_code(*code), kind, "{code}");
            }
        }
    }

    #[tokio::test]
    async fn a_fault_of_the_engine_is_said_once_and_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("svc.db");
        let url = format!("sqlite://{}?mode=rwc", file.display());
        let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql("CREATE TABLE t (a); PRAGMA max_page_count = 2")
            .execute(&mut connection)
            .await
            .unwrap();
        let mut said = async |sql: &'static str| {
            let refused = sqlx::raw_sql(sql).execute(&mut connection).await.unwrap_err();
            Error::from(refused).of(&file).to_string()
        };
        let database = format!("the database {}", file.display());
        assert_eq!(
            said("INSERT INTO t VALUES (zeroblob(100000))").await,
            format!(
                "{database} cannot grow because its disk is full: free some space. What was written \
                 before is safe"
            )
        );
        assert_eq!(
            said("PRAGMA query_only = ON; INSERT INTO t VALUES (1)").await,
            format!(
                "{database} is read-only: make the file and its folder writable for the user that \
                 svc runs as, and check whether the file system is mounted read-only"
            )
        );
        assert_eq!(
            said("SELECT * FROM u").await,
            format!("{database} did not answer as it should: no such table: u")
        );
    }
}
