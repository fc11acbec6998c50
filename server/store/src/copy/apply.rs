//! Writing differences to the target.

use sqlx::AssertSqlSafe;

use super::{
    difference::Difference,
    row::Row,
    tables::{TABLES, Table},
};
use crate::{
    engine::{
        bulk,
        sql::{self, Connection, Engine, RowValues},
    },
    error::Result,
};

/// Brings some rows of the target up to date. Rows that others refer to are not removed yet.
///
/// `is_last`: the target has no rows behind these.
pub(super) async fn apply(
    tx: &mut Connection,
    table: &Table,
    difference: &Difference,
    is_last: bool,
) -> Result<()> {
    if !table.referenced {
        remove(tx, table, &difference.remove).await?;
    }
    // A row of the target may have a value now that only another one has in the source. It is one that is
    // replaced here, or comes later and will be: those before are already as in the source. Except for rows that
    // are to be removed in the end.
    if difference.replaces || table.referenced || !is_last {
        for columns in table.unique {
            give_way(tx, table, columns, &difference.write).await?;
        }
    }
    write(tx, table, &difference.write).await
}

/// Removes rows by their keys.
pub(super) async fn remove(tx: &mut Connection, table: &Table, keys: &[Row]) -> Result<()> {
    let head = format!("DELETE FROM {} WHERE ({})", table.name, table.key_list());
    bulk::execute_matching(tx, &head, keys, bind).await
}

/// Lets PostgreSQL count what it plans statements by, which it would do some time later by itself. SQLite is told
/// which indexes to use.
pub(super) async fn analyze(tx: &mut Connection) -> Result<()> {
    if tx.engine() == Engine::Postgres {
        for table in &TABLES {
            sql::query(AssertSqlSafe(format!("ANALYZE {}", table.name))).execute(&mut *tx).await?;
        }
    }
    Ok(())
}

/// Takes unique values of `rows` away from the rows that have them.
async fn give_way(
    tx: &mut Connection,
    table: &Table,
    columns: &[&'static str],
    rows: &[Row],
) -> Result<()> {
    let numbers: Vec<usize> = columns.iter().filter_map(|name| table.number_of(name)).collect();
    let values: Vec<_> = rows.iter().filter_map(|row| row.present(&numbers)).collect();
    let (name, key) = (table.name, table.key_list());
    let head = match columns.last() {
        // A value that no row of a source has, because it begins with a control character.
        Some(last) if table.referenced => {
            format!("UPDATE {name} SET {last} = '\u{1}' || CAST({key} AS TEXT)")
        }
        _ => format!("DELETE FROM {name}"),
    };
    let head = format!("{head} WHERE ({})", columns.join(", "));
    bulk::execute_matching(tx, &head, &values, |row, values| {
        values.iter().fold(row, |row, value| row.bind(value.clone()))
    })
    .await
}

/// Inserts rows, or updates those that have their keys.
async fn write(tx: &mut Connection, table: &Table, rows: &[Row]) -> Result<()> {
    let head = format!("INSERT INTO {} ({})", table.name, table.column_list());
    let others = table.columns.iter().skip(table.key);
    let others: Vec<String> = others.map(|(name, _)| format!("{name} = excluded.{name}")).collect();
    let action = match others.as_slice() {
        [] => "NOTHING".to_owned(),
        others => format!("UPDATE SET {}", others.join(", ")),
    };
    let tail = format!("ON CONFLICT ({}) DO {action}", table.key_list());
    bulk::insert(tx, &head, &tail, rows, bind).await
}

fn bind(row: RowValues, values: &Row) -> RowValues {
    values.values().iter().fold(row, |row, value| row.bind(value.clone()))
}
