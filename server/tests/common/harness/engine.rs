//! The engine under test and databases of it: SQLite unless `SVC_TEST_ENGINE` names another.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use scratch::postgres::{self, Server};
use sqlx::{AssertSqlSafe, Connection};
use store::secrets::Keyring;
use store::{self, Missing, Store};
use tempfile::TempDir;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

pub(super) fn under_test() -> Engine {
    match std::env::var("SVC_TEST_ENGINE").as_deref() {
        Err(_) | Ok("sqlite") => Engine::Sqlite,
        Ok("postgres") => Engine::Postgres,
        Ok(other) => panic!("SVC_TEST_ENGINE is {other:?}"),
    }
}

/// Name of the SQLite file in its folder.
const FILE: &str = "svc.db";

/// Location of a database. Dropping the value deletes everything it owns.
pub(super) enum Home {
    File { folder: PathBuf, _owned: Option<TempDir> },
    Server { database: postgres::Database, folder: TempDir },
}

impl Home {
    /// Location of an empty database. A SQLite file and its folder do not exist yet.
    pub(super) fn empty_in(folder: &Path) -> Self {
        match under_test() {
            Engine::Sqlite => Self::file_in(folder),
            Engine::Postgres => Self::on_server(),
        }
    }

    /// Location of a SQLite file that does not exist yet, independent of the engine under test.
    pub(super) fn file_in(folder: &Path) -> Self {
        Self::File { folder: folder.to_owned(), _owned: None }
    }

    pub(super) fn engine(&self) -> Engine {
        match self {
            Self::File { .. } => Engine::Sqlite,
            Self::Server { .. } => Engine::Postgres,
        }
    }

    /// Location of an empty PostgreSQL database, independent of the engine under test.
    pub(super) fn on_server() -> Self {
        Self::server(Server::shared().create(None))
    }

    /// Location of a migrated database.
    pub(super) fn migrated() -> Self {
        match under_test() {
            Engine::Sqlite => Self::file(),
            Engine::Postgres => Self::server(Server::shared().create(Some(template()))),
        }
    }

    /// Location of a migrated SQLite file, independent of the engine under test.
    pub(super) fn file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_migrated_file(&folder.path().join(FILE));
        Self::File { folder: folder.path().to_owned(), _owned: Some(folder) }
    }

    fn server(database: postgres::Database) -> Self {
        Self::Server { database, folder: tempfile::tempdir().unwrap() }
    }

    /// Folder of the SQLite file, or a folder for files that belong to a PostgreSQL database.
    pub(super) fn folder(&self) -> &Path {
        match self {
            Self::File { folder, .. } => folder,
            Self::Server { folder, .. } => folder.path(),
        }
    }

    pub(super) fn url(&self) -> String {
        match self {
            Self::File { folder, .. } => format!("sqlite://{}", folder.join(FILE).display()),
            Self::Server { database, .. } => database.url().to_owned(),
        }
    }

    /// File with the keys of webhook secrets.
    pub(super) fn key_file(&self) -> PathBuf {
        self.folder().join("svc.key")
    }

    pub(super) async fn open(&self, missing: Missing) -> Store {
        let keyring = match self {
            Self::File { .. } => None,
            Self::Server { .. } => Some(Keyring::of_file(self.key_file())),
        };
        store::open_with(&self.url(), missing, keyring).await.unwrap()
    }

    /// Creates the migrated database at this location.
    pub(super) fn migrate(&self) {
        match self {
            Self::File { folder, .. } => {
                std::fs::create_dir(folder).unwrap();
                write_migrated_file(&folder.join(FILE));
            }
            Self::Server { database, .. } => migrate(database.url()),
        }
    }

    /// Environment variables that point commands to the database. Empty if they find it without.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::File { .. } => Vec::new(),
            Self::Server { .. } => {
                let key_file = self.key_file().display().to_string();
                vec![("DATABASE_URL", self.url()), ("SVC_SECRET_KEY_FILE", key_file)]
            }
        }
    }
}

/// Name of a migrated database to copy, which is faster than migrating each one.
fn template() -> &'static str {
    const NAME: &str = "template_svc";
    static MIGRATED: OnceLock<()> = OnceLock::new();
    MIGRATED.get_or_init(|| {
        let server = Server::shared();
        server.create_named(NAME, None);
        migrate(&server.url(NAME));
    });
    NAME
}

