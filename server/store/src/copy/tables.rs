//! What there is to copy: every table with its columns, as both engines have them. A test compares this with the
//! tables that the migrations make, so that no later one is forgotten.

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Integer,
    Real,
    /// SQLite has 0 and 1.
    Truth,
    Text,
    Bytes,
}

/// Which numbers the database itself gives to new rows, in the first column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// None.
    Given,
    Next,
    /// Never one that there was before, even if its row is gone.
    NeverAgain,
}

/// A table that is copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub name: &'static str,
    /// Those of the primary key come first, in its order.
    pub columns: &'static [(&'static str, Kind)],
    /// How many columns the primary key has.
    pub key: usize,
    /// Columns whose values no two rows share, besides the key. If the table is `referenced`, the last of them is a
    /// text.
    pub unique: &'static [&'static [&'static str]],
    /// Whether rows of other tables refer to these.
    pub referenced: bool,
    pub numbers: Numbers,
    /// Which rows are not put there by the migrations, as a condition.
    pub added: &'static str,
    /// How many rows are read at once: those of some tables are large.
    pub page: usize,
}

/// A multiple of a full chunk of a bulk statement.
const MANY: usize = 4_096;
/// For rows of up to 8 KB, or with so many columns that a full chunk would have too many for SQLite.
const SOME: usize = 512;
/// For rows of up to a few hundred KB.
const FEW: usize = 64;

const PLAIN: Table = Table {
    name: "",
    columns: &[],
    key: 1,
    unique: &[],
    referenced: false,
    numbers: Numbers::Given,
    added: "1 = 1",
    page: MANY,
};

/// A table with exactly one row, which is there from the beginning.
const SINGLE: Table = Table { added: "1 = 0", ..PLAIN };

/// The only column that a copy leaves as it is: whether secrets in plain text may be left in the database's own
/// file.
#[cfg(test)]
pub(super) const LEFT_ALONE: (&str, &str) = ("derived", "plain_secrets");

use Kind::{Bytes, Integer, Real, Text, Truth};

