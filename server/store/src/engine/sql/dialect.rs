//! Differences between the SQL of the engines.

use super::Engine;
use crate::engine::announcements::Topic;

impl Engine {
    /// Concatenates the bytes of `column` in all rows, separated by `between` (hexadecimal). NULL if there are no rows.
    pub(crate) fn joined_bytes(self, column: &str, between: &str) -> String {
        match self {
            Self::Sqlite => format!("CAST(group_concat({column}, x'{between}') AS BLOB)"),
            Self::Postgres => format!("string_agg({column}, '\\x{between}'::bytea)"),
        }
    }

    /// Builds a JSON array of `values`.
    pub(crate) fn json_array(self, values: &str) -> String {
        match self {
            Self::Sqlite => format!("json_array({values})"),
            Self::Postgres => format!("json_build_array({values})"),
        }
    }

    /// Builds a JSON array with an array of `columns` for each row, as text.
    pub(crate) fn rows_as_json(self, columns: &str) -> String {
        let row = self.json_array(columns);
        match self {
            Self::Sqlite => format!("json_group_array({row})"),
            Self::Postgres => format!("coalesce(json_agg({row}), '[]')::text"),
        }
    }

    /// Follows the name of a table: has SQLite use this index. PostgreSQL's planner chooses its own.
    pub(crate) fn indexed_by(self, index: &str) -> String {
        match self {
            Self::Sqlite => format!("INDEXED BY {index}"),
            Self::Postgres => String::new(),
        }
    }

    /// Condition that a report is from a place in `w_country`, `w_region` and `w_city`, for the index `reports_by_place`.
    pub(crate) fn same_place(self) -> &'static str {
        match self {
            Self::Sqlite => "country = w_country AND region = w_region AND city = w_city",
            Self::Postgres => {
                "hashtextextended(concat_names(country, region, city), 0) =
                     hashtextextended(concat_names(w_country, w_region, w_city), 0)
                 AND country = w_country AND region = w_region AND city = w_city"
            }
        }
    }

    /// Time of the clock that all nodes share, in milliseconds since 1970, unless the placeholder `given` has a time. A
    /// server has one clock for all nodes; a file is used by one machine only, whose time has to be given.
    pub(crate) fn clock(self, given: &str) -> String {
        match self {
            Self::Sqlite => given.to_owned(),
            Self::Postgres => format!(
                "coalesce({given}, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)"
            ),
        }
    }

    /// Follows an UPDATE of one row: announces the change when the transaction commits.
    pub(crate) fn announcing(self, topic: Topic) -> String {
        match self {
            Self::Sqlite => String::new(),
            Self::Postgres => format!("RETURNING pg_notify('{}', '')", topic.channel()),
        }
    }

    /// Follows a query: locks its rows until the transaction ends, and waits for others that have locked them. With
    /// SQLite, there is only one writer anyway.
    pub(crate) fn lock_rows(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => "FOR NO KEY UPDATE",
        }
    }

    /// Follows a query: locks its rows, and skips those that others have locked.
    pub(crate) fn lock_free_rows(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => "FOR NO KEY UPDATE SKIP LOCKED",
        }
    }

    /// Follows the name of a table: has SQLite use the primary key, and no other index.
    pub(crate) fn not_indexed(self) -> &'static str {
        match self {
            Self::Sqlite => "NOT INDEXED",
            Self::Postgres => "",
        }
    }
}
