//! Opening a PostgreSQL database: its settings, and a check that it is ours.

use std::time::Duration;

use sqlx::{ConnectOptions, PgConnection, Row as _};

use tokio::time::timeout;

use super::{
    Connections, Postgres,
    servers::{Servers, silent},
};
use crate::{
    Store,
    engine::{
        condition::Condition,
        database::Database,
        open::{Identity, Missing, Opening},
        sql::Pool,
        transaction::WRITE_TIMEOUT,
        url::ServersUrl,
    },
    error::{Error, Result},
    secrets::Keyring,
};

/// Maximum number of connections of each process: for requests and commands, for background work, and for changes.
const READERS: u32 = 8;
const BACKGROUND_READERS: u32 = 4;
const WRITERS: u32 = 4;
/// Timeout for acquiring a connection.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Oldest supported version of the server, in the format of `server_version_num`.
const OLDEST: i32 = 150_000;
/// Tables that exist in all versions of svc. They identify our databases.
const OUR_TABLES: [&str; 5] = ["_sqlx_migrations", "data_version", "places", "presence", "reports"];

/// Opens the database at `url`.
pub(in crate::engine) async fn open(url: ServersUrl, opening: &Opening) -> Result<Store> {
    let name = url.name();
    open_named(url, opening, &name).await.map_err(|error| error.of(&name))
}

async fn open_named(url: ServersUrl, opening: &Opening, name: &str) -> Result<Store> {
    let servers = Servers::find(url).await?;
    let server = servers.used();
    let connected = timeout(TIMEOUT, server.connect()).await;
    let mut connection = connected.unwrap_or_else(|_| Err(silent()))?;
    check_server(&mut connection).await?;
    match identify(&mut connection).await? {
        Identity::Empty if opening.missing == Missing::Refuse => {
            return Err(Error::EmptyServerDatabase(name.to_owned()));
        }
        Identity::Foreign => return Err(Error::ForeignServerDatabase(name.to_owned())),
        Identity::Ours | Identity::Empty => {}
    }
    let readers = Connections::new(&servers, READERS, TIMEOUT);
    let background = Connections::new(&servers, BACKGROUND_READERS, TIMEOUT);
    let writers = Connections::new(&servers, WRITERS, WRITE_TIMEOUT);
    servers.watch();
    let condition = Condition::new(name.to_owned());
    let store = Store::new(
        Pool::Postgres(readers, condition.clone()),
        Pool::Postgres(background, condition.clone()),
        Database::Postgres(Postgres { writers, name: name.into() }),
        condition,
        opening.keyring.clone().unwrap_or_else(Keyring::missing),
    );
    opening.bring_up_to_date(store).await
}

/// # Errors
/// The server is too old, or its text encoding does not support all names.
async fn check_server(connection: &mut PgConnection) -> Result<()> {
    // A simple query, because poolers support it. Its values are text.
    let version = "SELECT current_setting('server_version_num'), current_setting('server_version'),
                          current_setting('server_encoding')";
    let row = sqlx::raw_sql(version).fetch_one(connection).await?;
    let (number, version): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    let (number, encoding): (i32, String) = (number.parse().unwrap_or(0), row.try_get(2)?);
    if number < OLDEST {
        return Err(Error::OldServer(version));
    }
    if encoding != "UTF8" {
        return Err(Error::Encoding(encoding));
    }
    Ok(())
}

/// Checks whether the tables in the current schema are ours; new tables would be created there.
async fn identify(connection: &mut PgConnection) -> Result<Identity> {
    let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()";
    let tables = sqlx::raw_sql(tables).fetch_all(connection).await?;
    let tables: Vec<String> =
        tables.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>()?;
    let has = |ours: &&str| tables.iter().any(|table| table == ours);
    Ok(match &tables[..] {
        [] => Identity::Empty,
        _ if OUR_TABLES.iter().all(has) => Identity::Ours,
        _ => Identity::Foreign,
    })
}
