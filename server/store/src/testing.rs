//! Databases for unit tests: SQLite, or PostgreSQL if `SVC_TEST_ENGINE` is `postgres`.

use std::ops::Deref;

use scratch::postgres;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::{
    Missing, Store,
    engine::{database::Database, sql},
    open_url, open_with,
};
use crate::secrets::Keyring;

/// Empty database for one test.
pub(crate) struct Scratch {
    store: Store,
    url: String,
    _home: Home,
}

/// Location of the database, which is removed when this is dropped.
#[expect(dead_code, reason = "counts by being dropped")]
enum Home {
    Folder(TempDir),
    Server(postgres::Database),
}

impl Scratch {
    /// Creates a database of the engine under test.
    pub(crate) async fn new() -> Self {
        match std::env::var_os("SVC_TEST_ENGINE") {
            Some(engine) if engine == "postgres" => Self::postgres().await,
            _ => Self::sqlite().await,
        }
    }

    /// Creates a PostgreSQL database.
    pub(crate) async fn postgres() -> Self {
        const TEMPLATE: &str = "template_svc";
        static MIGRATED: OnceCell<()> = OnceCell::const_new();
        let server = postgres::Server::shared();
        MIGRATED
            .get_or_init(|| async {
                server.create_named(TEMPLATE, None);
                open_url(&server.url(TEMPLATE), Missing::Create).await.unwrap().close().await;
            })
            .await;
        let database = server.create(Some(TEMPLATE));
        let url = database.url().to_owned();
        let keyring = Keyring::of_text(&"5".repeat(64)).unwrap();
        let store = open_with(&url, Missing::Refuse, Some(keyring)).await.unwrap();
        Self { store, url, _home: Home::Server(database) }
    }

    /// Creates an SQLite file.
    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let store = open_url(&url, Missing::Create).await.unwrap();
        Self { store, url, _home: Home::Folder(folder) }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Opens the same database like another process would.
    pub(crate) async fn again(&self) -> Store {
        open_with(&self.url, Missing::Refuse, Some(self.store.keyring.clone())).await.unwrap()
    }
}

impl Scratch {
    /// Tables that PostgreSQL reads completely for a statement, regardless of its parameters. The database must be
    /// PostgreSQL.
    pub(crate) async fn tables_read_whole(&self, statement: &str) -> Vec<String> {
        let mut connection = PgConnection::connect(&self.url).await.unwrap();
        let number = |rest: &str| {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..digits].parse::<usize>().unwrap()
        };
        let last = statement.split('$').skip(1).map(number).max().unwrap_or(0);
        let list = |of: &[&str]| {
            if of.is_empty() { String::new() } else { format!("({})", of.join(", ")) }
        };
        sqlx::query("SET plan_cache_mode = force_generic_plan")
            .execute(&mut connection)
            .await
            .unwrap();
        // A parameter whose type does not follow from the statement is a number.
        let mut types = vec!["unknown"; last];
        loop {
            let prepare = format!("PREPARE planned{} AS {statement}", list(&types));
            match sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut connection).await {
                Ok(_) => break,
                Err(error) => {
                    let error = error.to_string();
                    let (_, parameter) = error.split_once("type of parameter $").expect(&error);
                    types[number(parameter) - 1] = "bigint";
                }
            }
        }
        let parameters = list(&vec!["NULL"; last]);
        let explain = AssertSqlSafe(format!("EXPLAIN EXECUTE planned{parameters}"));
        let steps: Vec<String> =
            sqlx::query_scalar(explain).fetch_all(&mut connection).await.unwrap();
        let table = |step: &String| {
            Some(step.split_once("Seq Scan on ")?.1.split_whitespace().next()?.to_owned())
        };
        steps.iter().filter_map(table).collect()
    }
}

impl Deref for Scratch {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Store {
    /// Runs statements, separated by semicolons, like another client of the database would.
    pub(crate) async fn run(&self, statements: &str) {
        match &self.database {
            Database::Sqlite(sqlite) => {
                let statements = sqlx::raw_sql(AssertSqlSafe(statements.to_owned()));
                statements.execute(&sqlite.writer).await.unwrap();
            }
            Database::Postgres(server) => {
                let statements = sqlx::raw_sql(AssertSqlSafe(postgres::translated(statements)));
                statements.execute(&server.writers.pools().pool).await.unwrap();
            }
        }
    }

    /// Returns the single value of a statement's result.
    pub(crate) async fn value(&self, statement: &'static str) -> i64 {
        sql::query_scalar(statement).fetch_one(&self.readers).await.unwrap()
    }

    /// SQLite's query plan of a statement, step by step.
    pub(crate) async fn plan(&self, statement: &str) -> Vec<String> {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
        let plan: Vec<(i64, i64, i64, String)> =
            sql::query_as(explain).fetch_all(&self.readers).await.unwrap();
        plan.into_iter().map(|(.., step)| step).collect()
    }
}
