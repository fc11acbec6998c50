//! What a table of the target lacks, and what it has too much.

use std::cmp::Ordering;

use super::{row::Row, side::Side, tables::Table};

/// The differences between some rows of the two sides.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Difference {
    /// Rows that the target does not have, or not like that.
    pub write: Vec<Row>,
    /// Keys that only the target has.
    pub remove: Vec<Row>,
    /// Whether the target has other rows with keys of `write`.
    pub replaces: bool,
}

impl Difference {
    pub(super) fn is_nothing(&self) -> bool {
        self.write.is_empty() && self.remove.is_empty()
    }
}

/// Takes rows from both sides and compares them, until one of them has to be read on. Calls `seen` with each row
/// of the source.
pub(super) fn compare(
    table: &Table,
    source: &mut Side,
    target: &mut Side,
    mut seen: impl FnMut(&Row),
) -> Difference {
    let mut difference = Difference::default();
    loop {
        let order = match (source.rows.front(), target.rows.front()) {
            (Some(theirs), Some(ours)) => theirs.order(ours, table.key),
            (Some(_), None) if target.is_read => Ordering::Less,
            (None, Some(_)) if source.is_read => Ordering::Greater,
            _ => return difference,
        };
        let theirs = if order.is_le() { source.rows.pop_front() } else { None };
        let ours = if order.is_ge() { target.rows.pop_front() } else { None };
        if let Some(row) = &theirs {
            seen(row);
        }
        match (theirs, ours) {
            (Some(theirs), None) => difference.write.push(theirs),
            (Some(theirs), Some(ours)) if theirs != ours => {
                difference.replaces = true;
                difference.write.push(theirs);
            }
            (None, Some(ours)) => difference.remove.push(ours.cut(table.key)),
            _ => {}
        }
    }
}
