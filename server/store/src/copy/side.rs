//! One database's rows of a table, in the order of its key, a page at a time: neither all rows nor one long
//! statement is ever in memory.

use std::collections::VecDeque;

use futures_util::TryStreamExt;

use super::{
    row::{Digest, Digested, Row},
    tables::Table,
};
use crate::{
    engine::sql::{Builder, Connection, Target},
    error::Result,
};

/// The rows that are next.
#[derive(Debug)]
pub(super) struct Side {
    table: &'static Table,
    pub rows: VecDeque<Row>,
    /// The key of the last row that was read.
    after: Option<Row>,
    /// There are no more than `rows`.
    pub is_read: bool,
}

impl Side {
    pub(super) fn new(table: &'static Table) -> Self {
        Self { table, rows: VecDeque::new(), after: None, is_read: false }
    }

    /// Whether there is nothing left.
    pub(super) fn is_over(&self) -> bool {
        self.is_read && self.rows.is_empty()
    }

    /// Reads the next page, unless there are rows from the last one.
    pub(super) async fn fill(&mut self, from: Target<'_>) -> Result<()> {
        if self.is_read || !self.rows.is_empty() {
            return Ok(());
        }
        let mut rows = self.page(&from).build().fetch(from);
        while let Some(row) = rows.try_next().await? {
            self.rows.push_back(Row::read(&row, self.table)?);
        }
        self.is_read = self.rows.len() < self.table.page;
        self.after = self.rows.back().map(|row| row.clone().cut(self.table.key));
        Ok(())
    }

    fn page(&self, from: &Target<'_>) -> Builder {
        let Table { name, page, .. } = self.table;
        let (columns, key) = (self.table.column_list(), self.table.key_list());
        let mut statement = Builder::new(from.engine(), &format!("SELECT {columns} FROM {name}"));
        if let Some(after) = &self.after {
            statement.push(&format!(" WHERE ({key}) > ("));
            for (number, value) in after.values().iter().enumerate() {
                statement.push(if number > 0 { ", " } else { "" }).push_bind(value.clone());
            }
            statement.push(")");
        }
        statement.push(&format!(" ORDER BY {key} LIMIT {page}"));
        statement
    }
}

/// Reads a whole table. Says after each page to `read` how many rows there were until then.
pub(super) async fn digest(
    tx: &mut Connection,
    table: &'static Table,
    read: impl Fn(u64),
) -> Result<Digested> {
    let (mut side, mut digest) = (Side::new(table), Digest::default());
    while !side.is_over() {
        side.fill((&mut *tx).into()).await?;
        for row in side.rows.drain(..) {
            digest.add(&row);
        }
        read(digest.rows());
    }
    Ok(digest.end())
}
