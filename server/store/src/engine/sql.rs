//! SQL statements that run on either engine.
//!
//! sqlx checks types at compile time, for one engine; here, a use case is written once for both. So a statement is its
//! text and a list of [`Value`]s. It becomes a sqlx statement when it is run, because the engine is known then. sqlx
//! decodes the rows: a [`Record`] is a type that rows of both engines can be decoded to. sqlx's own `Any` driver
//! supports neither arrays nor engine-specific statements, and does not keep statements prepared.
//!
//! The futures that run a statement are boxed. Otherwise the future of every use case would contain each way to run
//! each of its statements, and overflow the stack.
//!
//! Placeholders are `$n`. A [`Builder`] builds text that depends on the number of rows.

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

use super::{
    fault,
    postgres::{Begun, Pools},
};

pub(crate) use self::{
    builder::{Builder, RowValues},
    connection::{Connection, Engine, Pool, Target},
    value::Value,
};

/// Type that rows of both engines can be decoded to.
pub(crate) trait Record:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

impl<R> Record for R where
    R: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin + 'static
{
}

/// Row that is not decoded yet.
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

/// Statement whose rows are decoded to `R`.
#[must_use = "a statement does nothing until it is run"]
pub(crate) struct Query<R = Row> {
    statement: Statement,
    read: fn(Row) -> sqlx::Result<R>,
}

/// Statement with its values.
#[derive(Clone, Debug)]
struct Statement {
    text: SqlStr,
    values: Vec<Value>,
    persistent: bool,
}

/// Creates a statement whose result is ignored, or whose rows are decoded later.
pub(crate) fn query(text: impl SqlSafeStr) -> Query {
    read_by(text, Ok)
}

/// Creates a statement whose rows are decoded to `R`.
pub(crate) fn query_as<R: Record>(text: impl SqlSafeStr) -> Query<R> {
    read_by(text, |row| row.read())
}

/// Creates a statement whose rows have one column of type `V`.
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

/// A row, or after the last row the number of changed rows.
type Step = Either<u64, Row>;

/// Runs a statement on an executor; `$arguments` converts its values.
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

    /// Sets whether a SQLite connection keeps the statement prepared. PostgreSQL connections always do, unless there is
    /// a pooler: the text does not depend on the number of rows, and parsing and planning it costs more than running
    /// it.
    pub(crate) fn persistent(mut self, persistent: bool) -> Self {
        self.statement.persistent = persistent;
        self
    }

    /// Runs the statement. Returns the number of changed rows.
    pub(crate) fn execute<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<u64>> {
        let steps = self.statement.steps(target.into());
        steps.try_fold(0, |sum, step| future::ok(sum + step.left().unwrap_or(0))).boxed()
    }

    /// Returns the rows as a stream.
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
                // SQLite does not even compute the other rows. A connection to PostgreSQL has to receive them.
                while let Some(Row::Postgres(_)) = &first
                    && rows.try_next().await?.is_some()
                {}
                first.map(read).transpose()
            }
            .boxed()
        })
    }

    /// Passes the rows to `read`. Outside of a transaction, retries once if the server was restarted or replaced since
    /// the connection was made.
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
                let Pools { era, statements, .. } = connections.pools();
                era.run_steps(steps!(
                    self,
                    value::for_postgres,
                    prepares,
                    &statements,
                    Row::Postgres
                ))
            }
            Target::Connection(Connection::Postgres(begun)) => {
                let Begun { transaction, era, prepares } = begun;
                let steps =
                    steps!(self, value::for_postgres, *prepares, &mut **transaction, Row::Postgres);
                era.clone().run_steps(steps)
            }
        }
    }
}
