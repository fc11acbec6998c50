//! Tables to copy, read from a database's own schema: that of both engines is the same, as a test checks.

use sqlx::AssertSqlSafe;

use crate::{
    engine::{
        bulk,
        sql::{self, Connection, Engine, Query},
    },
    error::Result,
};

/// Tables that a copy has of its own: versions, sessions, and its own history.
pub(super) const OWN: [&str; 5] =
    ["changes", "compatibility", "desk_sessions", "timeline", "unfinished_copy"];

/// Tables that others refer to, in the order in which they are written; all others come later.
pub(super) const REFERRED_TO: [&str; 5] =
    ["places", "segments", "imports", "partners", "subscriptions"];

/// Variables that SQLite allows in a statement.
const SQLITE_VARIABLES: usize = 32_766;

const SQLITE_COLUMNS: &str = "
    SELECT t.name, c.name, lower(c.type), c.pk
    FROM sqlite_master t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND t.name <> '_sqlx_migrations'
    ORDER BY t.name, c.pk = 0, c.pk, c.name";
const POSTGRES_COLUMNS: &str = "
    SELECT t.relname::text, c.attname::text, format_type(c.atttypid, NULL),
           coalesce(array_position(k.indkey::int2[], c.attnum) + 1, 0)::bigint
    FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
    LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary
    WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
      AND t.relname <> '_sqlx_migrations'
    ORDER BY t.relname COLLATE \"C\", array_position(k.indkey::int2[], c.attnum), c.attname COLLATE \"C\"";

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Real,
    /// SQLite has 0 and 1.
    Truth,
    Text,
    Bytes,
}

/// A table that is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub name: String,
    /// Those of the primary key come first, in its order.
    pub columns: Vec<(String, Kind)>,
    /// Number of columns of the primary key.
    pub key: usize,
}

/// Reads the tables that are copied, each after those that it refers to.
pub(super) async fn tables(tx: &mut Connection) -> Result<Vec<Table>> {
    let mut tables = all(tx).await?;
    tables.retain(|table| !OWN.contains(&table.name.as_str()));
    tables.sort_by_key(|table| {
        let place = REFERRED_TO.iter().position(|name| *name == table.name);
        place.unwrap_or(REFERRED_TO.len())
    });
    Ok(tables)
}

/// Reads all tables but that of the migrations, in the order of their names.
pub(super) async fn all(tx: &mut Connection) -> Result<Vec<Table>> {
    let columns = sql::query_as(match tx.engine() {
        Engine::Sqlite => SQLITE_COLUMNS,
        Engine::Postgres => POSTGRES_COLUMNS,
    });
    let columns: Vec<(String, String, String, i64)> = columns.fetch_all(tx).await?;
    let mut tables: Vec<Table> = Vec::new();
    for (name, column, type_name, place) in columns {
        let mut table = match tables.pop_if(|table| table.name == name) {
            Some(table) => table,
            None => Table { name, columns: Vec::new(), key: 0 },
        };
        table.columns.push((column, kind(&type_name)?));
        table.key += usize::from(place > 0);
        tables.push(table);
    }
    Ok(tables)
}

fn kind(name: &str) -> sqlx::Result<Kind> {
    match name {
        "integer" | "bigint" => Ok(Kind::Integer),
        "double precision" => Ok(Kind::Real),
        "boolean" => Ok(Kind::Truth),
        "text" => Ok(Kind::Text),
        "blob" | "bytea" => Ok(Kind::Bytes),
        other => Err(sqlx::Error::TypeNotFound { type_name: other.to_owned() }),
    }
}

/// Number of rows that a table has.
pub(super) async fn count(tx: &mut Connection, table: &Table) -> Result<u64> {
    let count = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name));
    let count: i64 = sql::query_scalar(count).fetch_one(tx).await?;
    Ok(count.unsigned_abs())
}

impl Table {
    /// Statement that reads all rows. Both engines order them alike: texts in keys are compared by their bytes.
    pub(super) fn select(&self) -> Query {
        let (columns, key) = (self.column_list(), list(self.columns.iter().take(self.key)));
        let select = format!("SELECT {columns} FROM {} ORDER BY {key}", self.name);
        sql::query(AssertSqlSafe(select))
    }

    /// All columns, with commas between them.
    pub(super) fn column_list(&self) -> String {
        list(self.columns.iter())
    }

    /// Number of rows that one statement writes.
    pub(super) fn batch(&self) -> usize {
        bulk::CHUNK.min(SQLITE_VARIABLES / self.columns.len().max(1))
    }

    /// Column whose numbers the database itself may give to new rows.
    pub(super) fn number(&self) -> Option<&str> {
        match self.columns.first() {
            Some((key, Kind::Integer)) if self.key == 1 => Some(key),
            _ => None,
        }
    }
}

fn list<'c>(columns: impl Iterator<Item = &'c (String, Kind)>) -> String {
    columns.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}
