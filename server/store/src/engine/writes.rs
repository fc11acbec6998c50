//! Changes of several tables in one statement.
//!
//! Publications take turns, and each statement is a round trip to PostgreSQL, for which everybody else who publishes
//! waits. So a publication reads first, and collects what it writes.

use super::{
    bulk,
    sql::{Builder, Connection, Engine, RowValues},
};
use crate::error::Result;

/// Maximum number of rows in a statement that waits for others.
const MAX_ROWS: usize = 64;

/// Statements that wait to be sent together. They take effect when they are [sent](Self::send) and not before, in an
/// undefined order, so no two of them may change the same row.
#[derive(Debug, Default)]
#[must_use = "statements have no effect until they are sent"]
pub(crate) struct Writes {
    waiting: Option<Builder>,
}

impl Writes {
    /// Like [`bulk::insert`], if the engine is PostgreSQL when the statements are sent. With SQLite or many rows, it
    /// runs at once.
    pub(crate) async fn insert<T>(
        &mut self,
        tx: &mut Connection,
        head: &str,
        tail: &str,
        rows: &[T],
        bind: impl Fn(RowValues, &T) -> RowValues,
    ) -> Result<()> {
        let engine = tx.engine();
        if engine == Engine::Sqlite || rows.len() > MAX_ROWS {
            return bulk::insert(tx, head, tail, rows, bind).await;
        }
        if rows.is_empty() {
            return Ok(());
        }
        let statement = match &mut self.waiting {
            Some(waiting) => waiting.push("), "),
            none => none.insert(Builder::new(engine, "WITH ")),
        };
        let name = format!("write_{} AS (", statement.value_count());
        statement.push(&name).push(head).push(" ").push_rows(rows, bind).push(" ").push(tail);
        Ok(())
    }

    /// Runs all statements that wait.
    pub(crate) async fn send(self, tx: &mut Connection) -> Result<()> {
        if let Some(mut statement) = self.waiting {
            statement.push(") SELECT");
            statement.build().execute(tx).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::sql, testing::Scratch};

    #[tokio::test]
    async fn statements_take_effect_together_when_they_are_sent() {
        let store = Scratch::postgres().await;
        let pages = async |tx: &mut Connection| -> Result<i64> {
            Ok(sql::query_scalar("SELECT count(*) FROM counted_pages").fetch_one(tx).await?)
        };
        let counted = store.write(|tx, _| {
            Box::pin(async move {
                let mut writes = Writes::default();
                let (head, rows) =
                    ("INSERT INTO counted_pages (page, changes)", [(1_i64, 5_i64), (2, 6)]);
                writes.insert(tx, head, "", &rows, |row, (a, b)| row.bind(*a).bind(*b)).await?;
                let (head, rows) = ("INSERT INTO presence (grain, bucket, cities)", [7_i64]);
                let bind =
                    |row: RowValues, bucket: &i64| row.bind(3_i64).bind(*bucket).bind(vec![1_u8]);
                writes.insert(tx, head, "ON CONFLICT DO NOTHING", &rows, bind).await?;
                let before = pages(tx).await?;
                writes.send(tx).await?;
                Ok((before, pages(tx).await?))
            })
        });
        assert_eq!(counted.await.unwrap(), (0, 2));
        assert_eq!(store.value("SELECT sum(changes)::bigint FROM counted_pages").await, 11);
        assert_eq!(store.value("SELECT bucket FROM presence").await, 7);
    }

    #[tokio::test]
    async fn nothing_to_send_is_no_statement() {
        let store = Scratch::postgres().await;
        let nothing = store.write(|tx, _| {
            Box::pin(async move {
                let mut writes = Writes::default();
                writes.insert(tx, "no statement", "", &[], |row, ()| row).await?;
                writes.send(tx).await
            })
        });
        nothing.await.unwrap();
    }
}
