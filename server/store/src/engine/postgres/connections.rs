//! Pools of connections to the server in use.

use std::{ops::Deref, sync::Arc, time::Duration};

use sqlx::{
    Connection as _, Executor as _, PgConnection, PgPool, Postgres, Transaction,
    pool::PoolConnectionMetadata,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;

use super::servers::{PATIENCE, Servers};

/// Connections to the server in use; see [`Servers`]. Dereferences to their pool.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    pool: PgPool,
    /// For statements outside of transactions. Behind a pooler, these are in one, too: a statement is prepared and
    /// run in two steps, which could else be on two connections of the server.
    statements: PgPool,
    pub servers: Arc<Servers>,
}

impl Deref for Connections {
    type Target = PgPool;

    fn deref(&self) -> &PgPool {
        &self.pool
    }
}

impl Connections {
    /// At most `most` of them, for which work waits for `patience`.
    pub(super) fn new(servers: &Arc<Servers>, most: u32, patience: Duration) -> Self {
        let options =
            || pool_options(servers.clone()).max_connections(most).acquire_timeout(patience);
        let used: PgConnectOptions = servers.used();
        let pool = options().connect_lazy_with(used.clone());
        let statements = match servers.is_pooled {
            true => in_transactions(options(), servers.clone()).connect_lazy_with(used),
            false => pool.clone(),
        };
        Self { pool, statements, servers: servers.clone() }
    }

    /// All pools, which the server in use is told to.
    pub(super) fn pools(&self) -> [PgPool; 2] {
        [self.pool.clone(), self.statements.clone()]
    }

    /// The pools, each once.
    pub(in crate::engine) fn distinct(&self) -> Vec<&PgPool> {
        match self.servers.is_pooled {
            true => vec![&self.pool, &self.statements],
            false => vec![&self.pool],
        }
    }

    /// What runs a single statement.
    pub(in crate::engine) fn statements(&self) -> &PgPool {
        &self.statements
    }

    pub(in crate::engine) async fn close_all(&self) {
        self.statements.close().await;
        self.pool.close().await;
    }

    /// Begins a transaction with this statement.
    pub(crate) async fn begin(&self, statement: impl Into<String>) -> sqlx::Result<Begun> {
        let statement = statement.into();
        loop {
            let era = self.servers.era();
            let statement = sqlx::AssertSqlSafe(statement.clone());
            let begun = self.pool.begin_with(statement);
            let transaction = self.servers.while_there(begun).await?;
            // Else it is not known which era it is of.
            if self.servers.era() == era {
                return Ok(Begun { transaction, era, prepares: !self.servers.is_pooled });
            }
        }
    }
}

/// A transaction, and what has to be known about its server. Dereferences to its connection.
#[derive(Debug)]
pub(crate) struct Begun {
    transaction: Transaction<'static, Postgres>,
    pub era: u64,
    /// Whether the connection keeps statements prepared.
    pub prepares: bool,
}

impl Begun {
    pub(in crate::engine) async fn commit(self) -> sqlx::Result<()> {
        self.transaction.commit().await
    }
}

impl Deref for Begun {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.transaction
    }
}

impl std::ops::DerefMut for Begun {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.transaction
    }
}

/// A connection is used only while its server is; one that does not answer is given up.
fn pool_options(servers: Arc<Servers>) -> PgPoolOptions {
    let greeter = servers.clone();
    PgPoolOptions::new()
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let servers = greeter.clone();
            Box::pin(async move { servers.greet(connection).await })
        })
        .before_acquire(move |connection, metadata| {
            let servers = servers.clone();
            Box::pin(async move { Ok(is_usable(&servers, connection, &metadata).await) })
        })
}

async fn is_usable(
    servers: &Servers,
    connection: &mut PgConnection,
    metadata: &PoolConnectionMetadata,
) -> bool {
    if !servers.is_current(metadata.age) {
        return false;
    }
    timeout(PATIENCE, connection.ping()).await.is_ok_and(|answer| answer.is_ok())
}

/// Each use of a connection is a transaction.
fn in_transactions(options: PgPoolOptions, servers: Arc<Servers>) -> PgPoolOptions {
    let greeter = servers.clone();
    options
        .after_connect(move |connection, _| {
            let servers = greeter.clone();
            Box::pin(async move {
                servers.greet(connection).await?;
                connection.execute("BEGIN").await?;
                Ok(())
            })
        })
        .before_acquire(move |connection, metadata| {
            let servers = servers.clone();
            Box::pin(async move {
                if !is_usable(&servers, connection, &metadata).await {
                    return Ok(false);
                }
                connection.execute("BEGIN").await?;
                Ok(true)
            })
        })
        .after_release(|connection, _| {
            Box::pin(async move {
                connection.execute("COMMIT").await?;
                Ok(true)
            })
        })
}
