//! A row of any table, as both engines have it.

use sqlx::{ColumnIndex, Decode, Row as _, Type, TypeInfo, ValueRef, postgres::PgRow};

use super::schema::{Kind, Table};
use crate::engine::sql::{self, Value};

/// Values of a row, in the order of the table's columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row(Vec<Value>);

impl Row {
    /// Reads a row of all columns of `table`.
    pub(super) fn read(row: &sql::Row, table: &Table) -> sqlx::Result<Self> {
        let columns = table.columns.iter().enumerate();
        let values = columns.map(|(number, (_, kind))| match row {
            sql::Row::Sqlite(row) => value(row, number, *kind),
            sql::Row::Postgres(row) if *kind == Kind::Integer => integer(row, number),
            sql::Row::Postgres(row) => value(row, number, *kind),
        });
        values.collect::<sqlx::Result<_>>().map(Self)
    }

    pub(super) fn values(&self) -> &[Value] {
        &self.0
    }

    /// Length of its texts and blobs.
    pub(super) fn bytes(&self) -> usize {
        let lengths = self.0.iter().map(|value| match value {
            Value::Text(Some(text)) => text.len(),
            Value::Bytes(Some(bytes)) => bytes.len(),
            _ => 0,
        });
        lengths.sum()
    }
}

fn value<R: sqlx::Row>(row: &R, number: usize, kind: Kind) -> sqlx::Result<Value>
where
    usize: ColumnIndex<R>,
    for<'r> i64: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> f64: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> bool: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> String: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
{
    Ok(match kind {
        Kind::Integer => Value::Integer(row.try_get(number)?),
        // SQLite has no negative zero.
        Kind::Real => Value::Real(row.try_get::<Option<f64>, _>(number)?.map(|real| real + 0.0)),
        Kind::Truth => Value::Truth(row.try_get(number)?),
        Kind::Text => Value::Text(row.try_get(number)?),
        Kind::Bytes => Value::Bytes(row.try_get(number)?),
    })
}

/// PostgreSQL has some integers of 32 bits, where SQLite has only one type.
fn integer(row: &PgRow, number: usize) -> sqlx::Result<Value> {
    if row.try_get_raw(number)?.type_info().name() == "INT4" {
        return Ok(Value::Integer(row.try_get::<Option<i32>, _>(number)?.map(i64::from)));
    }
    Ok(Value::Integer(row.try_get(number)?))
}
