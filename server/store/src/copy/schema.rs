//! Tables to copy, read from the schema of a database. A test checks that both engines have the same schema.

use sqlx::AssertSqlSafe;

use crate::{
    engine::{
        bulk,
        sql::{self, Connection, Engine, Query},
    },
    error::Result,
};

/// Tables that are not copied, because each database has its own: versions, sessions, its own history, and counts that
/// triggers keep.
pub(super) const OWN: [&str; 6] =
    ["changes", "compatibility", "not_approved_counts", "sessions", "timeline", "unfinished_copy"];

/// Tables that others refer to, in the order in which they are written; all others are written after them.
pub(super) const REFERRED_TO: [&str; 5] =
    ["places", "segments", "imports", "partners", "subscriptions"];

/// Number of rows per statement for a table with blobs, which may be large.
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
pub(super) enum ColumnKind {
    Integer,
    Real,
    /// Boolean. SQLite stores 0 and 1.
    Truth,
    Text,
    Bytes,
}

/// Table to copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub name: String,
    /// Names and types of the columns. Those of the primary key come first, in its order.
    pub columns: Vec<(String, ColumnKind)>,
    /// Number of columns of the primary key.
    pub key: usize,
}

/// Reads the tables to copy; each table comes after those that it refers to.
pub(super) async fn tables(tx: &mut Connection) -> Result<Vec<Table>> {
    let mut tables = all(tx).await?;
    tables.retain(|table| !OWN.contains(&table.name.as_str()));
    let place = |table: &Table| REFERRED_TO.iter().position(|name| *name == table.name);
    tables.sort_by_key(|table| place(table).unwrap_or(REFERRED_TO.len()));
    Ok(tables)
}

/// Reads all tables except that of the migrations, ordered by name.
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

fn kind(name: &str) -> sqlx::Result<ColumnKind> {
    match name {
        "integer" | "bigint" => Ok(ColumnKind::Integer),
        "double precision" => Ok(ColumnKind::Real),
        "boolean" => Ok(ColumnKind::Truth),
        "text" => Ok(ColumnKind::Text),
        "blob" | "bytea" => Ok(ColumnKind::Bytes),
        other => Err(sqlx::Error::TypeNotFound { type_name: other.to_owned() }),
    }
}

/// Total number of rows in these tables.
pub(super) async fn count(tx: &mut Connection, tables: &[Table]) -> Result<u64> {
    let counts = tables.iter().map(|table| format!("(SELECT count(*) FROM {})", table.name));
    let sum = format!("SELECT {}", counts.collect::<Vec<_>>().join(" + "));
    let rows: i64 = sql::query_scalar(AssertSqlSafe(sum)).fetch_one(tx).await?;
    Ok(rows.unsigned_abs())
}

/// Reads the last number that was assigned to a row of the table, or 0. That number must not be reused, even if the row
/// is gone.
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

/// Makes the next row get the number after `last`. Does nothing if the database does not assign the numbers of the
/// table.
pub(super) async fn set_last_number(tx: &mut Connection, table: &Table, last: i64) -> Result<()> {
    let (name, Some(key)) = (&table.name, table.number()) else { return Ok(()) };
    let set = match tx.engine() {
        // Does nothing if there is no sequence.
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
    /// Statement that reads all rows. Both engines return the same order: texts in keys are compared by their bytes.
    pub(super) fn select(&self) -> Query {
        // PostgreSQL has some 32-bit integers, while SQLite has only one integer type.
        let columns = self.columns.iter().map(|(name, kind)| match kind {
            ColumnKind::Integer => format!("CAST({name} AS BIGINT)"),
            _ => name.clone(),
        });
        let key = self.columns.iter().take(self.key).map(|(name, _)| format!("t.{name}"));
        let [columns, key] = [columns.collect(), key.collect()].map(|list: Vec<_>| list.join(", "));
        sql::query(AssertSqlSafe(format!("SELECT {columns} FROM {} t ORDER BY {key}", self.name)))
    }

    /// All columns, separated by commas.
    pub(super) fn column_list(&self) -> String {
        self.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Number of rows per statement that writes.
    pub(super) fn batch(&self) -> usize {
        let has_blobs = self.columns.iter().any(|(_, kind)| *kind == ColumnKind::Bytes);
        if has_blobs { ROWS_WITH_BLOBS } else { bulk::CHUNK }
    }

    /// Column whose numbers the database itself may assign to new rows.
    fn number(&self) -> Option<&str> {
        match self.columns.first() {
            Some((key, ColumnKind::Integer)) if self.key == 1 => Some(key),
            _ => None,
        }
    }
}
