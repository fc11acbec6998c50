//! Copy of an installation from one database to another, of either engine.
//!
//! Tables and columns are read from the [schema](schema). Every table is read in the order of its key and written to
//! the target, all in one transaction; then it is read again from the target. The transaction commits if, for every
//! table, both sides have the same number and [digest](row::Digest) of rows, and if all derived data agree with the
//! [recounted](crate::derived) reports. So an interrupted copy leaves nothing behind, and can be started again.
//!
//! The source is read in one consistent read, however long that takes. Before that, the target is [marked](mark), so
//! that no service starts on an empty database instead of the copy.

mod copied;
mod row;
mod schema;
#[cfg(test)]
mod tests;

use futures_util::TryStreamExt;
use sqlx::AssertSqlSafe;

pub use self::copied::{Copied, CopiedSecrets, CopiedTable};
use self::{
    row::{Digest, Row},
    schema::Table,
};
use super::{
    Store,
    derived::check,
    engine::{
        bulk,
        pair::{Pair, open_pair},
        sql::{self, Connection, Engine, RowValues, Target},
        sqlite::IMPORT_CACHE,
    },
    error::{Error, Result},
    progress::{Progress, Stage, Watcher},
};

/// Tables with one row that the migrations insert.
const WITH_A_ROW: [&str; 7] =
    ["data_version", "derived", "event_log", "keys_version", "mail_digest", "partners", "places"];

/// Makes the empty database `to` a copy of the database `from`, and verifies it. Reports its progress to `watcher`.
///
/// # Errors
/// [`Error::SameDatabase`], [`Error::InUse`], [`Error::Served`]; [`Error::NotEmpty`] if `to` has data;
/// [`Error::CopyDiffers`], [`Error::DamagedSource`]; and the errors of [`open_url`](crate::open_url).
pub async fn copy(from: &str, to: &str, watcher: Watcher<'_>) -> Result<Copied> {
    let Pair { source, target } = open_pair(from, to).await?;
    let copied = copy_opened(&source, &target, watcher).await;
    source.close().await;
    target.close().await;
    copied
}

async fn copy_opened(source: &Store, target: &Store, watcher: Watcher<'_>) -> Result<Copied> {
    mark(target).await.map_err(|error| error.about(&target.name()))?;
    let copying = async {
        let read = source.read(move |from| {
            Box::pin(async move {
                let seen = changes(&mut **from).await?;
                let written = target.write_unreferenced(move |to| {
                    Box::pin(copy_all(source, target, from, to, watcher))
                });
                Ok((seen, written.await.map_err(|error| error.about(&target.name()))?))
            })
        });
        let (seen, tables) = read.await?;
        Ok(Copied {
            from: source.name(),
            to: target.name(),
            tables,
            source_has_changed: changes(&source.readers).await? != seen,
            secrets: CopiedSecrets::between(source, target).await?,
        })
    };
    copying.await.map_err(|error: Error| error.about(&source.name()))
}

/// Marks an empty database, so that only another copy opens it.
async fn mark(target: &Store) -> Result<()> {
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
/// [`Error::NotEmpty`] if there are any rows that the migrations did not insert.
async fn refuse_data(target: &Store, tx: &mut Connection, tables: &[Table]) -> Result<()> {
    for Table { name, .. } in tables {
        let made = usize::from(WITH_A_ROW.contains(&name.as_str()));
        let more = format!("SELECT EXISTS (SELECT 1 FROM {name} LIMIT 1 OFFSET {made})");
        if sql::query_scalar(AssertSqlSafe(more)).fetch_one(&mut *tx).await? {
            return Err(Error::NotEmpty(target.name()));
        }
    }
    Ok(())
}

/// Counters, at least one of which changes with every change of a database.
async fn changes<'c>(target: impl Into<Target<'c>>) -> Result<(i64, i64, i64)> {
    // The table `changes` counts all transactions except those that write results of deliveries; each of these results
    // is an attempt. The sum contains all other changes of an endpoint: leases, cursors, pauses.
    let changes = sql::query_as(
        "SELECT (SELECT CAST(sum(number) AS BIGINT) FROM changes), (SELECT count(*) FROM attempts),
                (SELECT CAST(coalesce(sum(cursor + revision + rewinds + failures + probes
                                          + coalesce(lease_until, 0)), 0) AS BIGINT)
                 FROM subscriptions)",
    );
    Ok(changes.fetch_one(target).await?)
}

