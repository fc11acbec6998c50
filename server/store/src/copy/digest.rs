//! Digest of a table: what both sides of a copy have to agree in.

use futures_util::TryStreamExt;
use sha2::{Digest as _, Sha256};

use super::{
    progress::{CopyStage, Meter},
    row::Row,
    schema::Table,
};
use crate::{
    engine::sql::{Connection, Value},
    error::Result,
};

/// Number and digest of some rows in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Digest {
    rows: u64,
    hash: Sha256,
}

/// Result of a [`Digest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digested {
    pub rows: u64,
    hash: Vec<u8>,
}

/// Reads a whole table.
pub(super) async fn of_table(
    tx: &mut Connection,
    table: &Table,
    meter: &mut Meter<'_>,
) -> Result<Digested> {
    let mut digest = Digest::default();
    let mut rows = table.select().fetch(tx);
    while let Some(row) = rows.try_next().await? {
        digest.add(&Row::read(&row, table)?);
        if digest.rows.is_multiple_of(table.batch() as u64) {
            meter.passed(CopyStage::Verifying(&table.name), table.batch());
        }
    }
    Ok(digest.end())
}

impl Digest {
    pub(super) fn add(&mut self, row: &Row) {
        self.rows += 1;
        for value in row.values() {
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

    pub(super) fn end(self) -> Digested {
        Digested { rows: self.rows, hash: self.hash.finalize().to_vec() }
    }
}
