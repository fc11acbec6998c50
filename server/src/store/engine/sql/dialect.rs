//! What the engines say in different words.

use super::Engine;

impl Engine {
    /// The bytes of `column` in all rows, one behind the other, with `between` (hexadecimal) between two; NULL if
    /// there are no rows.
    pub(in crate::store) fn joined_bytes(self, column: &str, between: &str) -> String {
        match self {
            Self::Sqlite => format!("CAST(group_concat({column}, x'{between}') AS BLOB)"),
            Self::Postgres => format!("string_agg({column}, '\\x{between}'::bytea)"),
        }
    }

    /// A JSON array of `values`.
    pub(in crate::store) fn json_array(self, values: &str) -> String {
        match self {
            Self::Sqlite => format!("json_array({values})"),
            Self::Postgres => format!("json_build_array({values})"),
        }
    }

    /// All rows as one text, a JSON array of arrays of `columns`.
    pub(in crate::store) fn rows_as_json(self, columns: &str) -> String {
        let row = self.json_array(columns);
        match self {
            Self::Sqlite => format!("json_group_array({row})"),
            Self::Postgres => format!("coalesce(json_agg({row}), '[]')::text"),
        }
    }

    /// After the name of a table: that its rows are to be found by this index. PostgreSQL's planner decides by
    /// itself.
    pub(in crate::store) fn indexed_by(self, index: &str) -> String {
        match self {
            Self::Sqlite => format!("INDEXED BY {index}"),
            Self::Postgres => String::new(),
        }
    }

    /// After the name of a table: that its rows are to be found by its primary key.
    pub(in crate::store) fn not_indexed(self) -> &'static str {
        match self {
            Self::Sqlite => "NOT INDEXED",
            Self::Postgres => "",
        }
    }
}
