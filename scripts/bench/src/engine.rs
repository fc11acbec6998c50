//! The database engines.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use clap::ValueEnum;
use scratch::postgres::{self, Server};

use crate::budget::Budget;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

/// Typical settings of a server for an installation of this size. All others have their defaults,
/// so the server is durable.
const SETTINGS: [&str; 6] = [
    "shared_buffers=2GB",
    "effective_cache_size=12GB",
    "max_wal_size=8GB",
    "checkpoint_timeout=15min",
    "random_page_cost=1.1",
    "autovacuum=on",
];

impl Engine {
    /// Title of a section.
    pub(crate) fn titled(self, title: &str) -> String {
        match self {
            Self::Sqlite => title.to_owned(),
            Self::Postgres => format!("{title} on PostgreSQL"),
        }
    }

    /// Base name of a chart's files.
    pub(crate) fn named(self, name: &str) -> String {
        match self {
            Self::Sqlite => name.to_owned(),
            Self::Postgres => format!("{name}-postgres"),
        }
    }

    /// Budget: p99 of every read with a million or more reports, ms.
    pub(crate) const fn read(self) -> f64 {
        match self {
            Self::Sqlite => 8.0,
            Self::Postgres => 12.0,
        }
    }

    /// Budget: imported rows per second.
    pub(crate) const fn import(self) -> f64 {
        match self {
            Self::Sqlite => 80_000.0,
            Self::Postgres => 60_000.0,
        }
    }

    /// Budget: duration of a start, ms. With PostgreSQL, the server's time to accept connections is part of it.
    pub(crate) const fn start(self) -> Budget {
        match self {
            Self::Sqlite => Budget::AtMost(30.0),
            Self::Postgres => Budget::None,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        })
    }
}

/// A database on a server of this process. The first call starts the server.
pub(crate) fn on_server() -> Arc<postgres::Database> {
    static SERVER: OnceLock<Server> = OnceLock::new();
    Arc::new(SERVER.get_or_init(|| Server::start(&SETTINGS)).create(None))
}
