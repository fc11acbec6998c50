//! A row of any table, as both engines have it.

use std::{cmp::Ordering, fmt::Debug};

use sha2::{Digest as _, Sha256};
use sqlx::{ColumnIndex, Decode, Row as _, Type, TypeInfo, ValueRef, postgres::PgRow};

use super::tables::{Kind, Table};
use crate::engine::sql::{self, Value};

/// The values of a row, in the order of the table's columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row(Vec<Value>);

impl Row {
    #[cfg(test)]
    pub(super) fn of(values: Vec<Value>) -> Self {
        Self(values)
    }

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

    /// The values of these columns; none if one of them is NULL.
    pub(super) fn present(&self, columns: &[usize]) -> Option<Vec<Value>> {
        let values =
            columns.iter().map(|number| self.0.get(*number).filter(|value| !is_null(value)));
        values.map(|value| value.cloned()).collect()
    }

    /// Without all but the first `columns`.
    pub(super) fn cut(mut self, columns: usize) -> Self {
        self.0.truncate(columns);
        self
    }

    /// Compares the first `columns`.
    pub(super) fn order(&self, other: &Self, columns: usize) -> Ordering {
        let pairs = self.0.iter().zip(&other.0).take(columns);
        pairs
            .map(|(one, other)| order(one, other))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

fn is_null(value: &Value) -> bool {
    matches!(
        value,
        Value::Integer(None)
            | Value::Real(None)
            | Value::Truth(None)
            | Value::Text(None)
            | Value::Bytes(None)
    )
}

/// Texts by bytes, as both engines sort them. Only NaN has no order, and no table has it.
fn order(one: &Value, other: &Value) -> Ordering {
    one.partial_cmp(other).unwrap_or(Ordering::Equal)
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

/// The number and digest of some rows in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Digest {
    rows: u64,
    hash: Sha256,
}

/// What a [`Digest`] came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digested {
    pub rows: u64,
    pub hash: Vec<u8>,
}

impl Digest {
    pub(super) fn add(&mut self, row: &Row) {
        self.rows += 1;
        for value in &row.0 {
            self.add_value(value);
        }
    }

    /// Each value with its type and length, so that no two rows have the same bytes.
    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Integer(Some(value)) => self.add_bytes(b'i', &value.to_le_bytes()),
            Value::Real(Some(value)) => self.add_bytes(b'r', &value.to_le_bytes()),
            Value::Truth(Some(value)) => self.add_bytes(b't', &[u8::from(*value)]),
            Value::Text(Some(value)) => self.add_bytes(b's', value.as_bytes()),
            Value::Bytes(Some(value)) => self.add_bytes(b'b', value),
            _ => self.hash.update([b'0']),
        }
    }

    fn add_bytes(&mut self, kind: u8, bytes: &[u8]) {
        self.hash.update([kind]);
        self.hash.update((bytes.len() as u64).to_le_bytes());
        self.hash.update(bytes);
    }

    /// How many rows were added.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn end(self) -> Digested {
        Digested { rows: self.rows, hash: self.hash.finalize().to_vec() }
    }
}
