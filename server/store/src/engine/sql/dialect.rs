//! What the engines say in different words.

use super::Engine;
use crate::engine::announcements::Topic;

impl Engine {
    /// The bytes of `column` in all rows, one behind the other, with `between` (hexadecimal) between two; NULL if
    /// there are no rows.
    pub(crate) fn joined_bytes(self, column: &str, between: &str) -> String {
        match self {
            Self::Sqlite => format!("CAST(group_concat({column}, x'{between}') AS BLOB)"),
            Self::Postgres => format!("string_agg({column}, '\\x{between}'::bytea)"),
        }
    }

    /// A JSON array of `values`.
    pub(crate) fn json_array(self, values: &str) -> String {
        match self {
            Self::Sqlite => format!("json_array({values})"),
            Self::Postgres => format!("json_build_array({values})"),
        }
    }

    /// All rows as one text, a JSON array of arrays of `columns`.
    pub(crate) fn rows_as_json(self, columns: &str) -> String {
        let row = self.json_array(columns);
        match self {
            Self::Sqlite => format!("json_group_array({row})"),
            Self::Postgres => format!("coalesce(json_agg({row}), '[]')::text"),
        }
    }

    /// After the name of a table: that its rows are to be found by this index. PostgreSQL's planner decides by
    /// itself.
    pub(crate) fn indexed_by(self, index: &str) -> String {
        match self {
            Self::Sqlite => format!("INDEXED BY {index}"),
            Self::Postgres => String::new(),
        }
    }

    /// The clock that all nodes go by, in milliseconds since 1970, unless the placeholder `given` says what the time
    /// is. A server has one clock for all nodes; a file is only used by one machine, whose clock has to be given.
    pub(crate) fn clock(self, given: &str) -> String {
        match self {
            Self::Sqlite => given.to_owned(),
            Self::Postgres => format!(
                "coalesce({given}, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)"
            ),
        }
    }

    /// Behind an UPDATE of one row: that the change is announced when the transaction commits.
    pub(crate) fn announcing(self, topic: Topic) -> String {
        match self {
            Self::Sqlite => String::new(),
            Self::Postgres => format!("RETURNING pg_notify('{}', '')", topic.channel()),
        }
    }

    /// Behind a query: that the transaction locks the rows it finds, and waits for whoever has locked them. A writer
    /// of SQLite is alone.
    pub(crate) fn lock_rows(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => "FOR NO KEY UPDATE",
        }
    }

    /// The same, but rows that others have locked are left out.
    pub(crate) fn lock_free_rows(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => "FOR NO KEY UPDATE SKIP LOCKED",
        }
    }

    /// After the name of a table: that its rows are to be found by its primary key.
    pub(crate) fn not_indexed(self) -> &'static str {
        match self {
            Self::Sqlite => "NOT INDEXED",
            Self::Postgres => "",
        }
    }
}
