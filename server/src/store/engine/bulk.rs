//! Many rows in one statement. A statement costs more than a row, so rows travel in chunks; a full
//! chunk's text never varies and stays prepared.

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
    change(tx, head, columns, tail, rows, bind).await.map(|_| ())
}

/// The same for a change that may concern fewer rows than are given; returns how many it changed.
pub(in crate::store) async fn change<T>(
    tx: &mut SqliteConnection,
    head: &str,
    columns: usize,
    tail: &str,
    rows: &[T],
    bind: impl Fn(Bound, &T) -> Bound,
) -> Result<u64> {
    let statement = |chunk: &[T]| {
        let sql = format!("{head} VALUES {} {tail}", tuples(columns, chunk.len()));
        bound(sql, &[], chunk, &bind)
    };
    let mut chunks = rows.chunks(CHUNK);
    let mut next = chunks.next().map(statement);
    let mut changed = 0;
    while let Some(current) = next {
        // The engine works on a thread of its own: the next statement is put together meanwhile.
        let (done, prepared) =
            join(current.execute(&mut *tx), async { chunks.next().map(statement) }).await;
        changed += done?.rows_affected();
        next = prepared;
    }
    Ok(changed)
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
    select_matching_with(tx, head, &[], columns, keys, bind).await
}

/// The same for a `head` that has placeholders of its own, for `parameters`.
///
/// Nothing that varies may be in the text itself: a full chunk's statement stays prepared, and takes a
/// quarter of a megabyte.
pub(in crate::store) async fn select_matching_with<K, R>(
    tx: &mut SqliteConnection,
    head: &str,
    parameters: &[i64],
    columns: usize,
    keys: &[K],
    bind: impl Fn(Bound, &K) -> Bound,
) -> Result<Vec<R>>
where
    R: for<'r> FromRow<'r, SqliteRow>,
{
    let mut found = Vec::with_capacity(keys.len());
    for chunk in keys.chunks(CHUNK) {
        let sql = format!("{head} IN (VALUES {})", tuples(columns, chunk.len()));
        for row in bound(sql, parameters, chunk, &bind).fetch_all(&mut *tx).await? {
            found.push(R::from_row(&row)?);
        }
    }
    Ok(found)
}

fn bound<T>(
    sql: String,
    parameters: &[i64],
    chunk: &[T],
    bind: impl Fn(Bound, &T) -> Bound,
) -> Bound {
    // Only placeholders vary in the text, and only with the chunk's length.
    let query = sqlx::query(AssertSqlSafe(sql)).persistent(chunk.len() == CHUNK);
    let query = parameters.iter().fold(query, |query, parameter| query.bind(*parameter));
    chunk.iter().fold(query, bind)
}

/// `(?, ?), (?, ?)`: placeholders for `rows` rows of `columns` values.
fn tuples(columns: usize, rows: usize) -> String {
    let tuple = format!("({})", vec!["?"; columns].join(", "));
    vec![tuple; rows].join(", ")
}
