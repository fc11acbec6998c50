//! Migrates a database, and refuses one that this binary cannot use.
//!
//! All missing migrations run in one transaction, which waits for its turn like every writer. If several processes
//! start at once, the first one migrates.
//!
//! Nodes are upgraded one by one, so an older binary may open a database that a newer one has migrated. It can use the
//! database, unless one of the migrations forbids it: see CONTRIBUTING, "Migrations".

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use sqlx::migrate::{Migrate, MigrateError, Migration, Migrator};
use sqlx::{AssertSqlSafe, Executor as _};

use super::{
    fault::FaultKind,
    postgres::MIGRATION_LOCK,
    sql::{self, Connection, Engine, Target},
    transaction::{Turn, WRITE_TIMEOUT},
};
use crate::{
    Store, derived,
    error::{Error, Result},
    timeline::{self, Histories},
};

static SQLITE: Migrator = sqlx::migrate!("../../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../../migrations/postgres");

/// Duration after which a slow operation is logged.
const MOMENT: Duration = Duration::from_secs(1);

/// Interval between two log lines about the progress of an operation.
const WHILE: Duration = Duration::from_secs(10);

/// Lock timeout of a migration. While it waits for a table, PostgreSQL blocks all new readers of that table.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);

/// Pause between a migration that gave up on a table and the next attempt.
const LOCK_PAUSE: Duration = Duration::from_secs(1);

/// Result of [`Store::migrate`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Migrated {
    /// Whether the database was empty before.
    pub new: bool,
    /// Number of migrations that were run.
    pub applied: usize,
}

impl Store {
    /// Migrates the database to the current version.
    ///
    /// Gives up on tables that others use for a long time, and tries again later: readers queue behind a migration that
    /// waits.
    ///
    /// # Errors
    /// [`Error::TooNew`] if this binary is too old for the database.
    pub(super) async fn migrate(&self) -> Result<Migrated> {
        let began = self.clock.elapsed();
        loop {
            match self.run_migrations().await {
                Err(error)
                    if self.engine() == Engine::Postgres
                        && is_for_a_lock(&error)
                        && self.clock.elapsed().saturating_sub(began) < WRITE_TIMEOUT =>
                {
                    tracing::info!("a table is in use: trying to migrate again");
                    tokio::time::sleep(LOCK_PAUSE).await;
                }
                migrated => return migrated,
            }
        }
    }

    async fn run_migrations(&self) -> Result<Migrated> {
        if !is_older(&self.readers).await? {
            return Ok(Migrated::default());
        }
        let waiting = "another process is writing to the database: waiting until it is done";
        let mut tx = announce_if_slow(MOMENT, waiting, self.begin_migration()).await?;
        ensure_table(&mut tx).await?;
        let applied = applied(&mut tx).await?;
        let pending = pending(&mut tx, &applied).await?;
        for (number, migration) in pending.iter().enumerate() {
            let (number, all) = (number + 1, pending.len());
            let running = format!(
                "migrating the database, {number} of {all}: {} {}",
                migration.version, migration.description
            );
            announce_if_slow(MOMENT, &running, apply(&mut tx, migration)).await?;
        }
        // A missing migration may mean that an older backup was restored, not only that svc was upgraded.
        if tx.engine() == Engine::Sqlite && !applied.is_empty() {
            timeline::rewind(&mut tx, self.clock.now()).await?;
        }
        let histories = Histories::read(&mut tx).await?;
        timeline::follow(&mut tx, histories, self.clock.now()).await?;
        let is_outdated = derived::is_outdated(&mut tx).await?;
        forget_prepared(&mut tx).await?;
        tx.commit().await?;
        if is_outdated {
            self.rebuild_for_newer_rules().await?;
        }
        Ok(Migrated { new: applied.is_empty(), applied: pending.len() })
    }

    /// Rebuilds derived data made by older rules. Runs outside the transaction of the migrations: it may take minutes,
    /// and resumes if it is killed.
    async fn rebuild_for_newer_rules(&self) -> Result<()> {
        let said = Mutex::new(Instant::now());
        let rebuilt = self
            .rebuild(&|progress| {
                let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                if said.elapsed() >= WHILE {
                    *said = Instant::now();
                    tracing::info!("comparing places and counts with the reports: {progress}");
                }
            })
            .await?;
        if !rebuilt.is_nothing() {
            tracing::info!("brought places and counts up to date: {rebuilt}");
        }
        Ok(())
    }

