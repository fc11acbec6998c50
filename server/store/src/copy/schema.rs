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

/// Rows that one statement writes of a table with blobs, which may be large.
const ROWS_WITH_BLOBS: usize = 64;

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
    let place = |table: &Table| REFERRED_TO.iter().position(|name| *name == table.name);
    tables.sort_by_key(|table| place(table).unwrap_or(REFERRED_TO.len()));
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

/// Number of rows that all these tables have.
pub(super) async fn count(tx: &mut Connection, tables: &[Table]) -> Result<u64> {
    let counts = tables.iter().map(|table| format!("(SELECT count(*) FROM {})", table.name));
    let sum = format!("SELECT {}", counts.collect::<Vec<_>>().join(" + "));
    let rows: i64 = sql::query_scalar(AssertSqlSafe(sum)).fetch_one(tx).await?;
    Ok(rows.unsigned_abs())
}

/// Reads the last number that a table's rows were given, or 0: no other row may get it, even if that row is gone.
pub(super) async fn last_number(tx: &mut Connection, table: &Table) -> Result<i64> {
    let (name, Some(key)) = (&table.name, table.number()) else { return Ok(0) };
    let given = match tx.engine() {
        Engine::Postgres => {
            format!("pg_sequence_last_value(pg_get_serial_sequence('{name}', '{key}')::regclass)")
        }
        Engine::Sqlite => format!("(SELECT seq FROM sqlite_sequence WHERE name = '{name}')"),
    };
    let known = format!("SELECT coalesce({given}, 0), coalesce(max({key}), 0) FROM {name}");
    let (given, largest): (i64, i64) = sql::query_as(AssertSqlSafe(known)).fetch_one(tx).await?;
    Ok(given.max(largest))
}

/// Makes the next row get the number after `last`, if the table's numbers are not those of something else.
pub(super) async fn set_last_number(tx: &mut Connection, table: &Table, last: i64) -> Result<()> {
    let (name, Some(key)) = (&table.name, table.number()) else { return Ok(()) };
    let set = match tx.engine() {
        // Does nothing where there is no sequence.
        Engine::Postgres => format!(
            "SELECT setval(pg_get_serial_sequence('{name}', '{key}')::regclass, greatest($1, 1), $1 > 0)"
        ),
        Engine::Sqlite => format!(
            "REPLACE INTO sqlite_sequence (rowid, name, seq)
             SELECT (SELECT rowid FROM sqlite_sequence WHERE name = '{name}'), name, $1
             FROM sqlite_master WHERE name = '{name}' AND sql LIKE '%AUTOINCREMENT%'"
        ),
    };
    sql::query(AssertSqlSafe(set)).bind(last).execute(tx).await?;
    Ok(())
}

impl Table {
    /// Statement that reads all rows. Both engines order them alike: texts in keys are compared by their bytes.
    pub(super) fn select(&self) -> Query {
        // PostgreSQL has some integers of 32 bits, where SQLite has only one type.
        let columns = self.columns.iter().map(|(name, kind)| match kind {
            Kind::Integer => format!("CAST({name} AS BIGINT)"),
            _ => name.clone(),
        });
        let key = self.columns.iter().take(self.key).map(|(name, _)| format!("t.{name}"));
        let [columns, key] = [columns.collect(), key.collect()].map(|list: Vec<_>| list.join(", "));
        sql::query(AssertSqlSafe(format!("SELECT {columns} FROM {} t ORDER BY {key}", self.name)))
    }

    /// All columns, with commas between them.
    pub(super) fn column_list(&self) -> String {
        self.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Number of rows that one statement writes.
    pub(super) fn batch(&self) -> usize {
        let has_blobs = self.columns.iter().any(|(_, kind)| *kind == Kind::Bytes);
        if has_blobs { ROWS_WITH_BLOBS } else { bulk::CHUNK }
    }

    /// Column whose numbers the database itself may give to new rows.
    fn number(&self) -> Option<&str> {
        match self.columns.first() {
            Some((key, Kind::Integer)) if self.key == 1 => Some(key),
            _ => None,
        }
    }
}
