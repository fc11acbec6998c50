//! Copying an installation from one database to another, of either engine.
//!
//! The tables and their columns are read from the [schema](schema). Every table is read in the order of
//! its key and written to the target, all in one transaction; then it is read again from the target. The transaction
//! commits if both sides have the same number of rows and the same [digest](digest) of them in every table, and if the
//! reports [recounted](crate::derived) agree with everything that follows from them. So a copy that was interrupted has
//! left nothing, and is begun again.
//!
//! The source is read in one consistent read, however long that takes. The target is [marked](unfinished) before, so
//! that no service starts on an empty database instead of the copy.

mod digest;
mod moment;
mod numbers;
mod progress;
mod row;
mod schema;
mod secrets;
#[cfg(test)]
mod tests;
mod unfinished;

use futures_util::TryStreamExt;
use sqlx::AssertSqlSafe;

use self::{
    digest::{Digest, Digested},
    moment::Moment,
    progress::{Meter, Watcher},
    row::Row,
    schema::Table,
    unfinished::WITH_A_ROW,
};
pub use self::{
    progress::{Copied, CopiedTable, CopyProgress, CopyStage},
    secrets::CopiedSecrets,
};
use super::{
    Store,
    derived::check,
    engine::{
        bulk,
        pair::{Pair, open_pair},
        sql::{self, Connection, Engine},
        sqlite::IMPORT_CACHE,
    },
    error::{Error, Result},
};

/// Bytes of texts and blobs that one statement writes: rows of some tables are large.
const BATCH_BYTES: usize = 4 << 20;

/// Makes the empty database `to` a copy of the database `from`, and verifies it; reports to `watcher` how far it is.
///
/// # Errors
/// [`Error::SameDatabase`], [`Error::InUse`], [`Error::Served`]; [`Error::NotEmpty`] where `to` has data;
/// [`Error::CopyDiffers`], [`Error::DamagedSource`]; and those of [`open_url`](crate::open_url).
pub async fn copy(from: &str, to: &str, watcher: Watcher<'_>) -> Result<Copied> {
    let Pair { source, target } = open_pair(from, to).await?;
    let copied = copy_opened(&source, &target, watcher).await;
    source.close().await;
    target.close().await;
    copied
}

async fn copy_opened(source: &Store, target: &Store, watcher: Watcher<'_>) -> Result<Copied> {
    let about_source = |error: Error| error.about(&source.name());
    unfinished::mark(target).await.map_err(|error| error.about(&target.name()))?;
    let read = source.read(move |from| {
        Box::pin(async move {
            let seen = Moment::of(&mut **from).await?;
            let written = target.write_unreferenced(move |to| {
                Box::pin(async move {
                    let copy = Copy { source, target, from, to, watcher };
                    copy.run().await
                })
            });
            Ok((seen, written.await.map_err(|error| error.about(&target.name()))?))
        })
    });
    let (seen, tables) = read.await.map_err(about_source)?;
    Ok(Copied {
        from: source.name(),
        to: target.name(),
        tables,
        source_has_changed: Moment::of(&source.readers).await.map_err(about_source)? != seen,
        secrets: CopiedSecrets::between(source, target).await.map_err(about_source)?,
    })
}

/// A copy under way.
struct Copy<'a> {
    source: &'a Store,
    target: &'a Store,
    /// Transaction that reads the source.
    from: &'a mut Connection,
    /// Transaction that writes the target.
    to: &'a mut Connection,
    watcher: Watcher<'a>,
}

impl Copy<'_> {
    async fn run(mut self) -> Result<Vec<CopiedTable>> {
        let tables = self.tables().await?;
        unfinished::refuse_data(self.target, self.to, &tables).await?;
        if self.to.engine() == Engine::Sqlite {
            sql::query(IMPORT_CACHE).execute(&mut *self.to).await?;
        }
        for table in WITH_A_ROW {
            let delete = format!("DELETE FROM {table}");
            sql::query(AssertSqlSafe(delete)).execute(&mut *self.to).await?;
        }
        let mut counted = Vec::new();
        for table in &tables {
            counted.push(schema::count(self.from, table).await.map_err(|error| self.about(error))?);
        }
        let (mut copied, mut copying) = (Vec::new(), Meter::new(self.watcher, &counted));
        for table in &tables {
            copied.push(self.copy_table(table, &mut copying).await?);
        }
        let mut verifying = Meter::new(self.watcher, &counted);
        for ((table, rows), copied) in tables.iter().zip(counted).zip(&copied) {
            let read = digest::of_table(self.to, table, &mut verifying).await?;
            if read != *copied || copied.rows != rows {
                let (table, copied_rows) = (table.name.clone(), read.rows);
                return Err(Error::CopyDiffers { table, source_rows: rows, rows: copied_rows });
            }
        }
        (self.watcher)(CopyProgress { stage: CopyStage::Recounting, done: 1, of: 1 });
        match check(self.to).await?.found() {
            0 => unfinished::unmark(self.to).await?,
            differences => return Err(self.about(Error::DamagedSource(differences))),
        }
        let tables = tables.into_iter().zip(copied);
        Ok(tables
            .map(|(table, copied)| CopiedTable { table: table.name, rows: copied.rows })
            .collect())
    }

    fn about(&self, error: impl Into<Error>) -> Error {
        error.into().about(&self.source.name())
    }

    /// Tables with the types of PostgreSQL if one side has it: those of SQLite do not distinguish truth from numbers.
    async fn tables(&mut self) -> Result<Vec<Table>> {
        match self.from.engine() {
            Engine::Postgres => schema::tables(self.from).await.map_err(|error| self.about(error)),
            Engine::Sqlite => schema::tables(self.to).await,
        }
    }

    async fn copy_table(&mut self, table: &Table, meter: &mut Meter<'_>) -> Result<Digested> {
        let source = self.source;
        let of_source = |error: sqlx::Error| Error::from(error).about(&source.name());
        let (mut digest, mut batch, mut bytes) = (Digest::default(), Vec::new(), 0);
        let mut rows = table.select().fetch(&mut *self.from);
        while let Some(row) = rows.try_next().await.map_err(of_source)? {
            let row = Row::read(&row, table).map_err(of_source)?;
            digest.add(&row);
            bytes += row.bytes();
            batch.push(row);
            if batch.len() == table.batch() || bytes >= BATCH_BYTES {
                insert(self.to, table, &batch).await?;
                meter.passed(CopyStage::Copying(&table.name), batch.len());
                batch.clear();
                bytes = 0;
            }
        }
        drop(rows);
        insert(self.to, table, &batch).await?;
        meter.passed(CopyStage::Copying(&table.name), batch.len());
        let last = numbers::last(self.from, table).await.map_err(of_source)?;
        numbers::set(self.to, table, last).await?;
        if self.to.engine() == Engine::Postgres {
            // Without it, PostgreSQL plans by old numbers of rows for a while; statements for SQLite name their indexes.
            let analyze = format!("ANALYZE {}", table.name);
            sql::query(AssertSqlSafe(analyze)).execute(&mut *self.to).await?;
        }
        Ok(digest.end())
    }
}

async fn insert(to: &mut Connection, table: &Table, rows: &[Row]) -> Result<()> {
    let head = format!("INSERT INTO {} ({})", table.name, table.column_list());
    bulk::insert(to, &head, "", rows, |values, row| {
        row.values().iter().fold(values, |values, value| values.bind(value.clone()))
    })
    .await
}
