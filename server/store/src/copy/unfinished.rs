//! The mark of a database that is to become a copy: nothing but another copy opens it.

use sqlx::AssertSqlSafe;

use super::schema::{self, Table};
use crate::{
    Store,
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// Tables in which the migrations put one row.
const WITH_A_ROW: [&str; 5] = ["data_version", "derived", "event_log", "keys_version", "places"];

impl Store {
    /// # Errors
    /// [`Error::HalfCopied`]
    pub(crate) async fn refuse_half_copied(&self) -> Result<()> {
        let half = sql::query_scalar("SELECT EXISTS (SELECT 1 FROM unfinished_copy)");
        let half: bool = half.fetch_one(&self.readers).await?;
        if half { Err(Error::HalfCopied(self.name())) } else { Ok(()) }
    }
}

/// Marks an empty database.
pub(super) async fn mark(target: &Store) -> Result<()> {
    let marked = target.write(|tx, _| {
        Box::pin(async move {
            let tables = schema::tables(tx).await?;
            refuse_data(target, tx, &tables).await?;
            let mark = "INSERT INTO unfinished_copy (id) VALUES (1) ON CONFLICT DO NOTHING";
            sql::query(mark).execute(&mut **tx).await?;
            Ok(())
        })
    });
    marked.await
}

/// # Errors
/// [`Error::NotEmpty`] if there is anything that the migrations did not put there.
pub(super) async fn refuse_data(
    target: &Store,
    tx: &mut Connection,
    tables: &[Table],
) -> Result<()> {
    for Table { name, .. } in tables {
        let made = usize::from(WITH_A_ROW.contains(&name.as_str()));
        let more = format!("SELECT EXISTS (SELECT 1 FROM {name} LIMIT 1 OFFSET {made})");
        if sql::query_scalar(AssertSqlSafe(more)).fetch_one(&mut *tx).await? {
            return Err(Error::NotEmpty(target.name()));
        }
    }
    Ok(())
}
