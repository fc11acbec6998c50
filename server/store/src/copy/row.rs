//! Rows of any table in a form common to both engines, and their digest.

use futures_util::{
    StreamExt, TryStreamExt,
    stream::{BoxStream, TryChunksError},
};
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;

use super::schema::{ColumnKind, Table};
use crate::engine::sql::{self, Connection, Value};

/// Values of a row, in the order of the table's columns.
pub(super) type Row = Vec<Value>;

/// Reads a table in chunks of as many rows as one statement writes.
pub(super) fn chunks<'c>(
    tx: &'c mut Connection,
    table: &'c Table,
) -> BoxStream<'c, sqlx::Result<Vec<Row>>> {
    let rows = table.select().fetch(tx).map(|row| read(&row?, table));
    rows.try_chunks(table.batch()).map_err(|TryChunksError(_, error)| error).boxed()
}

fn read(row: &sql::Row, table: &Table) -> sqlx::Result<Row> {
    macro_rules! get {
        ($number:ident) => {
            match row {
                sql::Row::Sqlite(row) => row.try_get($number),
                sql::Row::Postgres(row) => row.try_get($number),
            }
        };
    }
    let columns = table.columns.iter().enumerate();
    let values = columns.map(|(number, (_, kind))| match kind {
        ColumnKind::Integer => get!(number).map(Value::Integer),
        ColumnKind::Real => get!(number).map(Value::Real),
        ColumnKind::Truth => get!(number).map(Value::Truth),
        ColumnKind::Text => get!(number).map(Value::Text),
        ColumnKind::Bytes => get!(number).map(Value::Bytes),
    });
    values.collect()
}

/// Number and digest of the rows of one table, in order. Both sides of a copy have to agree in them.
#[derive(Default)]
pub(super) struct Digest {
    pub rows: u64,
    hash: Sha256,
}

impl Digest {
    pub(super) fn add(&mut self, row: &Row) {
        self.rows += 1;
        for value in row {
            match value {
                Value::Integer(Some(value)) => self.add_bytes(&value.to_le_bytes()),
                // SQLite has no negative zero.
                Value::Real(Some(value)) => self.add_bytes(&(value + 0.0).to_le_bytes()),
                Value::Truth(Some(value)) => self.add_bytes(&[u8::from(*value)]),
                Value::Text(Some(value)) => self.add_bytes(value.as_bytes()),
                Value::Bytes(Some(value)) => self.add_bytes(value),
                _ => self.hash.update([0]),
            }
        }
    }

    /// Adds a value with its length, so that different rows never have the same bytes.
    fn add_bytes(&mut self, bytes: &[u8]) {
        self.hash.update([1]);
        self.hash.update((bytes.len() as u64).to_le_bytes());
        self.hash.update(bytes);
    }

    pub(super) fn end(self) -> Vec<u8> {
        self.hash.finalize().to_vec()
    }
}
