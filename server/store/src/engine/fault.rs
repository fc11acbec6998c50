//! Errors of the engine. Each is one sentence with the problem and a remedy.

use std::{fmt, io};

use sqlx::{error::DatabaseError, postgres::PgDatabaseError};

use super::transaction::WRITE_TIMEOUT;
use crate::error::Error;

/// Failure reported by the engine.
#[derive(Debug)]
pub struct Fault {
    pub(super) kind: FaultKind,
    /// Name of the database in messages, if known.
    pub(crate) database: Option<String>,
    /// Whether it made a change fail.
    pub(super) is_of_writing: bool,
    pub(super) error: sqlx::Error,
}

/// Kind of failure. Derived from SQLite's result codes, see <https://www.sqlite.org/rescode.html>, and PostgreSQL's
/// SQLSTATE codes, see <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    Locked,
    ReadOnly,
    Moved,
    Unopenable,
    NotADatabase,
    Full,
    Corrupt,
    /// I/O error, with SQLite's extended code.
    Disk(i32),
    /// The server is down, is starting or stopping, or has no free connection.
    Unreachable,
    /// The server rolled back the transaction in favour of another. A retry may succeed.
    Undone,
    /// The server denies svc access.
    Refused,
    Other,
}

impl FaultKind {
    pub(super) fn of(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => match error.code() {
                Some(code) if is_of_server(error.as_ref()) => Self::of_state(&code),
                Some(code) => code.parse().map_or(Self::Other, Self::of_code),
                None => Self::Other,
            },
            sqlx::Error::PoolTimedOut => Self::Locked,
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => {
                Self::Unreachable
            }
            _ => Self::Other,
        }
    }

    /// Maps a SQLSTATE code.
    fn of_state(code: &str) -> Self {
        match code {
            // lock_not_available
            "55P03" => Self::Locked,
            // serialization_failure, deadlock_detected
            "40001" | "40P01" => Self::Undone,
            // read_only_sql_transaction
            "25006" => Self::ReadOnly,
            "53100" => Self::Full,
            // too_many_connections, admin_shutdown, crash_shutdown, cannot_connect_now
            "53300" | "57P01" | "57P02" | "57P03" => Self::Unreachable,
            "XX001" | "XX002" => Self::Corrupt,
            // insufficient_privilege, invalid_catalog_name
            "42501" | "3D000" => Self::Refused,
            // connection_exception, invalid_authorization_specification
            _ if code.starts_with("08") => Self::Unreachable,
            _ if code.starts_with("28") => Self::Refused,
            _ => Self::Other,
        }
    }

    fn of_code(code: i32) -> Self {
        match code {
            // SQLITE_READONLY_DBMOVED
            1032 => Self::Moved,
            // The low byte is the primary code of all extended codes.
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
    pub(crate) fn new(error: sqlx::Error) -> Self {
        Self { kind: FaultKind::of(&error), database: None, is_of_writing: false, error }
    }

    fn is_temporary(&self) -> bool {
        match &self.error {
            // The peer is no database server, or its certificate is for another host.
            sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => false,
            sqlx::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => false,
            _ => {
                matches!(self.kind, FaultKind::Unreachable | FaultKind::Undone | FaultKind::Locked)
            }
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.kind == FaultKind::Locked && matches!(self.error, sqlx::Error::Database(_))
    }
}

fn is_of_server(error: &(dyn DatabaseError + 'static)) -> bool {
    error.try_downcast_ref::<PgDatabaseError>().is_some()
}

/// Whether a retry may succeed: the server rolled back the transaction in favour of another, was restarted, or was
/// replaced by another.
pub(super) fn may_pass(error: &sqlx::Error) -> bool {
    matches!(FaultKind::of(error), FaultKind::Undone | FaultKind::Unreachable)
}

impl Error {
    pub(super) fn kind(&self) -> Option<FaultKind> {
        match self {
            Self::Database(fault) => Some(fault.kind),
            _ => None,
        }
    }

    /// Adds the name of the database, unless the error already contains one.
    pub(crate) fn about(self, database: &str) -> Self {
        match self.of(&database) {
            error if error.names_the_database() => error,
            error => Self::About { database: database.to_owned(), error: Box::new(error) },
        }
    }

    /// Whether a retry may succeed later without a change of settings: the server is not up yet or has no free
    /// connection, or another process has been writing for a long time.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Database(fault) => fault.is_temporary(),
            Self::About { error, .. } => error.is_temporary(),
            Self::Busy(_) => true,
            _ => false,
        }
    }

    /// Whether the error means that a change was not made.
    #[must_use]
    pub fn is_of_writing(&self) -> bool {
        match self {
            Self::Database(fault) => fault.is_of_writing,
            Self::About { error, .. } => error.is_of_writing(),
            Self::Busy(_) => true,
            _ => false,
        }
    }

    /// Text of the error, with the name of the database.
    pub(super) fn text_of(&self, database: &str) -> String {
        match self {
            Self::Database(fault) if fault.database.is_none() => {
                sentence(&fault.error, Some(database))
            }
            other => other.to_string(),
        }
    }

    /// Adds the name of the database to the error.
    pub(super) fn of(self, database: &impl fmt::Display) -> Self {
        match self {
            Self::Database(fault) if fault.database.is_none() => {
                Self::Database(Fault { database: Some(database.to_string()), ..fault })
            }
            other => other,
        }
    }
}

// No source: the sentence is complete, and printing causes would repeat it.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sentence(&self.error, self.database.as_deref()))
    }
}