/// In an order in which every table comes after those that it refers to.
pub(super) static TABLES: [Table; 25] = [
    Table {
        name: "places",
        columns: &[
            ("id", Integer),
            ("parent_id", Integer),
            ("level", Integer),
            ("country_key", Text),
            ("region_key", Text),
            ("city_key", Text),
            ("country", Text),
            ("region", Text),
            ("city", Text),
        ],
        unique: &[&["level", "country_key", "region_key", "city_key"]],
        referenced: true,
        numbers: Numbers::Next,
        added: "id <> 0",
        ..PLAIN
    },
    Table {
        name: "reports",
        columns: &[
            ("seq", Integer),
            ("id", Text),
            ("type", Text),
            ("status", Text),
            ("city", Text),
            ("region", Text),
            ("country", Text),
            ("people_count", Integer),
            ("event_day", Integer),
            ("created_at", Integer),
            ("published_at", Integer),
            ("place_id", Integer),
            ("lat", Real),
            ("lng", Real),
            ("position", Integer),
        ],
        unique: &[&["id"], &["position"]],
        numbers: Numbers::Next,
        ..PLAIN
    },
    Table {
        name: "segments",
        columns: &[
            ("id", Integer),
            ("size", Integer),
            ("live", Integer),
            ("oldest_at", Integer),
            ("newest_at", Integer),
            ("newest_id", Text),
            ("first_day", Integer),
            ("last_day", Integer),
            ("fences", Bytes),
        ],
        referenced: true,
        numbers: Numbers::NeverAgain,
        page: SOME,
        ..PLAIN
    },
    Table {
        name: "postings",
        columns: &[
            ("segment", Integer),
            ("dimension", Integer),
            ("value", Integer),
            ("slots", Bytes),
        ],
        key: 3,
        page: SOME,
        ..PLAIN
    },
    Table {
        name: "calendars",
        columns: &[("segment", Integer), ("dates", Bytes)],
        page: FEW,
        ..PLAIN
    },
    Table {
        name: "counts",
        columns: &[("grain", Integer), ("page", Integer), ("bucket", Integer), ("counts", Bytes)],
        key: 3,
        page: SOME,
        ..PLAIN
    },
    Table { name: "counted_pages", columns: &[("page", Integer), ("changes", Integer)], ..PLAIN },
    Table {
        name: "presence",
        columns: &[("grain", Integer), ("bucket", Integer), ("cities", Bytes)],
        key: 2,
        page: FEW,
        ..PLAIN
    },
    Table {
        name: "derived",
        columns: &[
            ("id", Integer),
            ("rules", Integer),
            ("folding", Integer),
            ("countries", Integer),
            ("places_version", Integer),
            ("rebuild", Integer),
            ("rebuild_until", Integer),
        ],
        ..SINGLE
    },
    Table {
        name: "imports",
        columns: &[("id", Integer), ("file", Text), ("mode", Text)],
        referenced: true,
        ..PLAIN
    },
    Table {
        name: "import_ranges",
        columns: &[("first_seq", Integer), ("last_seq", Integer), ("import_id", Integer)],
        ..PLAIN
    },
    Table {
        name: "partners",
        columns: &[("id", Integer), ("name", Text), ("created_at", Integer)],
        unique: &[&["name"]],
        referenced: true,
        numbers: Numbers::Next,
        ..PLAIN
    },
    Table {
        name: "keys",
        columns: &[
            ("id", Integer),
            ("partner_id", Integer),
            ("prefix", Text),
            ("hash", Bytes),
            ("tier", Text),
            ("created_at", Integer),
            ("expires_at", Integer),
            ("revoked_at", Integer),
            ("last_used_at", Integer),
            ("scope", Text),
        ],
        unique: &[&["prefix"]],
        numbers: Numbers::Next,
        ..PLAIN
    },
    Table { name: "keys_version", columns: &[("id", Integer), ("version", Integer)], ..SINGLE },
    Table {
        name: "subscriptions",
        columns: &[
            ("seq", Integer),
            ("id", Text),
            ("partner_id", Integer),
            ("url", Text),
            ("report_created", Truth),
            ("report_withdrawn", Truth),
            ("report_updated", Truth),
            ("metrics_updated", Truth),
            ("filter_country", Text),
            ("filter_region", Text),
            ("filter_city", Text),
            ("filter_types", Text),
            ("status", Text),
            ("disabled_reason", Text),
            ("held", Truth),
            ("failing_since", Integer),
            ("failures", Integer),
            ("failing_ms", Integer),
            ("last_failure_at", Integer),
            ("paused_until", Integer),
            ("probes", Integer),
            ("created_at", Integer),
            ("secret", Bytes),
            ("secret_key", Text),
            ("old_secret", Bytes),
            ("old_secret_key", Text),
            ("old_secret_until", Integer),
            ("cursor", Integer),
            ("replayed_up_to", Integer),
            ("rewinds", Integer),
            ("revision", Integer),
            ("lease_owner", Integer),
            ("lease_until", Integer),
        ],
        unique: &[&["id"]],
        referenced: true,
        numbers: Numbers::NeverAgain,
        page: SOME,
        ..PLAIN
    },
    Table {
        name: "idempotency_keys",
        columns: &[
            ("partner_id", Integer),
            ("key", Text),
            ("body_hash", Bytes),
            ("subscription_seq", Integer),
            ("url", Text),
            ("events", Text),
            ("filter_country", Text),
            ("filter_region", Text),
            ("filter_city", Text),
            ("filter_types", Text),
            ("created_at", Integer),
        ],
        key: 2,
        ..PLAIN
    },
    Table {
        name: "events",
        columns: &[
            ("seq", Integer),
            ("id", Text),
            ("name", Text),
            ("body", Bytes),
            ("place", Text),
            ("type", Text),
            ("place_before", Text),
            ("type_before", Text),
            ("created_at", Integer),
        ],
        unique: &[&["id"]],
        numbers: Numbers::NeverAgain,
        ..PLAIN
    },
    Table { name: "event_log", columns: &[("id", Integer), ("pruned_up_to", Integer)], ..SINGLE },
    Table { name: "log_gaps", columns: &[("last", Integer), ("next", Integer)], ..PLAIN },
    Table {
        name: "deliveries",
        columns: &[
            ("subscription_seq", Integer),
            ("event_seq", Integer),
            ("status", Text),
            ("due_at", Integer),
            ("lease", Integer),
            ("failures", Integer),
            ("attempts", Integer),
        ],
        key: 2,
        ..PLAIN
    },
    Table {
        name: "attempts",
        columns: &[
            ("subscription_seq", Integer),
            ("event_seq", Integer),
            ("number", Integer),
            ("started_at", Integer),
            ("duration_ms", Integer),
            ("status_code", Integer),
            ("error", Text),
        ],
        key: 3,
        ..PLAIN
    },
    Table {
        name: "import_results",
        columns: &[
            ("import_id", Integer),
            ("total", Integer),
            ("imported", Integer),
            ("skipped", Integer),
            ("refused", Integer),
            ("refused_rows", Bytes),
        ],
        page: FEW,
        ..PLAIN
    },
    Table {
        name: "audit_log",
        columns: &[
            ("seq", Integer),
            ("at", Integer),
            ("actor", Text),
            ("key_prefix", Text),
            ("origin", Text),
            ("action", Text),
            ("subject", Text),
            ("report_seq", Integer),
            ("before", Text),
            ("after", Text),
        ],
        numbers: Numbers::Next,
        page: SOME,
        ..PLAIN
    },
    Table {
        name: "audited_reports",
        columns: &[("report_seq", Integer), ("entry_seq", Integer)],
        key: 2,
        ..PLAIN
    },
    Table {
        name: "data_version",
        columns: &[
            ("id", Integer),
            ("version", Integer),
            ("changed_at", Integer),
            ("revision", Integer),
        ],
        ..SINGLE
    },
];

impl Table {
    pub(super) fn key_columns(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.columns.iter().take(self.key).map(|(name, _)| *name)
    }

    /// The columns of this name, as numbers from 0.
    pub(super) fn number_of(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|(name, _)| *name == column)
    }

    /// All columns, with commas between them.
    pub(super) fn column_list(&self) -> String {
        list(self.columns.iter().map(|(name, _)| *name))
    }

    /// The columns of the key, with commas between them.
    pub(super) fn key_list(&self) -> String {
        list(self.key_columns())
    }
}

fn list(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
