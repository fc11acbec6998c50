//! Copying an installation from one database to another, of either engine.
//!
//! How it works. For every [table](tables), both databases are read in the order of its key, some thousand rows
//! at a time, and [compared](difference); what differs is written to the target, in one transaction for each of
//! these steps. So one mechanism copies, continues a copy that was interrupted, and brings an earlier copy up to
//! date: only what is missing is written. The source is read in one consistent read, however long that takes, so
//! the target becomes a state that the source had, while others go on changing it.
//!
//! Rows that refer to others are written after those, and rows that others refer to are removed in the end. In
//! between, the target is [marked](origin) as half a copy, which nothing but another copy opens. It is complete
//! when both sides have the same number of rows and the same digest of them in every table, and the reports
//! [recounted](crate::derived) agree with everything that follows from them.

mod apply;
mod difference;
mod moment;
mod numbers;
mod origin;
mod progress;
mod row;
mod secrets;
mod side;
mod tables;
#[cfg(test)]
mod tests;
mod verify;

use futures_util::future::join;

use self::{
    difference::{Difference, compare},
    moment::Moment,
    origin::{Origin, Run},
    progress::{Meter, Watcher},
    row::{Digest, Digested, Row},
    side::Side,
    tables::{TABLES, Table},
    verify::{count, digest_all, whole},
};
pub use self::{
    progress::{Copied, CopiedTable, CopyProgress, CopyStage},
    secrets::CopiedSecrets,
};
use super::{
    Store,
    engine::{
        pair::{Pair, open_pair},
        sql::Connection,
    },
    error::{Error, Result},
};

/// Makes the database `to` a copy of the database `from`, and verifies it; says to `watcher` how far it is. Call
/// it again if it did not end: it goes on where it was.
///
/// # Errors
/// [`Error::SameDatabase`], [`Error::InUse`]; [`Error::NotEmpty`], [`Error::CopyOfAnother`], [`Error::UsedCopy`]
/// where `to` has data that is not an earlier copy of `from`; [`Error::CopyDiffers`]; and those of
/// [`open_url`](crate::open_url).
pub async fn copy(from: &str, to: &str, watcher: Watcher<'_>) -> Result<Copied> {
    let Pair { source, target } = open_pair(from, to).await?;
    let copied = copy_opened(&source, &target, watcher).await;
    source.close().await;
    target.close().await;
    copied
}

async fn copy_opened(source: &Store, target: &Store, watcher: Watcher<'_>) -> Result<Copied> {
    let writing = &target.unreferenced().await?;
    let read = source
        .read(move |tx| {
            Box::pin(async move {
                let seen = Moment::of(&mut **tx).await?;
                let id = Origin::of(&mut **tx).await?.database_id;
                let name = target.name();
                let run = begin(target, &id, watcher).await.map_err(|error| error.about(&name))?;
                let copy = Copy { target, writing, name, run, watcher };
                Ok((seen, copy.run(tx).await?))
            })
        })
        .await;
    writing.close_writer().await;
    let about_source = |error: Error| error.about(&source.name());
    let (seen, tables) = read.map_err(about_source)?;
    Ok(Copied {
        from: source.name(),
        to: target.name(),
        tables,
        source_has_changed: Moment::of(&source.readers).await.map_err(about_source)? != seen,
        secrets: CopiedSecrets::between(source, target).await.map_err(about_source)?,
    })
}

/// Begins a run, if the target may become a copy of the database `source`. Changes nothing if it may not.
async fn begin(target: &Store, source: &[u8], watcher: Watcher<'_>) -> Result<Run> {
    let seen = Origin::of(&target.readers).await?;
    if seen.copied_from.as_ref().is_some_and(|from| from != source) {
        return Err(Error::CopyOfAnother(target.name()));
    }
    if let Some(digest) = &seen.copy_digest
        && whole(&digest_all(target, watcher, CopyStage::Recognizing).await?) != *digest
    {
        return Err(Error::UsedCopy(target.name()));
    }
    Run::begin(target, &seen, source).await
}

/// A copy under way.
struct Copy<'a> {
    target: &'a Store,
    /// The target as it is written to.
    writing: &'a Store,
    name: String,
    run: Run,
    watcher: Watcher<'a>,
}

