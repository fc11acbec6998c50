//! Many rows in one statement. A statement costs more than a row, so rows are sent in chunks. The text of a
//! full chunk is always the same, so it stays prepared.
//!
//! Placeholders are `?` here and `$n` everywhere else. SQLite takes `$1` for a name and searches a list of
//! all names for it from the start, so that preparing a statement takes quadratic time: 389 ms for 12,288
//! of them, and 1.6 ms for as many `?`. An engine that only knows `$n` needs another [`values`].

use futures_util::future::join;
use sqlx::{
    AssertSqlSafe, FromRow, Sqlite, SqliteConnection,
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};

use crate::store::error::Result;

/// Rows in a full chunk. Times the most columns of any table it stays under the 32,766 variables
/// that SQLite allows.
const CHUNK: usize = 1_024;

/// A query that rows are being bound to.
pub(in crate::store) type Bound = Query<'static, Sqlite, SqliteArguments>;

/// Runs `head VALUES (…), (…) … tail` over all of `rows`; `bind` adds one row's `columns` values.
pub(in crate::store) async fn insert<T>(
    tx: &mut SqliteConnection,
    head: &str,
    columns: usize,
    tail: &str,
    rows: &[T],
    bind: impl Fn(Bound, &T) -> Bound,
) -> Result<()> {
    let statement = |chunk: &[T]| {
        let sql = format!("{head} {} {tail}", values(columns, chunk.len()));
        bound(sql, chunk, &bind)
    };
    let mut chunks = rows.chunks(CHUNK);
    let mut next = chunks.next().map(statement);
    while let Some(current) = next {
        // The engine works on a thread of its own: the next statement is put together meanwhile.
        let (done, prepared) =
            join(current.execute(&mut *tx), async { chunks.next().map(statement) }).await;
        done?;
        next = prepared;
    }
    Ok(())
}

/// Runs `head IN (VALUES (…), (…) …)` over all of `keys`, a chunk at a time, and gathers the rows;
/// `bind` adds one key's `columns` values.
pub(in crate::store) async fn select_matching<K, R>(
    tx: &mut SqliteConnection,
    head: &str,
    columns: usize,
    keys: &[K],
    bind: impl Fn(Bound, &K) -> Bound,
) -> Result<Vec<R>>
where
    R: for<'r> FromRow<'r, SqliteRow>,
{
    let mut found = Vec::with_capacity(keys.len());
    for chunk in keys.chunks(CHUNK) {
        let sql = format!("{head} IN ({})", values(columns, chunk.len()));
        for row in bound(sql, chunk, &bind).fetch_all(&mut *tx).await? {
            found.push(R::from_row(&row)?);
        }
    }
    Ok(found)
}

/// Runs `head IN (VALUES (…), (…) …)`, which returns nothing, over all of `keys`.
pub(in crate::store) async fn delete_matching<K>(
    tx: &mut SqliteConnection,
    head: &str,
    columns: usize,
    keys: &[K],
    bind: impl Fn(Bound, &K) -> Bound,
) -> Result<()> {
    for chunk in keys.chunks(CHUNK) {
        let sql = format!("{head} IN ({})", values(columns, chunk.len()));
        bound(sql, chunk, &bind).execute(&mut *tx).await?;
    }
    Ok(())
}

fn bound<T>(sql: String, chunk: &[T], bind: impl Fn(Bound, &T) -> Bound) -> Bound {
    // Only placeholders vary in the text, and only with the chunk's length.
    let query = sqlx::query(AssertSqlSafe(sql)).persistent(chunk.len() == CHUNK);
    chunk.iter().fold(query, bind)
}

/// `VALUES (…), (…)`: a table of `rows` rows of `columns` values. They are bound row by row, after those of
/// the tables before it in the statement.
pub(in crate::store) fn values(columns: usize, rows: usize) -> String {
    let row = format!("({})", vec!["?"; columns].join(", "));
    format!("VALUES {}", vec![row; rows].join(", "))
}