    /// Begins a transaction after waiting for its turn: processes that start together migrate one after the other.
    async fn begin_migration(&self) -> Result<Connection> {
        let mut tx = self.database.begin_write(Turn::Rows).await?;
        if tx.engine() == Engine::Postgres {
            sql::query("SELECT pg_advisory_xact_lock($1)")
                .bind(MIGRATION_LOCK)
                .execute(&mut tx)
                .await?;
            let timeout = format!("SET LOCAL lock_timeout = {}", LOCK_TIMEOUT.as_millis());
            sql::query(AssertSqlSafe(timeout)).execute(&mut tx).await?;
        }
        forget_prepared(&mut tx).await?;
        Ok(tx)
    }

    /// # Errors
    /// [`Error::TooNew`] if the database has migrations that are missing in this binary, even compatible ones: a copy
    /// must not leave out data that this binary cannot read.
    pub(super) async fn refuse_newer(&self) -> Result<()> {
        let applied = applied(&self.readers).await?;
        let migrations = migrations(self.engine());
        match applied.keys().rfind(|version| !migrations.version_exists(**version)) {
            Some(newest) => Err(Error::TooNew(*newest)),
            None => Ok(()),
        }
    }
}

/// Deallocates the statements that sqlx has prepared for migrations. Behind a pooler, other clients use the same
/// connection before and after, and may choose the same names.
async fn forget_prepared(tx: &mut Connection) -> Result<()> {
    if let Connection::Postgres(begun) = tx
        && !begun.prepares
    {
        begun.transaction.execute("DEALLOCATE ALL").await?;
    }
    Ok(())
}

fn is_for_a_lock(error: &Error) -> bool {
    error.kind() == Some(FaultKind::Undone)
        || matches!(error, Error::Database(fault) if fault.is_busy())
}

fn migrations(engine: Engine) -> &'static Migrator {
    match engine {
        Engine::Sqlite => &SQLITE,
        Engine::Postgres => &POSTGRES,
    }
}

/// Creates the table of applied migrations if it does not exist.
async fn ensure_table(tx: &mut Connection) -> Result<(), MigrateError> {
    let table = &migrations(tx.engine()).table_name;
    match tx {
        Connection::Sqlite(tx) => tx.ensure_migrations_table(table).await,
        Connection::Postgres(begun) => begun.transaction.ensure_migrations_table(table).await,
    }
}

async fn apply(tx: &mut Connection, migration: &Migration) -> Result<Duration, MigrateError> {
    let table = &migrations(tx.engine()).table_name;
    match tx {
        Connection::Sqlite(tx) => tx.apply(table, migration).await,
        Connection::Postgres(begun) => begun.transaction.apply(table, migration).await,
    }
}

/// Whether migrations are missing, or derived data was made by older rules.
///
/// # Errors
/// [`Error::TooNew`].
pub(super) async fn is_older<'c>(target: impl Into<Target<'c>>) -> Result<bool> {
    let mut target = target.into();
    let applied = applied(target.reborrow()).await?;
    let pending = pending(target.reborrow(), &applied).await?;
    Ok(!pending.is_empty() || derived::is_outdated(target).await?)
}

/// Missing migrations, in order.
async fn pending<'c>(
    target: impl Into<Target<'c>>,
    applied: &BTreeMap<i64, Vec<u8>>,
) -> Result<Vec<&'static Migration>> {
    let target = target.into();
    let migrations = migrations(target.engine());
    let newest = applied.keys().rfind(|version| !migrations.version_exists(**version));
    if let Some(newest) = newest
        && !is_compatible(target, migrations).await?
    {
        return Err(Error::TooNew(*newest));
    }
    let mut pending = Vec::new();
    for migration in migrations.iter() {
        match applied.get(&migration.version) {
            None => pending.push(migration),
            Some(checksum) if *checksum == *migration.checksum => {}
            Some(_) => return Err(MigrateError::VersionMismatch(migration.version).into()),
        }
    }
    Ok(pending)
}

/// Whether this binary can use a database that a newer one has migrated.
async fn is_compatible(target: Target<'_>, migrations: &Migrator) -> Result<bool> {
    let oldest: i64 = sql::query_scalar("SELECT oldest FROM compatibility WHERE id = 1")
        .fetch_one(target)
        .await?;
    Ok(migrations.version_exists(oldest))
}

/// Applied migrations, with their checksums.
async fn applied<'c>(target: impl Into<Target<'c>>) -> Result<BTreeMap<i64, Vec<u8>>> {
    let mut target = target.into();
    let known = sql::query_scalar::<bool>(match target.engine() {
        Engine::Sqlite => {
            "SELECT EXISTS (SELECT 1 FROM sqlite_master
                            WHERE type = 'table' AND name = '_sqlx_migrations')"
        }
        Engine::Postgres => "SELECT to_regclass('_sqlx_migrations') IS NOT NULL",
    });
    if !known.fetch_one(target.reborrow()).await? {
        return Ok(BTreeMap::new());
    }
    let rows: Vec<(i64, Vec<u8>)> =
        sql::query_as("SELECT version, checksum FROM _sqlx_migrations WHERE success")
            .fetch_all(target)
            .await?;
    Ok(rows.into_iter().collect())
}