/// Returns a failure as a sentence about the database of this name, if there is one.
pub(super) fn sentence(error: &sqlx::Error, database: Option<&str>) -> String {
    let (kind, plain) = (FaultKind::of(error), plain(error));
    let is_of_server = error.as_database_error().is_some_and(is_of_server);
    let name = database.map_or_else(String::new, |name| format!(" {name}"));
    let fault = match (kind, is_of_server) {
        (FaultKind::Locked, false) => "is locked by another process: try again when it is done".to_owned(),
        (FaultKind::Locked, true) => format!(
            "did not get to this change within {} seconds, because others were changing the same: try again",
            WRITE_TIMEOUT.as_secs()
        ),
        (FaultKind::ReadOnly, false) => {
            "is read-only: make the file and its folder writable for the user that svc runs as, and check \
             whether the file system is mounted read-only"
                .to_owned()
        }
        (FaultKind::ReadOnly, true) => {
            "is read-only: svc needs the primary server, not a replica. Name all servers in the URL, and it \
             finds the primary by itself"
                .to_owned()
        }
        (FaultKind::Moved, _) => {
            "was moved or replaced while it was open: restart svc to use the file that is there now"
                .to_owned()
        }
        (FaultKind::Unopenable, _) => {
            "cannot be opened: let the user that svc runs as read and write the file and its folder"
                .to_owned()
        }
        (FaultKind::NotADatabase, _) => {
            "is not a SQLite database: check the path. If it was one, its file has been overwritten: move it \
             away and run `svc db restore FILE` with a backup"
                .to_owned()
        }
        (FaultKind::Full, _) => {
            let whose = if is_of_server { "the server's" } else { "its" };
            format!(
                "cannot grow because {whose} disk is full: free some space. What was written before is safe"
            )
        }
        (FaultKind::Corrupt, false) => {
            "is damaged: stop the service and run `svc db restore FILE` with a backup; the damaged file is kept"
                .to_owned()
        }
        (FaultKind::Corrupt, true) => format!("is damaged: {plain}. Restore a backup of the server"),
        (FaultKind::Disk(code), _) => format!(
            "cannot be read or written: the system reported an I/O error (SQLite code {code}). Check the disk \
             and the system's log"
        ),
        (FaultKind::Unreachable, _) => format!(
            "cannot be reached: {plain}. Check that the server runs and accepts connections from here"
        ),
        (FaultKind::Refused, _) => format!(
            "does not let svc in: {plain}. Check the user, the password and the rights in the URL and on the \
             server"
        ),
        (FaultKind::Undone, _) => format!(
            "undid a change for the sake of another, again and again: {plain}. Try again"
        ),
        (FaultKind::Other, _) => format!("returned an unexpected error: {plain}"),
    };
    format!("the database{name} {fault}")
}

/// Returns the engine's own message, without the prefix added by sqlx.
pub(super) fn plain(error: &sqlx::Error) -> String {
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
            (&[5, 6, 261, 517][..], FaultKind::Locked),
            (&[8, 264, 776], FaultKind::ReadOnly),
            (&[1_032], FaultKind::Moved),
            // Not allowed, cannot open, is a folder, not authorised.
            (&[3, 14, 526, 23], FaultKind::Unopenable),
            (&[26], FaultKind::NotADatabase),
            (&[13], FaultKind::Full),
            (&[11, 267], FaultKind::Corrupt),
            (&[10], FaultKind::Disk(10)),
            (&[778], FaultKind::Disk(778)),
            (&[1, 19, 2_067], FaultKind::Other),
        ] {
            for code in codes {
                assert_eq!(FaultKind::of_code(*code), kind, "{code}");
            }
        }
    }

    #[test]
    fn what_passes_without_a_change_of_settings_is_temporary() {
        let io = |kind: io::ErrorKind| Fault::new(sqlx::Error::Io(kind.into()));
        for (fault, is_temporary) in [
            (io(io::ErrorKind::ConnectionRefused), true),
            (io(io::ErrorKind::TimedOut), true),
            (io(io::ErrorKind::NotFound), true),
            (Fault::new(sqlx::Error::PoolTimedOut), true),
            // The certificate of another host.
            (io(io::ErrorKind::InvalidData), false),
            (Fault::new(sqlx::Error::Protocol("HTTP".to_owned())), false),
            (Fault::new(sqlx::Error::Configuration("no host".into())), false),
        ] {
            assert_eq!(fault.is_temporary(), is_temporary, "{fault:?}");
        }
        for (state, is_temporary) in
            [("53300", true), ("57P03", true), ("28P01", false), ("3D000", false)]
        {
            let kind = FaultKind::of_state(state);
            let fault = Fault { kind, ..Fault::new(sqlx::Error::RowNotFound) };
            assert_eq!(fault.is_temporary(), is_temporary, "{state}");
        }
        assert!(Error::Busy(60).is_temporary());
        assert!(!Error::TooNew(9_999).is_temporary());
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
            Error::from(refused).of(&file.display()).to_string()
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
            format!("{database} returned an unexpected error: no such table: u")
        );
    }
}
