//! Connection pools to the server in use.

use std::{sync::Arc, time::Duration};

use sqlx::{
    Connection as _, Executor as _, PgPool, Postgres, Transaction, postgres::PgPoolOptions,
};
use tokio::time::timeout;

use super::servers::{Servers, TIMEOUT};

/// Connections to the server in use; see [`Servers`].
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    pub pool: PgPool,
    /// Pool for statements outside of transactions. Behind a pooler, these statements run in transactions, too:
    /// preparing and running a statement are two steps, which could otherwise reach different connections of the
    /// server.
    pub statements: PgPool,
    pub servers: Arc<Servers>,
}

impl Connections {
    /// Creates pools of at most `most` connections each; `timeout` is the timeout for acquiring one.
    pub(super) fn new(servers: &Arc<Servers>, most: u32, timeout: Duration) -> Self {
        let connect = |in_transactions| {
            let options = pool_options(servers, in_transactions);
            let options = options.max_connections(most).acquire_timeout(timeout);
            options.connect_lazy_with(servers.used())
        };
        let pool = connect(false);
        let statements = if servers.is_pooled { connect(true) } else { pool.clone() };
        Self { pool, statements, servers: servers.clone() }
    }

    /// The distinct pools.
    pub(in crate::engine) fn distinct(&self) -> Vec<&PgPool> {
        match self.servers.is_pooled {
            true => vec![&self.pool, &self.statements],
            false => vec![&self.pool],
        }
    }

    pub(in crate::engine) async fn close_all(&self) {
        self.statements.close().await;
        self.pool.close().await;
    }

    /// Begins a transaction with this statement.
    pub(crate) async fn begin(&self, statement: &str) -> sqlx::Result<Begun> {
        loop {
            let era = self.servers.era();
            let begun = self.pool.begin_with(sqlx::AssertSqlSafe(statement.to_owned()));
            let transaction = self.servers.while_there(begun).await?;
            // Otherwise the era of the transaction is uncertain.
            if self.servers.era() == era {
                return Ok(Begun { transaction, era, prepares: !self.servers.is_pooled });
            }
        }
    }
}

/// Transaction with properties of its server.
#[derive(Debug)]
pub(crate) struct Begun {
    pub transaction: Transaction<'static, Postgres>,
    pub era: u64,
    /// Whether the connection keeps statements prepared.
    pub prepares: bool,
}

/// Options of a pool whose connections are used only while their server is in use. Connections that do not respond are
/// closed. With `in_transactions`, each use of a connection is a transaction.
fn pool_options(servers: &Arc<Servers>, in_transactions: bool) -> PgPoolOptions {
    let (greeting, using) = (servers.clone(), servers.clone());
    let options = PgPoolOptions::new()
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let servers = greeting.clone();
            Box::pin(async move {
                servers.greet(connection).await?;
                if in_transactions {
                    connection.execute("BEGIN").await?;
                }
                Ok(())
            })
        })
        .before_acquire(move |connection, metadata| {
            let servers = using.clone();
            Box::pin(async move {
                let is_usable = servers.is_current(metadata.age)
                    && timeout(TIMEOUT, connection.ping()).await.is_ok_and(|answer| answer.is_ok());
                if is_usable && in_transactions {
                    connection.execute("BEGIN").await?;
                }
                Ok(is_usable)
            })
        });
    if !in_transactions {
        return options;
    }
    options.after_release(|connection, _| {
        Box::pin(async move {
            connection.execute("COMMIT").await?;
            Ok(true)
        })
    })
}
