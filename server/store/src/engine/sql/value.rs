//! Values of placeholders.

use sqlx::{Arguments, error::BoxDynError, postgres::PgArguments, sqlite::SqliteArguments};

/// A value of a type that both engines have. `None` is NULL, which has a type in PostgreSQL.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Value {
    Integer(Option<i64>),
    Real(Option<f64>),
    Truth(Option<bool>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
    /// Values of one type: a column of a table made of parameters. Only PostgreSQL has these.
    Column(Vec<Value>),
}

impl Value {
    /// The name that PostgreSQL has for arrays of such values.
    pub(super) const fn array_type(&self) -> &'static str {
        match self {
            Self::Integer(_) => "bigint[]",
            Self::Real(_) => "double precision[]",
            Self::Truth(_) => "boolean[]",
            Self::Text(_) => "text[]",
            Self::Bytes(_) => "bytea[]",
            Self::Column(_) => "unknown",
        }
    }
}

macro_rules! from {
    ($($($type:ty),+ => $variant:ident;)*) => {$($(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::$variant(Some(value.into()))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value.map(Into::into))
            }
        }
    )+)*};
}

from! {
    i64, i32, u32, u16 => Integer;
    f64 => Real;
    bool => Truth;
    String, &str => Text;
    Vec<u8>, &[u8] => Bytes;
}

/// Adds a value to the arguments of either engine, a column by `$add_column`.
macro_rules! add {
    ($arguments:expr, $value:expr, $add_column:expr) => {
        match $value {
            Value::Integer(value) => $arguments.add(value),
            Value::Real(value) => $arguments.add(value),
            Value::Truth(value) => $arguments.add(value),
            Value::Text(value) => $arguments.add(value),
            Value::Bytes(value) => $arguments.add(value),
            Value::Column(values) => $add_column(&mut $arguments, values),
        }
        .map_err(sqlx::Error::Encode)?
    };
}

/// # Errors
/// A value is of a type that SQLite does not have.
pub(super) fn for_sqlite(values: Vec<Value>) -> sqlx::Result<SqliteArguments> {
    let mut arguments = SqliteArguments::default();
    arguments.reserve(values.len(), 0);
    for value in values {
        add!(arguments, value, |_: &mut _, _| Err("SQLite has no arrays".into()));
    }
    Ok(arguments)
}

/// # Errors
/// The values of a column are of several types.
pub(super) fn for_postgres(values: Vec<Value>) -> sqlx::Result<PgArguments> {
    let mut arguments = PgArguments::default();
    arguments.reserve(values.len(), 16 * values.len());
    for value in values {
        add!(arguments, value, add_column);
    }
    Ok(arguments)
}

fn add_column(arguments: &mut PgArguments, column: Vec<Value>) -> Result<(), BoxDynError> {
    let array_type = column.first().map_or("unknown", Value::array_type);
    macro_rules! add_array {
        ($variant:ident) => {{
            let values = column.into_iter().map(|value| match value {
                Value::$variant(value) => Ok(value),
                other => Err(format!("{other:?} is not of the type {array_type}")),
            });
            arguments.add(values.collect::<Result<Vec<_>, String>>()?)
        }};
    }
    match column.first() {
        Some(Value::Integer(_)) => add_array!(Integer),
        Some(Value::Real(_)) => add_array!(Real),
        Some(Value::Truth(_)) => add_array!(Truth),
        Some(Value::Text(_)) => add_array!(Text),
        Some(Value::Bytes(_)) => add_array!(Bytes),
        Some(Value::Column(_)) | None => Err("a column of no type".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_do_not_fit_are_an_error_and_never_left_out() {
        let column = [Value::from(1_i64), Value::from("x"), Value::from(2_i64)].to_vec();
        let sent = for_postgres(vec![Value::Column(column)]);
        let Err(sqlx::Error::Encode(reason)) = sent else { panic!("{sent:?}") };
        assert_eq!(reason.to_string(), "Text(Some(\"x\")) is not of the type bigint[]");
        assert!(for_sqlite(vec![Value::Column(vec![Value::Integer(None)])]).is_err());
    }
}
