//! Numbers that a database gives to new rows: in a copy, they continue where those of the source are.

use sqlx::AssertSqlSafe;

use super::schema::Table;
use crate::engine::sql::{self, Connection, Engine};

/// Reads the last number that a table's rows were given, or 0: no other row may get it, even if that row is gone.
pub(super) async fn last(tx: &mut Connection, table: &Table) -> sqlx::Result<i64> {
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
pub(super) async fn set(tx: &mut Connection, table: &Table, last: i64) -> sqlx::Result<()> {
    let (name, Some(key)) = (&table.name, table.number()) else { return Ok(()) };
    match tx.engine() {
        Engine::Postgres => {
            // Does nothing where there is no sequence.
            let set = format!(
                "SELECT setval(pg_get_serial_sequence('{name}', '{key}')::regclass, greatest($1, 1), $1 > 0)"
            );
            sql::query(AssertSqlSafe(set)).bind(last).execute(tx).await?;
        }
        Engine::Sqlite => {
            // A table that never had a row has none here either.
            let forget = sql::query("DELETE FROM sqlite_sequence WHERE name = $1");
            forget.bind(name.as_str()).execute(&mut *tx).await?;
            let set = sql::query(
                "INSERT INTO sqlite_sequence (name, seq)
                 SELECT name, $2 FROM sqlite_master WHERE name = $1 AND sql LIKE '%AUTOINCREMENT%'",
            );
            set.bind(name.as_str()).bind(last).execute(tx).await?;
        }
    }
    Ok(())
}
