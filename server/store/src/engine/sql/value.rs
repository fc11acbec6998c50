//! Values of placeholders.

use sqlx::{Arguments, postgres::PgArguments, sqlite::SqliteArguments};

/// A value of a type that both engines have. `None` is NULL, which has a type in PostgreSQL.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Value {
    Integer(Option<i64>),
    Real(Option<f64>),
    Truth(Option<bool>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
    /// The values of a column of a table made of parameters. Only PostgreSQL has these.
    Column(Column),
}

/// A column of values, all of one type.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Column {
    Integers(Vec<Option<i64>>),
    Reals(Vec<Option<f64>>),
    Truths(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
    Blobs(Vec<Option<Vec<u8>>>),
    /// Values of several types, which no column has: what was wrong.
    Mixed(String),
}

impl Column {
    /// An empty column for values like this one.
    pub(super) fn like(value: &Value) -> Self {
        match value {
            Value::Integer(_) | Value::Column(_) => Self::Integers(Vec::new()),
            Value::Real(_) => Self::Reals(Vec::new()),
            Value::Truth(_) => Self::Truths(Vec::new()),
            Value::Text(_) => Self::Texts(Vec::new()),
            Value::Bytes(_) => Self::Blobs(Vec::new()),
        }
    }

    /// Adds a value, which has to be of the column's type: a statement with another one fails.
    pub(super) fn push(&mut self, value: Value) {
        match (self, value) {
            (Self::Integers(values), Value::Integer(value)) => values.push(value),
            (Self::Reals(values), Value::Real(value)) => values.push(value),
            (Self::Truths(values), Value::Truth(value)) => values.push(value),
            (Self::Texts(values), Value::Text(value)) => values.push(value),
            (Self::Blobs(values), Value::Bytes(value)) => values.push(value),
            (Self::Mixed(_), _) => {}
            (column, value) => {
                *column =
                    Self::Mixed(format!("{value:?} is not of the type {}", column.type_name()));
            }
        }
    }

    /// The name of its type in PostgreSQL.
    pub(super) const fn type_name(&self) -> &'static str {
        match self {
            Self::Integers(_) => "bigint[]",
            Self::Reals(_) => "double precision[]",
            Self::Truths(_) => "boolean[]",
            Self::Texts(_) => "text[]",
            Self::Blobs(_) => "bytea[]",
            Self::Mixed(_) => "unknown",
        }
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident ($value:ident: $converted:expr);)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                Self::$variant(Some($converted))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value.map(|$value| $converted))
            }
        }
    )*};
}

from! {
    i64 => Integer(value: value);
    i32 => Integer(value: i64::from(value));
    u32 => Integer(value: i64::from(value));
    u16 => Integer(value: i64::from(value));
    f64 => Real(value: value);
    bool => Truth(value: value);
    String => Text(value: value);
    &str => Text(value: value.to_owned());
    Vec<u8> => Bytes(value: value);
    &[u8] => Bytes(value: value.to_vec());
}

/// # Errors
/// A value is of a type that SQLite does not have.
pub(super) fn for_sqlite(values: Vec<Value>) -> sqlx::Result<SqliteArguments> {
    let mut arguments = SqliteArguments::default();
    arguments.reserve(values.len(), 0);
    for value in values {
        let added = match value {
            Value::Integer(value) => arguments.add(value),
            Value::Real(value) => arguments.add(value),
            Value::Truth(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
            Value::Column(column) => Err(format!("SQLite has no {}", column.type_name()).into()),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// # Errors
/// The values of a column are of several types.
pub(super) fn for_postgres(values: Vec<Value>) -> sqlx::Result<PgArguments> {
    let mut arguments = PgArguments::default();
    arguments.reserve(values.len(), 16 * values.len());
    for value in values {
        let added = match value {
            Value::Integer(value) => arguments.add(value),
            Value::Real(value) => arguments.add(value),
            Value::Truth(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
            Value::Column(Column::Integers(values)) => arguments.add(values),
            Value::Column(Column::Reals(values)) => arguments.add(values),
            Value::Column(Column::Truths(values)) => arguments.add(values),
            Value::Column(Column::Texts(values)) => arguments.add(values),
            Value::Column(Column::Blobs(values)) => arguments.add(values),
            Value::Column(Column::Mixed(reason)) => Err(reason.into()),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_do_not_fit_are_an_error_and_never_left_out() {
        let mut column = Column::like(&Value::from(1_i64));
        for value in [Value::from(1_i64), Value::from("x"), Value::from(2_i64)] {
            column.push(value);
        }
        let sent = for_postgres(vec![Value::Column(column)]);
        let Err(sqlx::Error::Encode(reason)) = sent else { panic!("{sent:?}") };
        assert_eq!(reason.to_string(), "Text(Some(\"x\")) is not of the type bigint[]");
        assert!(for_sqlite(vec![Value::Column(Column::Integers(vec![None]))]).is_err());
    }
}
