//! The numbers that a database gives to new rows: in a copy, they go on where those of the source are.

use sqlx::AssertSqlSafe;

use super::tables::{Numbers, TABLES, Table};
use crate::{
    engine::sql::{self, Connection, Engine},
    error::Result,
};

/// The last number of a table that its database has given, or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Last {
    table: &'static Table,
    number: i64,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Table {}

/// Reads all of them.
pub(super) async fn read(tx: &mut Connection) -> Result<Vec<Last>> {
    let mut last = Vec::new();
    for table in TABLES.iter().filter(|table| table.numbers != Numbers::Given) {
        let (name, key) = (table.name, table.key_list());
        let given = match (tx.engine(), table.numbers) {
            (Engine::Postgres, _) => {
                format!(
                    "pg_sequence_last_value(pg_get_serial_sequence('{name}', '{key}')::regclass)"
                )
            }
            (Engine::Sqlite, Numbers::NeverAgain) => {
                format!("(SELECT seq FROM sqlite_sequence WHERE name = '{name}')")
            }
            (Engine::Sqlite, _) => "0".to_owned(),
        };
        let known = format!("SELECT coalesce({given}, 0), coalesce(max({key}), 0) FROM {name}");
        let (given, largest): (i64, i64) =
            sql::query_as(AssertSqlSafe(known)).fetch_one(&mut *tx).await?;
        last.push(Last { table, number: given.max(largest) });
    }
    Ok(last)
}

/// Has the next rows get the numbers after these.
pub(super) async fn write(tx: &mut Connection, last: &[Last]) -> Result<()> {
    for Last { table, number } in last {
        match tx.engine() {
            Engine::Postgres => set_sequence(tx, table, *number).await?,
            Engine::Sqlite if table.numbers == Numbers::NeverAgain => {
                set_largest(tx, table, *number).await?;
            }
            // The next number is the one after the largest.
            Engine::Sqlite => {}
        }
    }
    Ok(())
}

async fn set_sequence(tx: &mut Connection, table: &Table, last: i64) -> Result<()> {
    let (name, key) = (table.name, table.key_list());
    let set = format!(
        "SELECT setval(pg_get_serial_sequence('{name}', '{key}')::regclass, greatest($1, 1), $1 > 0)"
    );
    sql::query(AssertSqlSafe(set)).bind(last).execute(tx).await?;
    Ok(())
}

async fn set_largest(tx: &mut Connection, table: &Table, last: i64) -> Result<()> {
    // Its name has no index: there may be no row yet, and never two.
    sql::query("DELETE FROM sqlite_sequence WHERE name = $1")
        .bind(table.name)
        .execute(&mut *tx)
        .await?;
    let set = sql::query("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)");
    set.bind(table.name).bind(last).execute(tx).await?;
    Ok(())
}
