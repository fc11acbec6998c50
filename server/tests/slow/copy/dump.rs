//! All rows of a database, read independently of the code that copies them.

use std::collections::BTreeMap;

use sqlx::{
    AssertSqlSafe, Column, Connection, PgConnection, Row, SqliteConnection, TypeInfo, ValueRef,
    postgres::PgRow, sqlite::SqliteRow,
};

/// Value of a cell, in a form common to both engines.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(super) enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// Rows of each table, with the columns sorted by name.
pub(super) type Dump = BTreeMap<String, Vec<Vec<(String, Cell)>>>;

/// Tables that are not copied.
const OWN: [&str; 7] = [
    "_sqlx_migrations",
    "changes",
    "compatibility",
    "not_approved_counts",
    "sessions",
    "timeline",
    "unfinished_copy",
];

const SQLITE_TABLES: &str =
    "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY m.name, c.name";
const POSTGRES_TABLES: &str =
    "SELECT table_name::text, column_name::text FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY table_name, column_name COLLATE \"C\"";

pub(super) async fn dump(url: &str) -> Dump {
    let mut dump = Dump::new();
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(url).await.unwrap();
        let columns: Vec<(String, String)> =
            sqlx::query_as(SQLITE_TABLES).fetch_all(&mut connection).await.unwrap();
        for (table, select) in selects(columns) {
            let rows = sqlx::query(AssertSqlSafe(select)).fetch_all(&mut connection).await.unwrap();
            dump.insert(table, sorted(rows.iter().map(of_sqlite)));
        }
        connection.close().await.unwrap();
    } else {
        let mut connection = PgConnection::connect(url).await.unwrap();
        let columns: Vec<(String, String)> =
            sqlx::query_as(POSTGRES_TABLES).fetch_all(&mut connection).await.unwrap();
        for (table, select) in selects(columns) {
            let rows = sqlx::query(AssertSqlSafe(select)).fetch_all(&mut connection).await.unwrap();
            dump.insert(table, sorted(rows.iter().map(of_postgres)));
        }
        connection.close().await.unwrap();
    }
    dump
}

/// Statement for each copied table, by table name.
fn selects(columns: Vec<(String, String)>) -> BTreeMap<String, String> {
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (table, column) in columns {
        tables.entry(table).or_default().push(column);
    }
    tables.retain(|table, _| !OWN.contains(&table.as_str()));
    let select = |(table, columns): (String, Vec<String>)| {
        let select = format!("SELECT {} FROM {table}", columns.join(", "));
        (table, select)
    };
    tables.into_iter().map(select).collect()
}

fn sorted(rows: impl Iterator<Item = Vec<(String, Cell)>>) -> Vec<Vec<(String, Cell)>> {
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by(|one, other| one.partial_cmp(other).unwrap());
    rows
}

fn of_sqlite(row: &SqliteRow) -> Vec<(String, Cell)> {
    let cell = |column: &sqlx::sqlite::SqliteColumn| {
        let number = column.ordinal();
        let value = row.try_get_raw(number).unwrap();
        let cell = match value.type_info().name() {
            _ if value.is_null() => Cell::Null,
            "INTEGER" => Cell::Integer(row.get(number)),
            "REAL" => Cell::Real(row.get(number)),
            "TEXT" => Cell::Text(row.get(number)),
            "BLOB" => Cell::Bytes(row.get(number)),
            other => panic!("{other}"),
        };
        (column.name().to_owned(), cell)
    };
    row.columns().iter().map(cell).collect()
}

fn of_postgres(row: &PgRow) -> Vec<(String, Cell)> {
    let cell = |column: &sqlx::postgres::PgColumn| {
        let number = column.ordinal();
        let value = row.try_get_raw(number).unwrap();
        let cell = match value.type_info().name() {
            _ if value.is_null() => Cell::Null,
            "INT8" => Cell::Integer(row.get(number)),
            "INT4" => Cell::Integer(row.get::<i32, _>(number).into()),
            "BOOL" => Cell::Integer(row.get::<bool, _>(number).into()),
            "FLOAT8" => Cell::Real(row.get(number)),
            "TEXT" => Cell::Text(row.get(number)),
            "BYTEA" => Cell::Bytes(row.get(number)),
            other => panic!("{other}"),
        };
        (column.name().to_owned(), cell)
    };
    row.columns().iter().map(cell).collect()
}
