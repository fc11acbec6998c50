//! Statements, for whichever engine a database has.
//!
//! sqlx checks types per engine, at compile time; a use case here is written once for both. So a statement is
//! its text and a list of [`Value`]s, and becomes one of sqlx's when it is run, where the engine is known. Rows
//! are decoded by sqlx: a [`Record`] is what both engines' rows can be read as. sqlx has an engine for "any"
//! database, too, but that knows neither arrays nor the engines' own statements, and keeps no statements
//! prepared.
//!
//! What runs a statement is boxed: else every use case would have room in it for each way to run each of its
//! statements, and they would not fit the stack.
//!
//! Placeholders are `$n`. Text in which the number of rows varies is put together by a [`Builder`].

mod builder;
mod connection;
mod dialect;
mod value;

use futures_util::{
    FutureExt, StreamExt, TryStreamExt,
    future::{self, BoxFuture},
    stream::{self, BoxStream},
};
use sqlx::{Either, Executor, FromRow, SqlSafeStr, SqlStr, postgres::PgRow, sqlite::SqliteRow};

use super::fault;

pub(crate) use self::{
    builder::{Builder, RowValues},
    connection::{Connection, Engine, Pool, Target},
    value::Value,
};

/// Type that rows of both engines can be read as.
pub(crate) trait Record:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

impl<R> Record for R where
    R: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

/// A row that was not read yet.
#[derive(Debug)]
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    pub(crate) fn read<'r, R>(&'r self) -> sqlx::Result<R>
    where
        R: FromRow<'r, SqliteRow> + FromRow<'r, PgRow>,
    {
        match self {
            Self::Sqlite(row) => R::from_row(row),
            Self::Postgres(row) => R::from_row(row),
        }
    }
}

/// A statement whose rows are read as `R`.
#[must_use = "a statement does nothing until it is run"]
pub(crate) struct Query<R = Row> {
    statement: Statement,
    read: fn(Row) -> sqlx::Result<R>,
}

/// A statement with its values.
#[derive(Clone, Debug)]
struct Statement {
    text: SqlStr,
    values: Vec<Value>,
    persistent: bool,
}

/// A statement of which only the effect matters, or whose rows are read later.
pub(crate) fn query(text: impl SqlSafeStr) -> Query {
    read_by(text, Ok)
}

/// A statement whose rows are read as `R`.
pub(crate) fn query_as<R: Record>(text: impl SqlSafeStr) -> Query<R> {
    read_by(text, |row| row.read())
}

/// A statement whose rows have one column, a `V`.
pub(crate) fn query_scalar<V>(text: impl SqlSafeStr) -> Query<V>
where
    (V,): Record,
{
    read_by(text, |row| row.read().map(|(value,)| value))
}

fn read_by<R>(text: impl SqlSafeStr, read: fn(Row) -> sqlx::Result<R>) -> Query<R> {
    let statement = Statement { text: text.into_sql_str(), values: Vec::new(), persistent: true };
    Query { statement, read }
}

/// A row, or at the end of them how many rows were changed.
type Step = Either<u64, Row>;

/// Runs a statement on an executor, with what `$arguments` makes of its values.
macro_rules! steps {
    ($statement:expr, $arguments:path, $persistent:expr, $executor:expr, $row:path) => {
        match $arguments($statement.values) {
            Ok(arguments) => {
                let query = sqlx::query_with($statement.text, arguments).persistent($persistent);
                let steps = $executor.fetch_many(query);
                steps
                    .map_ok(|step| step.map_left(|done| done.rows_affected()).map_right($row))
                    .boxed()
            }
            Err(error) => stream::once(future::ready(Err(error))).boxed(),
        }
    };
}