/// What was found in a table of the source, and what had to be done about it.
struct Compared {
    table: &'static Table,
    source: Digested,
    written: u64,
    removed: u64,
    /// Keys that are still to be removed from the target, because others referred to them.
    left: Vec<Row>,
}

impl Copy<'_> {
    async fn run(&self, tx: &mut Connection) -> Result<Vec<CopiedTable>> {
        let counted = count(&mut *tx).await?;
        let meter = Meter::new(self.watcher, &counted);
        let mut compared = Vec::new();
        for table in &TABLES {
            compared.push(self.copy_table(tx, table, &meter).await?);
        }
        let last = numbers::read(&mut *tx).await?;
        self.finish(&compared, &last, &counted).await.map_err(|error| error.about(&self.name))?;
        let tables = compared.iter().map(|Compared { table, source, written, removed, left }| {
            let removed = removed + left.len() as u64;
            CopiedTable { table: table.name, rows: source.rows, written: *written, removed }
        });
        Ok(tables.collect())
    }

    async fn copy_table(
        &self,
        tx: &mut Connection,
        table: &'static Table,
        meter: &Meter<'_>,
    ) -> Result<Compared> {
        let (mut source, mut target) = (Side::new(table), Side::new(table));
        let mut digest = Digest::default();
        let (mut written, mut removed, mut left) = (0, 0, Vec::new());
        while !source.is_over() || !target.is_over() {
            source.fill((&mut *tx).into()).await?;
            self.read(&mut target).await?;
            let found = compare(table, &mut source, &mut target, |row| digest.add(row));
            // The engines work at the same time.
            let (done, filled) =
                join(self.write(table, &found, target.is_over()), source.fill((&mut *tx).into()))
                    .await;
            done?;
            filled?;
            written += found.write.len() as u64;
            if table.referenced {
                left.extend(found.remove);
            } else {
                removed += found.remove.len() as u64;
            }
            meter.reached(CopyStage::Copying(table.name), digest.rows());
        }
        let source = digest.end();
        meter.passed(source.rows);
        Ok(Compared { table, source, written, removed, left })
    }

    async fn read(&self, target: &mut Side) -> Result<()> {
        let read = target.fill((&self.target.readers).into()).await;
        read.map_err(|error| error.about(&self.name))
    }

    async fn write(&self, table: &Table, found: &Difference, is_last: bool) -> Result<()> {
        if found.is_nothing() {
            return Ok(());
        }
        let run = self.run;
        let written = self.writing.write(move |tx, _| {
            Box::pin(async move {
                run.assert(tx).await?;
                apply::apply(tx, table, found, is_last).await
            })
        });
        written.await.map_err(|error| error.about(&self.name))
    }

    /// Removes what is left, and makes sure that nothing differs any more.
    async fn finish(
        &self,
        compared: &[Compared],
        last: &[numbers::Last],
        counted: &[u64],
    ) -> Result<()> {
        let run = self.run;
        for Compared { table, left, .. } in compared.iter().rev() {
            for keys in left.chunks(table.page) {
                let removed = self.writing.write(move |tx, _| {
                    Box::pin(async move {
                        run.assert(tx).await?;
                        apply::remove(tx, table, keys).await
                    })
                });
                removed.await?;
            }
        }
        let numbered = self.writing.write(move |tx, _| {
            Box::pin(async move {
                run.assert(tx).await?;
                numbers::write(tx, last).await?;
                apply::analyze(tx).await
            })
        });
        numbered.await?;
        let digest = self.verify(compared, counted).await?;
        run.end(self.writing, &digest).await
    }

    /// Reads the copy again, and recounts it. Returns the digest of everything.
    async fn verify(&self, compared: &[Compared], counted: &[u64]) -> Result<Vec<u8>> {
        let digested = digest_all(self.target, self.watcher, CopyStage::Verifying).await?;
        for ((compared, counted), copied) in compared.iter().zip(counted).zip(&digested) {
            let Compared { table, source, .. } = compared;
            if source.rows != *counted || source != copied {
                return Err(Error::CopyDiffers {
                    table: table.name,
                    source_rows: *counted,
                    rows: copied.rows,
                });
            }
        }
        (self.watcher)(CopyProgress { stage: CopyStage::Recounting, done: 1, of: 1 });
        match self.target.check().await?.found() {
            0 => Ok(whole(&digested)),
            differences => Err(Error::DamagedSource(differences)),
        }
    }
}
