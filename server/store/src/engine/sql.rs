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

use std::marker::PhantomData;

use futures_util::{
    FutureExt, StreamExt, TryFutureExt, TryStreamExt,
    future::{self, BoxFuture},
    stream::{self, BoxStream},
};
use sqlx::{FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, postgres::PgRow, sqlite::SqliteRow};

use super::fault;

pub(crate) use self::{
    builder::{Builder, RowValues},
    connection::{Connection, Engine, Pool, Target},
    value::Value,
};

/// What rows of both engines can be read as.
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

/// A statement with its values.
#[derive(Clone, Debug)]
#[must_use = "a statement does nothing until it is run"]
pub(crate) struct Query {
    text: SqlStr,
    values: Vec<Value>,
    persistent: bool,
    prepared: bool,
}

/// A statement whose rows are read as `R`.
#[derive(Debug)]
#[must_use = "a statement does nothing until it is run"]
pub(crate) struct QueryAs<R>(Query, PhantomData<fn() -> R>);

/// A statement whose rows have one column, a `V`.
#[derive(Debug)]
#[must_use = "a statement does nothing until it is run"]
pub(crate) struct QueryScalar<V>(QueryAs<(V,)>);

/// A statement of which only the effect matters.
pub(crate) fn query(text: impl SqlSafeStr) -> Query {
    Query { text: text.into_sql_str(), values: Vec::new(), persistent: true, prepared: true }
}

/// A statement whose rows are read as `R`.
pub(crate) fn query_as<R: Record>(text: impl SqlSafeStr) -> QueryAs<R> {
    QueryAs(query(text), PhantomData)
}

/// A statement whose rows have one column.
pub(crate) fn query_scalar<V>(text: impl SqlSafeStr) -> QueryScalar<V>
where
    (V,): Record,
{
    QueryScalar(query_as(text))
}

/// Runs `$run` with the statement as the target's engine has it, as `$query`, and with its executor.
macro_rules! on_engine {
    ($statement:expr, $target:expr, |$sqlite:ident, $postgres:ident, $on:ident| $run_sqlite:expr, $run_postgres:expr) => {{
        let target: Target<'_> = $target.into();
        let statement = $statement.prepared(target.prepares());
        match target {
            Target::SqlitePool($on, _) => {
                let $sqlite = statement;
                $run_sqlite
            }
            Target::Sqlite($on) => {
                let $sqlite = statement;
                $run_sqlite
            }
            Target::PostgresPool(connections, _) => {
                let ($postgres, $on) = (statement, connections.statements());
                $run_postgres
            }
            Target::Postgres($on, _) => {
                let $postgres = statement;
                $run_postgres
            }
        }
    }};
}

/// Runs `$read` by the method of this name, which both engines' statements have. Outside of a transaction it is run
/// once more if the server was restarted since the connection was made, or another one has taken over.
macro_rules! run {
    ($read:expr, $target:expr, $method:ident) => {{
        let target: Target<'_> = $target.into();
        let read = $read.prepared(target.prepares());
        match target {
            Target::SqlitePool(pool, condition) => async move {
                let done = read.for_sqlite()?.$method(pool).await;
                done.inspect_err(|error| condition.note(error))
            }
            .boxed(),
            Target::Sqlite(connection) => {
                async move { read.for_sqlite()?.$method(connection).await }.boxed()
            }
            Target::Postgres(connection, _) => {
                async move { read.for_postgres()?.$method(connection).await }.boxed()
            }
            Target::PostgresPool(connections, condition) => async move {
                let pool = connections.statements();
                let done = match read.clone().for_postgres()?.$method(pool).await {
                    Err(error) if fault::may_pass(&error) => {
                        read.for_postgres()?.$method(pool).await
                    }
                    done => done,
                };
                done.inspect_err(|error| condition.note(error))
            }
            .boxed(),
        }
    }};
}

type SqliteQuery = sqlx::query::Query<'static, Sqlite, sqlx::sqlite::SqliteArguments>;
type PostgresQuery = sqlx::query::Query<'static, Postgres, sqlx::postgres::PgArguments>;
type SqliteQueryAs<R> = sqlx::query::QueryAs<'static, Sqlite, R, sqlx::sqlite::SqliteArguments>;
type PostgresQueryAs<R> = sqlx::query::QueryAs<'static, Postgres, R, sqlx::postgres::PgArguments>;

impl Query {
    /// Adds the value of the next placeholder.
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Whether a connection of SQLite keeps it prepared. PostgreSQL's do, unless a
    /// pooler is between: their text is the same however many rows it is about, and parsing and planning it costs
    /// more than running it.
    pub(crate) fn persistent(self, persistent: bool) -> Self {
        Self { persistent, ..self }
    }

