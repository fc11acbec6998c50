//! Statements over many rows. A statement costs more than a row, so rows are sent in chunks. The text of a full chunk
//! is always the same, as is that of a single row, so they stay prepared.

use futures_util::future::join;

use super::sql::{Builder, Engine, Record, RowValues, Target};
use crate::error::Result;

/// Rows in a full chunk. With at most 31 values each, they stay below the 32,766 variables that SQLite allows.
pub(crate) const CHUNK: usize = 1_024;

/// Runs `head VALUES (…), (…) … tail` over all of `rows`; `bind` adds one row's values.
pub(crate) async fn insert<'c, T>(
    target: impl Into<Target<'c>>,
    head: &str,
    tail: &str,
    rows: &[T],
    bind: impl Fn(RowValues, &T) -> RowValues,
) -> Result<()> {
    let mut target = target.into();
    let engine = target.engine();
    let statement = |chunk: &[T]| {
        let mut statement = Builder::new(engine, head);
        statement.push(" ").push_rows(chunk, &bind).push(" ").push(tail);
        statement.build().persistent(matches!(chunk.len(), 1 | CHUNK))
    };
    let mut chunks = rows.chunks(CHUNK);
    let mut next = chunks.next().map(statement);
    while let Some(current) = next {
        // The engine works on another thread, so the next statement is built at the same time.
        let (done, prepared) =
            join(current.execute(target.reborrow()), async { chunks.next().map(statement) }).await;
        done?;
        next = prepared;
    }
    Ok(())
}

/// Runs `head IN (VALUES (…), (…) …)` over all of `keys` in chunks, and collects the rows; `bind` adds one key's
/// values.
pub(crate) async fn select_matching<'c, K, R: Record>(
    target: impl Into<Target<'c>>,
    head: &str,
    keys: &[K],
    bind: impl Fn(RowValues, &K) -> RowValues,
) -> Result<Vec<R>> {
    let mut target = target.into();
    let mut found = Vec::with_capacity(keys.len());
    for chunk in keys.chunks(CHUNK) {
        let statement = matching(target.engine(), head, chunk, &bind);
        let rows = statement.build_as().persistent(chunk.len() == CHUNK);
        found.extend(rows.fetch_all(target.reborrow()).await?);
    }
    Ok(found)
}

/// Runs `head IN (VALUES (…), (…) …)`, a statement without results, over all of `keys`.
pub(crate) async fn execute_matching<'c, K>(
    target: impl Into<Target<'c>>,
    head: &str,
    keys: &[K],
    bind: impl Fn(RowValues, &K) -> RowValues,
) -> Result<()> {
    select_matching::<_, ()>(target, head, keys, bind).await.map(drop)
}

/// Builds `head IN (…)` with a table of `keys`.
pub(crate) fn matching<K>(
    engine: Engine,
    head: &str,
    keys: &[K],
    bind: impl Fn(RowValues, &K) -> RowValues,
) -> Builder {
    let mut statement = Builder::new(engine, head);
    statement.push(" IN (").push_rows(keys, bind).push(")");
    statement
}
