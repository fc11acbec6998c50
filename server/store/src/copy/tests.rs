use std::collections::{BTreeMap, BTreeSet};

use sqlx::AssertSqlSafe;

use super::tables::{Kind, LEFT_ALONE, Numbers, TABLES};
use crate::{
    Store,
    engine::sql::{self, Engine},
    testing::Scratch,
};

/// Tables that a copy has of its own: what it is, how often it was changed, who is signed in, which binaries can use it, and where it lies.
const OWN: [&str; 6] =
    ["_sqlx_migrations", "changes", "compatibility", "desk_sessions", "origin", "timeline"];

/// A table as an engine or [`TABLES`] has it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shape {
    columns: BTreeSet<(String, Kind)>,
    key: Vec<String>,
    unique: BTreeSet<Vec<String>>,
    refers_to: BTreeSet<String>,
    numbers: bool,
}

async fn rows<R: sql::Record>(store: &Store, statement: String) -> Vec<R> {
    sql::query_as(AssertSqlSafe(statement)).fetch_all(&store.readers).await.unwrap()
}

async fn names(store: &Store, statement: String) -> Vec<String> {
    rows::<(String,)>(store, statement).await.into_iter().map(|(name,)| name).collect()
}

fn kind(engine: Engine, name: &str) -> Kind {
    match (engine, name) {
        (Engine::Sqlite, "INTEGER" | "BIGINT") | (Engine::Postgres, "bigint" | "integer") => {
            Kind::Integer
        }
        (_, "DOUBLE PRECISION" | "double precision") => Kind::Real,
        (Engine::Postgres, "boolean") => Kind::Truth,
        (_, "TEXT" | "text") => Kind::Text,
        (_, "BLOB" | "bytea") => Kind::Bytes,
        (engine, name) => {
            panic!("{engine:?} has a column of type {name}, which copies do not know")
        }
    }
}

async fn columns(store: &Store, table: &str) -> BTreeSet<(String, Kind)> {
    let engine = store.engine();
    let columns: Vec<(String, String)> = rows(
        store,
        match engine {
            Engine::Sqlite => format!("SELECT name, type FROM pragma_table_info('{table}')"),
            Engine::Postgres => format!(
                "SELECT column_name::text, data_type::text FROM information_schema.columns
                 WHERE table_schema = current_schema() AND table_name = '{table}'"
            ),
        },
    )
    .await;
    let kept = columns.into_iter().filter(|(name, _)| (table, name.as_str()) != LEFT_ALONE);
    kept.map(|(name, kind)| (name, self::kind(engine, &kind))).collect()
}

/// The columns of each unique index; `primary`: of the primary key.
async fn indexes(store: &Store, table: &str, primary: bool) -> Vec<Vec<String>> {
    let joined = match store.engine() {
        Engine::Sqlite if primary => vec![
            names(
                store,
                format!("SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk"),
            )
            .await
            .join(" "),
        ],
        Engine::Sqlite => {
            names(
                store,
                format!(
                    "SELECT (SELECT group_concat(name, ' ') FROM pragma_index_info(i.name))
                 FROM pragma_index_list('{table}') i WHERE \"unique\" AND origin <> 'pk'"
                ),
            )
            .await
        }
        Engine::Postgres => {
            names(
                store,
                format!(
                    "SELECT (SELECT string_agg(attname::text, ' ' ORDER BY place)
                         FROM unnest(indkey) WITH ORDINALITY AS k (number, place)
                         JOIN pg_attribute ON attrelid = indrelid AND attnum = number)
                 FROM pg_index WHERE indrelid = '{table}'::regclass
                   AND indisunique AND indisprimary = {primary}"
                ),
            )
            .await
        }
    };
    joined.iter().map(|names| names.split(' ').map(str::to_owned).collect()).collect()
}

async fn shape(store: &Store, table: &str) -> Shape {
    let (refers_to, numbers) = match store.engine() {
        Engine::Sqlite => (
            format!("SELECT \"table\" FROM pragma_foreign_key_list('{table}')"),
            format!(
                "SELECT count(*) FROM sqlite_master
                 WHERE name = '{table}' AND sql LIKE '%AUTOINCREMENT%'"
            ),
        ),
        Engine::Postgres => (
            format!(
                "SELECT confrelid::regclass::text FROM pg_constraint
                 WHERE contype = 'f' AND conrelid = '{table}'::regclass"
            ),
            format!(
                "SELECT count(*) FROM pg_attribute
                 WHERE attrelid = '{table}'::regclass AND attidentity <> ''"
            ),
        ),
    };
    Shape {
        columns: columns(store, table).await,
        key: indexes(store, table, true).await.concat(),
        unique: indexes(store, table, false).await.into_iter().collect(),
        refers_to: names(store, refers_to).await.into_iter().collect(),
        numbers: rows::<(i64,)>(store, numbers).await == [(1,)],
    }
}

async fn shapes(store: &Store) -> BTreeMap<String, Shape> {
    let tables = match store.engine() {
        Engine::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        }
        Engine::Postgres => {
            "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
        }
    };
    let mut shapes = BTreeMap::new();
    for table in names(store, tables.to_owned()).await {
        if !OWN.contains(&table.as_str()) {
            shapes.insert(table.clone(), shape(store, &table).await);
        }
    }
    shapes
}

/// What an engine should have, but for the references.
fn described(engine: Engine) -> BTreeMap<String, Shape> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    TABLES
        .iter()
        .map(|table| {
            let columns = table.columns.iter().map(|(name, kind)| match (engine, kind) {
                (Engine::Sqlite, Kind::Truth) => ((*name).to_owned(), Kind::Integer),
                _ => ((*name).to_owned(), *kind),
            });
            let shape = Shape {
                columns: columns.collect(),
                key: table.key_columns().map(str::to_owned).collect(),
                unique: table.unique.iter().map(|columns| owned(columns)).collect(),
                refers_to: BTreeSet::new(),
                numbers: match engine {
                    Engine::Sqlite => table.numbers == Numbers::NeverAgain,
                    Engine::Postgres => table.numbers != Numbers::Given,
                },
            };
            (table.name.to_owned(), shape)
        })
        .collect()
}

/// If this fails, a migration has changed the tables: describe them in `tables.rs` as they are now, so that
/// `svc db copy` copies all of them.
#[tokio::test]
async fn the_tables_that_are_copied_are_all_there_are_in_both_engines() {
    let mut referenced = BTreeSet::new();
    for store in [Scratch::sqlite().await, Scratch::postgres().await] {
        let mut found = shapes(&store).await;
        for (table, shape) in &mut found {
            let place = |name: &str| TABLES.iter().position(|table| table.name == name);
            for other in std::mem::take(&mut shape.refers_to) {
                assert!(place(&other) <= place(table), "{table} comes before {other}");
                referenced.insert(other);
            }
        }
        assert_eq!(found, described(store.engine()));
    }
    let described = TABLES.iter().filter(|table| table.referenced);
    assert_eq!(referenced, described.map(|table| table.name.to_owned()).collect());
}

#[test]
fn a_statement_for_sqlite_has_no_more_variables_than_it_allows() {
    for table in &TABLES {
        assert!(table.page.min(1_024) * table.columns.len() <= 32_766, "{}", table.name);
    }
}