    /// Whether a connection of PostgreSQL may keep it prepared.
    fn prepared(self, prepared: bool) -> Self {
        Self { prepared, ..self }
    }

    /// Runs it. Returns how many rows it changed.
    pub(crate) fn execute<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<u64>> {
        on_engine!(
            self,
            target,
            |sqlite, postgres, on| {
                async move { Ok(sqlite.for_sqlite()?.execute(on).await?.rows_affected()) }.boxed()
            },
            async move { Ok(postgres.for_postgres()?.execute(on).await?.rows_affected()) }.boxed()
        )
    }

    /// Its rows, as they come.
    pub(crate) fn fetch<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxStream<'c, sqlx::Result<Row>> {
        on_engine!(
            self,
            target,
            |sqlite, postgres, on| match sqlite.for_sqlite() {
                Ok(query) => query.fetch(on).map_ok(Row::Sqlite).boxed(),
                Err(error) => failed(error),
            },
            match postgres.for_postgres() {
                Ok(query) => query.fetch(on).map_ok(Row::Postgres).boxed(),
                Err(error) => failed(error),
            }
        )
    }

    fn for_sqlite(self) -> sqlx::Result<SqliteQuery> {
        let values = value::for_sqlite(self.values)?;
        Ok(sqlx::query_with(self.text, values).persistent(self.persistent))
    }

    fn for_postgres(self) -> sqlx::Result<PostgresQuery> {
        let values = value::for_postgres(self.values)?;
        Ok(sqlx::query_with(self.text, values).persistent(self.prepared))
    }
}

/// The rows of a statement that cannot be run.
fn failed<'c, T: Send + 'c>(error: sqlx::Error) -> BoxStream<'c, sqlx::Result<T>> {
    stream::once(future::ready(Err(error))).boxed()
}

impl<R> Clone for QueryAs<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<R: Record> QueryAs<R> {
    /// Adds the value of the next placeholder.
    pub(crate) fn bind(self, value: impl Into<Value>) -> Self {
        Self(self.0.bind(value), PhantomData)
    }

    /// Whether a connection of SQLite keeps it prepared. PostgreSQL's do, unless a
    /// pooler is between: their text is the same however many rows it is about, and parsing and planning it costs
    /// more than running it.
    pub(crate) fn persistent(self, persistent: bool) -> Self {
        Self(self.0.persistent(persistent), PhantomData)
    }

    fn prepared(self, prepared: bool) -> Self {
        Self(self.0.prepared(prepared), PhantomData)
    }

    pub(crate) fn fetch_one<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<R>> {
        run!(self, target, fetch_one)
    }

    pub(crate) fn fetch_optional<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<Option<R>>> {
        run!(self, target, fetch_optional)
    }

    pub(crate) fn fetch_all<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<Vec<R>>> {
        run!(self, target, fetch_all)
    }

    /// Its rows, as they come.
    pub(crate) fn fetch<'c>(self, target: impl Into<Target<'c>>) -> BoxStream<'c, sqlx::Result<R>> {
        on_engine!(
            self,
            target,
            |sqlite, postgres, on| match sqlite.for_sqlite() {
                Ok(query) => query.fetch(on),
                Err(error) => failed(error),
            },
            match postgres.for_postgres() {
                Ok(query) => query.fetch(on),
                Err(error) => failed(error),
            }
        )
    }

    fn for_sqlite(self) -> sqlx::Result<SqliteQueryAs<R>> {
        let Query { text, values, persistent, .. } = self.0;
        Ok(sqlx::query_as_with(text, value::for_sqlite(values)?).persistent(persistent))
    }

    fn for_postgres(self) -> sqlx::Result<PostgresQueryAs<R>> {
        let Query { text, values, prepared, .. } = self.0;
        Ok(sqlx::query_as_with(text, value::for_postgres(values)?).persistent(prepared))
    }
}

impl<V: 'static> QueryScalar<V>
where
    (V,): Record,
{
    /// Adds the value of the next placeholder.
    pub(crate) fn bind(self, value: impl Into<Value>) -> Self {
        Self(self.0.bind(value))
    }

    pub(crate) fn fetch_one<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<V>> {
        self.0.fetch_one(target).map_ok(|(value,)| value).boxed()
    }

    pub(crate) fn fetch_optional<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<Option<V>>> {
        let row = self.0.fetch_optional(target);
        row.map_ok(|row| row.map(|(value,)| value)).boxed()
    }

    pub(crate) fn fetch_all<'c>(
        self,
        target: impl Into<Target<'c>>,
    ) -> BoxFuture<'c, sqlx::Result<Vec<V>>> {
        let rows = self.0.fetch_all(target);
        rows.map_ok(|rows| rows.into_iter().map(|(value,)| value).collect()).boxed()
    }
}