impl<R: Send + 'static> Query<R> {
    /// Adds the value of the next placeholder.
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.statement.values.push(value.into());
        self
    }

    /// Whether a connection of SQLite keeps it prepared. PostgreSQL's do, unless a
    /// pooler is between: their text is the same however many rows it is about, and parsing and planning it costs
    /// more than running it.
    pub(crate) fn persistent(mut self, persistent: bool) -> Self {
        self.statement.persistent = persistent;
        self
    }

    /// Runs it. Returns how many rows it changed.
    pub(crate) fn execute<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<u64>> {
        let steps = self.statement.steps(target.into());
        steps.try_fold(0, |sum, step| future::ok(sum + step.left().unwrap_or(0))).boxed()
    }

    /// Its rows, as they come.
    pub(crate) fn fetch<'c>(self, target: impl Into<Target<'c>>) -> BoxStream<'c, sqlx::Result<R>> {
        let rows = self.statement.rows(target.into());
        rows.map(move |row| (self.read)(row?)).boxed()
    }

    pub(crate) fn fetch_all<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<Vec<R>>> {
        let read = self.read;
        self.gather(target.into(), move |rows| {
            rows.map(move |row| read(row?)).try_collect().boxed()
        })
    }

    pub(crate) fn fetch_one<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<R>> {
        let row = self.fetch_optional(target);
        row.map(|row| row?.ok_or(sqlx::Error::RowNotFound)).boxed()
    }

    pub(crate) fn fetch_optional<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<Option<R>>> {
        let read = self.read;
        self.gather(target.into(), move |rows| {
            async move {
                let first = rows.try_next().await?;
                // Of SQLite, others are not even computed. A connection to PostgreSQL has to receive them.
                while let Some(Row::Postgres(_)) = &first
                    && rows.try_next().await?.is_some()
                {}
                first.map(read).transpose()
            }
            .boxed()
        })
    }

    /// Hands its rows to `read`. Outside of a transaction it is run once more if the server was restarted since the
    /// connection was made, or another one has taken over.
    fn gather<'c, T: Send + 'c>(
        self,
        target: Target<'c>,
        read: impl for<'r> Fn(
            &'r mut BoxStream<'_, sqlx::Result<Row>>,
        ) -> BoxFuture<'r, sqlx::Result<T>>
        + Send
        + 'c,
    ) -> BoxFuture<'c, sqlx::Result<T>> {
        async move {
            let Target::Pool(pool) = target else {
                return read(&mut self.statement.rows(target)).await;
            };
            let mut done = read(&mut self.statement.clone().rows(Target::Pool(pool))).await;
            if done.as_ref().is_err_and(fault::may_pass) {
                done = read(&mut self.statement.rows(Target::Pool(pool))).await;
            }
            if let Err(error) = &done {
                let (Pool::Sqlite(_, condition) | Pool::Postgres(_, condition)) = pool;
                condition.note(error);
            }
            done
        }
        .boxed()
    }
}

impl Statement {
    fn rows(self, target: Target<'_>) -> BoxStream<'_, sqlx::Result<Row>> {
        self.steps(target).try_filter_map(|step| future::ok(step.right())).boxed()
    }

    fn steps(self, target: Target<'_>) -> BoxStream<'_, sqlx::Result<Step>> {
        let persistent = self.persistent;
        match target {
            Target::Pool(Pool::Sqlite(pool, _)) => {
                steps!(self, value::for_sqlite, persistent, pool, Row::Sqlite)
            }
            Target::Connection(Connection::Sqlite(transaction)) => {
                steps!(self, value::for_sqlite, persistent, &mut **transaction, Row::Sqlite)
            }
            Target::Pool(Pool::Postgres(connections, _)) => {
                let prepares = !connections.servers.is_pooled;
                steps!(self, value::for_postgres, prepares, &connections.statements, Row::Postgres)
            }
            Target::Connection(Connection::Postgres(begun)) => {
                let prepares = begun.prepares;
                steps!(self, value::for_postgres, prepares, &mut *begun.transaction, Row::Postgres)
            }
        }
    }
}