/// Writes a migrated SQLite file. Copying one is faster than migrating each.
fn write_migrated_file(file: &Path) {
    static MIGRATED: OnceLock<Vec<u8>> = OnceLock::new();
    let migrated = MIGRATED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        migrate(&format!("sqlite://{}", file.display()));
        std::fs::read(file).unwrap()
    });
    std::fs::write(file, migrated).unwrap();
}

fn migrate(url: &str) {
    let mut migrate = Command::new(env!("CARGO_BIN_EXE_svc"));
    let migrated = migrate.args(["db", "migrate", "--database-url", url]).output().unwrap();
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
}

/// Runs statements on a new connection.
pub(super) async fn execute(url: &str, sql: &'static str) {
    run(url, sql.to_owned()).await;
}

/// Runs a `SELECT count(…)` on a new connection.
pub(super) async fn count(url: &str, sql: &'static str) -> i64 {
    if url.starts_with("sqlite:") {
        let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
        let count = sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        count
    } else {
        let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
        let count = sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        count
    }
}

/// Pairs of numbers, one per row, read on a new connection.
pub(super) async fn pairs(url: &str, sql: &'static str) -> Vec<(i64, i64)> {
    if url.starts_with("sqlite:") {
        let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
        sqlx::query_as(sql).fetch_all(&mut connection).await.unwrap()
    } else {
        let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
        sqlx::query_as(sql).fetch_all(&mut connection).await.unwrap()
    }
}

/// Makes every change of a kind fail, or run `statement` afterwards.
pub(super) async fn set_trigger(url: &str, when: &str, statement: Option<&str>) {
    let sql = if url.starts_with("sqlite:") {
        let action = statement.unwrap_or("SELECT raise(ABORT, 'not today')");
        format!("CREATE TRIGGER set_by_test {when} BEGIN {action}; END")
    } else {
        let action = statement.unwrap_or("RAISE EXCEPTION 'not today'");
        format!(
            "CREATE FUNCTION set_by_test() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN {action}; RETURN NEW; END $$;
             CREATE TRIGGER set_by_test {when} FOR EACH ROW EXECUTE FUNCTION set_by_test()"
        )
    };
    run(url, sql).await;
}

pub(super) async fn drop_trigger(url: &str, table: &str) {
    let sql = if url.starts_with("sqlite:") {
        "DROP TRIGGER set_by_test".to_owned()
    } else {
        format!("DROP TRIGGER set_by_test ON {table}; DROP FUNCTION set_by_test")
    };
    run(url, sql).await;
}

async fn run(url: &str, sql: String) {
    attempt(url, sql).await.unwrap();
}

/// Runs statements that may be refused.
pub(super) async fn attempt(url: &str, sql: String) -> Result<(), sqlx::Error> {
    if url.starts_with("sqlite:") {
        let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
        let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await;
        connection.close().await.unwrap();
        done.map(drop)
    } else {
        let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
        let sql = postgres::translated(&sql);
        let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await;
        connection.close().await.unwrap();
        done.map(drop)
    }
}

/// Uncommitted change of another process, on which others wait.
pub(crate) enum Held {
    Sqlite(sqlx::SqliteConnection),
    Postgres(sqlx::PgConnection),
}

impl Held {
    /// Blocks all other publishers until the change is committed.
    pub(crate) async fn hold(url: &str) -> Self {
        if url.starts_with("sqlite:") {
            let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
            sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
            Self::Sqlite(connection)
        } else {
            let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
            let lock = "BEGIN; SELECT version FROM data_version WHERE id = 1 FOR UPDATE";
            sqlx::raw_sql(lock).execute(&mut connection).await.unwrap();
            Self::Postgres(connection)
        }
    }

    /// Runs a statement as part of the change.
    pub(crate) async fn run(&mut self, sql: &'static str) {
        match self {
            Self::Sqlite(connection) => {
                sqlx::raw_sql(sql).execute(connection).await.unwrap();
            }
            Self::Postgres(connection) => {
                sqlx::raw_sql(sql).execute(connection).await.unwrap();
            }
        }
    }

    /// Commits the change.
    pub(crate) async fn commit(mut self) {
        self.run("COMMIT").await;
    }
}
