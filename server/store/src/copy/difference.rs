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

#[cfg(test)]
mod tests {
    use proptest::{collection::btree_map, prelude::*};

    use super::*;
    use crate::{copy::tables::TABLES, engine::sql::Value};

    fn row((key, value): (&i64, &i64)) -> Row {
        Row::of(vec![Value::from(*key), Value::from(*value)])
    }

    /// Reads the next of `rows` as a page of this size.
    fn fill(side: &mut Side, rows: &mut Vec<Row>, page: usize) {
        if side.rows.is_empty() {
            side.rows.extend(rows.drain(..page.min(rows.len())));
            side.is_read = rows.is_empty();
        }
    }

    proptest! {
        #[test]
        fn whatever_the_pages_every_difference_is_found_once(
            theirs in btree_map(0_i64..40, 0_i64..3, 0..40),
            ours in btree_map(0_i64..40, 0_i64..3, 0..40),
            pages in (1_usize..9, 1_usize..9),
        ) {
            let table = TABLES.iter().find(|table| table.name == "counted_pages").unwrap();
            let (mut source, mut target) = (Side::new(table), Side::new(table));
            let mut unread: (Vec<Row>, Vec<Row>) =
                (theirs.iter().map(row).collect(), ours.iter().map(row).collect());
            let (mut seen, mut write, mut remove) = (Vec::new(), Vec::new(), Vec::new());
            while !source.is_over() || !target.is_over() {
                fill(&mut source, &mut unread.0, pages.0);
                fill(&mut target, &mut unread.1, pages.1);
                let found = compare(table, &mut source, &mut target, |row| seen.push(row.clone()));
                let replaced = found.write.iter().any(|row| {
                    ours.keys().any(|key| row.values()[0] == Value::from(*key))
                });
                prop_assert_eq!(found.replaces, replaced);
                write.extend(found.write);
                remove.extend(found.remove);
            }
            let differs = |(key, value): &(&i64, &i64)| ours.get(key) != Some(value);
            let gone = |key: &&i64| !theirs.contains_key(key);
            let key = |key: &i64| Row::of(vec![Value::from(*key)]);
            prop_assert_eq!(seen, theirs.iter().map(row).collect::<Vec<_>>());
            prop_assert_eq!(write, theirs.iter().filter(differs).map(row).collect::<Vec<_>>());
            prop_assert_eq!(remove, ours.keys().filter(gone).map(key).collect::<Vec<_>>());
        }
    }
}
