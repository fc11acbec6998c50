//! Reading a whole database: how many rows it has, and their digest.

use sha2::{Digest as _, Sha256};
use sqlx::AssertSqlSafe;

use super::{
    progress::{CopyStage, Meter, Watcher},
    row::Digested,
    side,
    tables::TABLES,
};
use crate::{
    Store,
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// How many rows each table has.
pub(super) async fn count(tx: &mut Connection) -> Result<Vec<u64>> {
    let mut counts = Vec::new();
    for table in &TABLES {
        let count = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name));
        let count: i64 = sql::query_scalar(count).fetch_one(&mut *tx).await?;
        counts.push(count.unsigned_abs());
    }
    Ok(counts)
}

/// Reads all tables of a database.
pub(super) async fn digest_all(
    store: &Store,
    watcher: Watcher<'_>,
    stage: fn(&'static str) -> CopyStage,
) -> Result<Vec<Digested>> {
    store
        .read(move |tx| {
            Box::pin(async move {
                let counted = count(tx).await?;
                let meter = Meter::new(watcher, &counted);
                let mut digested = Vec::new();
                for (table, counted) in TABLES.iter().zip(counted) {
                    let read = |rows| meter.reached(stage(table.name), rows);
                    let digest = side::digest(tx, table, read).await?;
                    if digest.rows != counted {
                        let (table, rows) = (table.name, digest.rows);
                        return Err(Error::CopyDiffers { table, source_rows: counted, rows });
                    }
                    meter.passed(digest.rows);
                    digested.push(digest);
                }
                Ok(digested)
            })
        })
        .await
}

/// The digest of all tables.
pub(super) fn whole(digested: &[Digested]) -> Vec<u8> {
    let mut hash = Sha256::new();
    for (table, digested) in TABLES.iter().zip(digested) {
        hash.update(table.name);
        hash.update(digested.rows.to_le_bytes());
        hash.update(&digested.hash);
    }
    hash.finalize().to_vec()
}