/// Copies all tables, verifies them, and removes the mark of an unfinished copy.
async fn copy_all(
    source: &Store,
    target: &Store,
    from: &mut Connection,
    to: &mut Connection,
    watcher: Watcher<'_>,
) -> Result<Vec<CopiedTable>> {
    let about_source = |error: Error| error.about(&source.name());
    // The column types of PostgreSQL if one side has it: those of SQLite do not distinguish booleans from numbers.
    let tables = match from.engine() {
        Engine::Postgres => schema::tables(from).await.map_err(about_source)?,
        Engine::Sqlite => schema::tables(to).await?,
    };
    refuse_data(target, to, &tables).await?;
    if to.engine() == Engine::Sqlite {
        sql::query(IMPORT_CACHE).execute(&mut *to).await?;
    }
    let of = schema::count(from, &tables).await.map_err(about_source)?;
    let mut read = Vec::new();
    let mut progress = Progress { stage: Stage::Reading, done: 0, of };
    for table in &tables {
        progress.stage = Stage::Copying(&table.name);
        // The migrations have inserted a row into some tables.
        let delete = format!("DELETE FROM {}", table.name);
        sql::query(AssertSqlSafe(delete)).execute(&mut *to).await?;
        read.push(pass(source, from, Some(to), table, &mut progress, watcher).await?);
        let last = schema::last_number(from, table).await.map_err(about_source)?;
        schema::set_last_number(to, table, last).await?;
        if to.engine() == Engine::Postgres {
            // Without it, PostgreSQL plans with outdated row counts for a while. Statements for SQLite name their
            // indexes.
            let analyze = format!("ANALYZE {}", table.name);
            sql::query(AssertSqlSafe(analyze)).execute(&mut *to).await?;
        }
    }
    let mut copied = Vec::new();
    progress.done = 0;
    for (table, read) in tables.iter().zip(read) {
        progress.stage = Stage::Verifying(&table.name);
        let written = pass(target, to, None, table, &mut progress, watcher).await?;
        let (table, source_rows, rows) = (table.name.clone(), read.rows, written.rows);
        if written.end() != read.end() {
            return Err(Error::CopyDiffers { table, source_rows, rows });
        }
        copied.push(CopiedTable { table, rows });
    }
    watcher(Progress { stage: Stage::Recounting, done: 1, of: 1 });
    match check(to).await?.found() {
        0 => sql::query("DELETE FROM unfinished_copy").execute(to).await?,
        differences => return Err(about_source(Error::DamagedSource(differences))),
    };
    Ok(copied)
}

/// Reads a table of `store`, and writes it to `to` if given. Returns the digest of the rows.
async fn pass(
    store: &Store,
    from: &mut Connection,
    mut to: Option<&mut Connection>,
    table: &Table,
    progress: &mut Progress<'_>,
    watcher: Watcher<'_>,
) -> Result<Digest> {
    let about = |error: sqlx::Error| Error::from(error).about(&store.name());
    let insert = format!("INSERT INTO {} ({})", table.name, table.column_list());
    let (mut digest, mut chunks) = (Digest::default(), row::chunks(from, table));
    while let Some(rows) = chunks.try_next().await.map_err(about)? {
        rows.iter().for_each(|row| digest.add(row));
        if let Some(to) = &mut to {
            let bind = |values, row: &Row| row.iter().cloned().fold(values, RowValues::bind);
            bulk::insert(&mut **to, &insert, "", &rows, bind).await?;
        }
        progress.done += rows.len() as u64;
        watcher(*progress);
    }
    Ok(digest)
}
