use std::collections::BTreeSet;

use sqlx::AssertSqlSafe;

use super::schema::{self, ColumnKind, OWN, REFERRED_TO, Table};
use crate::{
    Store,
    engine::sql::{self, Engine},
    testing::Scratch,
};

async fn rows<R: sql::Record>(store: &Store, sqlite: &str, postgres: &str) -> Vec<R> {
    let statement = match store.engine() {
        Engine::Sqlite => sqlite,
        Engine::Postgres => postgres,
    };
    sql::query_as(AssertSqlSafe(statement.to_owned())).fetch_all(&store.readers).await.unwrap()
}

/// Tables in a form that both engines should agree on: SQLite has numbers for booleans.
async fn tables(store: &Store) -> Vec<Table> {
    let mut tables = store.read(|tx| Box::pin(schema::all(tx))).await.unwrap();
    for (_, kind) in tables.iter_mut().flat_map(|table| &mut table.columns) {
        if *kind == ColumnKind::Truth {
            *kind = ColumnKind::Integer;
        }
    }
    tables
}

/// Tables with the tables that they refer to. PostgreSQL has fewer references: none from reports and places.
async fn references(store: &Store) -> Vec<(String, String)> {
    rows(
        store,
        "SELECT t.name, r.\"table\" FROM sqlite_master t, pragma_foreign_key_list(t.name) r",
        "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint
         WHERE contype = 'f' AND connamespace = current_schema()::regnamespace",
    )
    .await
}

/// Names of all indexes except those of keys.
async fn indexes(store: &Store) -> BTreeSet<(String,)> {
    let indexes = rows(
        store,
        "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
        "SELECT indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         WHERE c.relnamespace = current_schema()::regnamespace
           AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid)",
    );
    indexes.await.into_iter().collect()
}

/// If this fails, the migrations of the two engines differ, and `svc db copy` cannot copy between them.
#[tokio::test]
async fn both_engines_have_the_same_tables_columns_keys_and_indexes() {
    let (sqlite, postgres) = (Scratch::sqlite().await, Scratch::postgres().await);
    assert_eq!(tables(&sqlite).await, tables(&postgres).await);
    assert_eq!(indexes(&sqlite).await, indexes(&postgres).await);
}

/// If this fails, a migration has added a reference to a table that `REFERRED_TO` lacks.
#[tokio::test]
async fn tables_are_copied_after_those_that_they_refer_to() {
    for store in [Scratch::sqlite().await, Scratch::postgres().await] {
        let tables = store.read(|tx| Box::pin(schema::tables(tx))).await.unwrap();
        let place = |name: &str| tables.iter().position(|table| table.name == name);
        let references = references(&store).await;
        for (table, other) in references.iter().filter(|(table, _)| !OWN.contains(&table.as_str()))
        {
            assert!(place(other) <= place(table), "{table} comes before {other}");
        }
        assert!(REFERRED_TO.iter().all(|name| place(name).is_some()));
        assert!(OWN.iter().all(|name| place(name).is_none()));
    }
}
