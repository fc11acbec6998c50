//! Opening a database of PostgreSQL: its settings, and whether it is ours.

use std::time::Duration;

use sqlx::{
    ConnectOptions, PgConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::Postgres;
use crate::{
    secrets::Keyring,
    store::{
        Store,
        engine::{
            database::Database,
            open::{Missing, Opened},
            sql::Pool,
            transaction::WRITE_PATIENCE,
            url::server_name,
        },
        error::{Error, Result},
    },
};

/// Connections of each process: for requests and commands, for background work, and for changes.
const READERS: u32 = 8;
const BACKGROUND_READERS: u32 = 4;
const WRITERS: u32 = 4;
/// How long work waits for a connection before that is an error.
const PATIENCE: Duration = Duration::from_secs(5);
/// The oldest server that this works with, as it numbers itself.
const OLDEST: i32 = 150_000;
/// Tables of all versions: databases are known by them.
const OUR_TABLES: [&str; 5] = ["_sqlx_migrations", "data_version", "places", "presence", "reports"];

/// Opens the database that `options` name.
pub(in crate::store::engine) async fn open(
    options: PgConnectOptions,
    missing: Missing,
    keyring: Option<Keyring>,
) -> Result<Opened> {
    let options = options.disable_statement_logging();
    let name = server_name(&options);
    let opened = open_named(options, missing, keyring, &name).await;
    opened.map_err(|error| error.of(&name))
}

async fn open_named(
    options: PgConnectOptions,
    missing: Missing,
    keyring: Option<Keyring>,
    name: &str,
) -> Result<Opened> {
    // The server's own default, which poolers such as pgbouncer need not pass on.
    let options = options.extra_float_digits(None);
    let writers = pool(WRITERS).acquire_timeout(WRITE_PATIENCE).connect_lazy_with(options.clone());
    let mut connection = options.connect().await?;
    check_server(&mut connection).await?;
    match identify(&mut connection).await? {
        Identity::Empty if missing == Missing::Refuse => {
            return Err(Error::EmptyServerDatabase(name.to_owned()));
        }
        Identity::Foreign => return Err(Error::ForeignServerDatabase(name.to_owned())),
        Identity::Ours | Identity::Empty => {}
    }
    let readers = pool(READERS).acquire_timeout(PATIENCE).connect_lazy_with(options.clone());
    let background = pool(BACKGROUND_READERS).acquire_timeout(PATIENCE).connect_lazy_with(options);
    let store = Store::new(
        Pool::Postgres(readers),
        Pool::Postgres(background),
        Database::Postgres(Postgres { writers, name: name.into() }),
        keyring.unwrap_or_else(Keyring::missing),
    );
    Opened::bring_up_to_date(store, missing).await
}

fn pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new().max_connections(connections)
}

/// # Errors
/// The server is too old, or stores text in an encoding that cannot have every name.
async fn check_server(connection: &mut PgConnection) -> Result<()> {
    let (number, version, encoding): (i32, String, String) = sqlx::query_as(
        "SELECT current_setting('server_version_num')::int, current_setting('server_version'),
                current_setting('server_encoding')",
    )
    .fetch_one(connection)
    .await?;
    if number < OLDEST {
        return Err(Error::OldServer(version));
    }
    if encoding != "UTF8" {
        return Err(Error::Encoding(encoding));
    }
    Ok(())
}

enum Identity {
    Ours,
    Empty,
    Foreign,
}

/// Whose tables the database has, in the schema where ours are or would be.
async fn identify(connection: &mut PgConnection) -> Result<Identity> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()",
    )
    .fetch_all(connection)
    .await?;
    let has = |ours: &&str| tables.iter().any(|table| table == ours);
    Ok(match &tables[..] {
        [] => Identity::Empty,
        _ if OUR_TABLES.iter().all(has) => Identity::Ours,
        _ => Identity::Foreign,
    })
}
