//! What a database knows of itself as a copy: the row of `origin`.

use sqlx::AssertSqlSafe;

use super::tables::TABLES;
use crate::{
    Store,
    engine::sql::{self, Connection, Target},
    error::{Error, Result},
};

/// A database and what was copied into it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Origin {
    pub database_id: Vec<u8>,
    pub copied_from: Option<Vec<u8>>,
    /// The number of the last run of a copy.
    pub copy_run: i64,
    /// The digest of everything, if the copy is complete.
    pub copy_digest: Option<Vec<u8>>,
}

impl Origin {
    pub(super) async fn of<'c>(target: impl Into<Target<'c>>) -> Result<Self> {
        let origin = sql::query_as(
            "SELECT database_id, copied_from, copy_run, copy_digest FROM origin WHERE id = 1",
        );
        Ok(origin.fetch_one(target).await?)
    }
}

impl Store {
    /// # Errors
    /// [`Error::HalfCopied`]
    pub(crate) async fn refuse_half_copied(&self) -> Result<()> {
        let half = sql::query_scalar(
            "SELECT copied_from IS NOT NULL AND copy_digest IS NULL FROM origin WHERE id = 1",
        );
        let half: bool = half.fetch_one(&self.readers).await?;
        if half { Err(Error::HalfCopied(self.name())) } else { Ok(()) }
    }
}

/// The right to write to a target. Every transaction of a copy [asserts](Self::assert) it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run(i64);

impl Run {
    /// Begins the next run after that of `seen`: from here on, the target is half a copy of the database
    /// `source`.
    ///
    /// # Errors
    /// [`Error::NotEmpty`] if there is data in it that is of no copy. [`Error::OtherCopy`] if another run has
    /// begun.
    pub(super) async fn begin(target: &Store, seen: &Origin, source: &[u8]) -> Result<Self> {
        target
            .write(|tx, _| {
                Box::pin(async move {
                    Self(seen.copy_run).assert(tx).await?;
                    if seen.copied_from.is_none() && has_data(tx).await? {
                        return Err(Error::NotEmpty(target.name()));
                    }
                    let begin = sql::query_scalar(
                        "UPDATE origin SET copied_from = $1, copy_run = copy_run + 1, copy_digest = NULL
                         WHERE id = 1 RETURNING copy_run",
                    );
                    Ok(Self(begin.bind(source).fetch_one(&mut **tx).await?))
                })
            })
            .await
    }

    /// # Errors
    /// [`Error::OtherCopy`] if another run has begun.
    pub(super) async fn assert(self, tx: &mut Connection) -> Result<()> {
        let run: i64 =
            sql::query_scalar("SELECT copy_run FROM origin WHERE id = 1").fetch_one(tx).await?;
        if run == self.0 { Ok(()) } else { Err(Error::OtherCopy) }
    }

    /// The copy is complete.
    pub(super) async fn end(self, target: &Store, digest: &[u8]) -> Result<()> {
        target
            .write(|tx, _| {
                Box::pin(async move {
                    self.assert(tx).await?;
                    let end = sql::query("UPDATE origin SET copy_digest = $1 WHERE id = 1");
                    end.bind(digest).execute(&mut **tx).await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Whether there is anything that the migrations did not put there.
async fn has_data(tx: &mut Connection) -> Result<bool> {
    for table in &TABLES {
        let any = format!("SELECT EXISTS (SELECT 1 FROM {} WHERE {})", table.name, table.added);
        let any: bool = sql::query_scalar(AssertSqlSafe(any)).fetch_one(&mut *tx).await?;
        if any {
            return Ok(true);
        }
    }
    Ok(false)
}