/// Logs `line` if `work` takes longer than `moment`.
async fn announce_if_slow<T>(moment: Duration, line: &str, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        biased;
        done = &mut work => return done,
        () = tokio::time::sleep(moment) => tracing::info!("{line}"),
    }
    work.await
}

#[cfg(test)]
mod tests {
    use scratch::log::Log;
    use sqlx::{Connection as _, PgConnection, SqlSafeStr, migrate::MigrationType};
    use tokio::sync::oneshot;

    use super::*;
    use crate::testing::Scratch;

    /// Beginnings of statements that older binaries are compatible with. An added column needs a default or must be
    /// nullable, or they could not insert rows.
    const COMPATIBLE: [&str; 4] =
        ["CREATE TABLE ", "CREATE INDEX ", "INSERT INTO ", "ALTER TABLE "];

    fn is_compatible(statement: &str) -> bool {
        let adds = statement.contains(" ADD COLUMN ");
        let may_be_left_out = !statement.contains(" NOT NULL") || statement.contains(" DEFAULT ");
        COMPATIBLE.iter().any(|start| statement.starts_with(start))
            && (!statement.starts_with("ALTER") || (adds && may_be_left_out))
    }

    #[test]
    fn a_migration_that_older_binaries_cannot_live_with_says_so() {
        for migrations in [&SQLITE, &POSTGRES] {
            for migration in migrations.iter().filter(|migration| migration.version > 1) {
                let sql = migration.sql.as_str().lines();
                let sql: Vec<_> = sql.filter(|line| !line.trim().starts_with("--")).collect();
                let sql = sql.join(" ");
                let statements = || sql.split(';').map(str::trim).filter(|sql| !sql.is_empty());
                let said = format!("UPDATE compatibility SET oldest = {}", migration.version);
                assert!(
                    statements().all(is_compatible) || statements().any(|sql| sql == said),
                    "migration {}: CONTRIBUTING.md says what it may do, under \"Migrations\"",
                    migration.version
                );
            }
        }
    }

    #[test]
    fn only_what_is_added_and_may_be_left_out_is_compatible() {
        for (statement, expected) in [
            ("CREATE TABLE notes (id BIGINT NOT NULL)", true),
            ("ALTER TABLE reports ADD COLUMN note TEXT", true),
            ("ALTER TABLE reports ADD COLUMN note TEXT NOT NULL DEFAULT ''", true),
            ("ALTER TABLE reports ADD COLUMN note TEXT NOT NULL", false),
            ("ALTER TABLE reports RENAME COLUMN id TO name", false),
            ("DROP INDEX reports_by_note", false),
            ("UPDATE reports SET status = 'OPEN'", false),
        ] {
            assert_eq!(is_compatible(statement), expected, "{statement}");
        }
    }

    /// Otherwise readers would queue behind it.
    #[tokio::test]
    async fn a_migration_gives_up_on_a_table_that_is_in_use_and_can_be_tried_again() {
        let store = Scratch::postgres().await;
        let add = "ALTER TABLE events ADD COLUMN note TEXT".into_sql_str();
        let add = Migration::new(9_999, "note".into(), MigrationType::Simple, add, false);
        let mut user = PgConnection::connect(store.url()).await.unwrap();
        sqlx::raw_sql("BEGIN; SELECT id FROM events").execute(&mut user).await.unwrap();
        let mut tx = store.begin_migration().await.unwrap();
        let refused = apply(&mut tx, &add).await.unwrap_err();
        assert!(is_for_a_lock(&refused.into()));
        drop(tx);
        user.close().await.unwrap();
        let mut tx = store.begin_migration().await.unwrap();
        apply(&mut tx, &add).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(store.value("SELECT count(note) FROM events").await, 0);
        store.close().await;
    }

    #[tokio::test]
    async fn only_what_takes_longer_than_a_moment_is_announced() {
        let (log, _guard) = Log::listen();
        assert_eq!(announce_if_slow(MOMENT, "at once", async { 7 }).await, 7);
        assert_eq!(log.taken(""), [""; 0]);
        let (end, ended) = oneshot::channel();
        let slow = announce_if_slow(Duration::ZERO, "migrating the database, 1 of 2", ended);
        let ending = async {
            loop {
                let lines = log.taken("");
                if !lines.is_empty() {
                    end.send(8).unwrap();
                    return lines;
                }
                tokio::task::yield_now().await;
            }
        };
        let (ended, lines) = tokio::join!(slow, ending);
        assert_eq!(ended, Ok(8));
        assert_eq!(lines, [" INFO store::engine::migrate: migrating the database, 1 of 2"]);
    }
}
