//! Statements whose text depends on the number of rows.

use sqlx::AssertSqlSafe;

use super::{Engine, Query, Record, Value, query, query_as};

/// Statement under construction. Values are only added by `bind` and `rows`, so all of its text is written in this
/// program.
///
/// For SQLite, its placeholders are `?`. SQLite takes `$1` for a name and searches a list of all names for it from the
/// start, so preparing a statement takes quadratic time: 389 ms for 12,288 of them, compared to 1.6 ms for as many `?`.
/// For PostgreSQL, a table of rows is one array per column: the text does not depend on the number of rows, and one
/// plan fits all.
#[derive(Debug)]
pub(crate) struct Builder {
    engine: Engine,
    text: String,
    values: Vec<Value>,
}

/// Values of one row.
#[derive(Debug, Default)]
pub(crate) struct RowValues(Vec<Value>);

impl RowValues {
    /// Adds the value of the next column.
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.0.push(value.into());
        self
    }
}

impl Builder {
    pub(crate) fn new(engine: Engine, text: &str) -> Self {
        Self { engine, text: text.to_owned(), values: Vec::new() }
    }

    /// Adds text.
    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds a placeholder and its value.
    pub(crate) fn push_bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        match self.engine {
            Engine::Sqlite => self.text.push('?'),
            Engine::Postgres => {
                self.text.push('$');
                self.text.push_str(&self.values.len().to_string());
            }
        }
        self
    }

    /// Adds a table of `rows` as a subquery without its brackets; `bind` adds the values of one row. All rows have the
    /// same columns of the same types. There has to be at least one row.
    pub(crate) fn push_rows<T>(
        &mut self,
        rows: impl IntoIterator<Item = T>,
        bind: impl Fn(RowValues, T) -> RowValues,
    ) -> &mut Self {
        let rows = rows.into_iter().map(|row| bind(RowValues::default(), row).0);
        match self.engine {
            Engine::Sqlite => self.push_values(rows),
            Engine::Postgres => self.push_columns(rows),
        }
        self
    }

    /// Adds `VALUES (…), (…)`.
    fn push_values(&mut self, rows: impl Iterator<Item = Vec<Value>>) {
        let mut before = "VALUES (";
        for row in rows {
            self.text.push_str(before);
            for number in 0..row.len() {
                self.text.push_str(if number == 0 { "?" } else { ", ?" });
            }
            self.text.push(')');
            self.values.extend(row);
            before = ", (";
        }
    }

    /// Adds `SELECT * FROM unnest(…)` with an array per column.
    fn push_columns(&mut self, rows: impl Iterator<Item = Vec<Value>>) {
        let mut columns: Vec<Vec<Value>> = Vec::new();
        for row in rows {
            columns.resize_with(row.len(), Vec::new);
            for (column, value) in columns.iter_mut().zip(row) {
                column.push(value);
            }
        }
        self.text.push_str("SELECT * FROM unnest(");
        for (number, column) in columns.into_iter().enumerate() {
            if number > 0 {
                self.text.push_str(", ");
            }
            let array_type = column.first().map_or("unknown", Value::array_type);
            self.push_bind(Value::Column(column)).push("::").push(array_type);
        }
        self.text.push(')');
    }

    /// Number of values so far.
    pub(crate) fn value_count(&self) -> usize {
        self.values.len()
    }

    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn build(self) -> Query {
        self.build_by(query)
    }

    pub(crate) fn build_as<R: Record>(self) -> Query<R> {
        self.build_by(query_as)
    }

    fn build_by<R>(self, query: fn(AssertSqlSafe<String>) -> Query<R>) -> Query<R> {
        // No text comes from outside; see [`Builder`].
        let mut built = query(AssertSqlSafe(self.text));
        built.statement.values = self.values;
        built
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(engine: Engine) -> Builder {
        let mut statement = Builder::new(engine, "DELETE FROM t WHERE a = ");
        statement.push_bind("x").push(" AND (b, c) IN (");
        let rows = [(1, None), (2, Some(vec![7]))];
        statement.push_rows(rows, |row, (b, c)| row.bind(b).bind(c));
        statement.push(") AND d > ").push_bind(0.5);
        statement
    }

    #[test]
    fn a_table_of_rows_is_values_in_sqlite() {
        let Builder { text, values, .. } = statement(Engine::Sqlite);
        assert_eq!(
            text,
            "DELETE FROM t WHERE a = ? AND (b, c) IN (VALUES (?, ?), (?, ?)) AND d > ?"
        );
        let expected = [
            Value::from("x"),
            Value::Integer(Some(1)),
            Value::Bytes(None),
            Value::Integer(Some(2)),
            Value::Bytes(Some(vec![7])),
            Value::Real(Some(0.5)),
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn a_table_of_rows_is_an_array_per_column_in_postgres() {
        let Builder { text, values, .. } = statement(Engine::Postgres);
        assert_eq!(
            text,
            "DELETE FROM t WHERE a = $1 AND (b, c) IN \
             (SELECT * FROM unnest($2::bigint[], $3::bytea[])) AND d > $4"
        );
        let expected = [
            Value::from("x"),
            Value::Column(vec![Value::Integer(Some(1)), Value::Integer(Some(2))]),
            Value::Column(vec![Value::Bytes(None), Value::Bytes(Some(vec![7]))]),
            Value::Real(Some(0.5)),
        ];
        assert_eq!(values, expected);
    }
}
