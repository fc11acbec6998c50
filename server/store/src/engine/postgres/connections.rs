//! Pools of connections to the server in use.

use std::{sync::Arc, time::Duration};

use sqlx::{
    Connection as _, Executor as _, PgPool, Postgres, Transaction, postgres::PgPoolOptions,
};
use tokio::time::timeout;

use super::servers::{PATIENCE, Servers};

/// Connections to the server in use; see [`Servers`].
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    pub pool: PgPool,
    /// For statements outside of transactions. Behind a pooler, these are in one, too: a statement is prepared and
    /// run in two steps, which could else be on two connections of the server.
    pub statements: PgPool,
    pub servers: Arc<Servers>,
}

impl Connections {
    /// At most `most` of them, for which work waits for `patience`.
    pub(super) fn new(servers: &Arc<Servers>, most: u32, patience: Duration) -> Self {
        let connect = |in_transactions| {
            let options = pool_options(servers, in_transactions);
            let options = options.max_connections(most).acquire_timeout(patience);
            options.connect_lazy_with(servers.used())
        };
        let pool = connect(false);
        let statements = if servers.is_pooled { connect(true) } else { pool.clone() };
        Self { pool, statements, servers: servers.clone() }
    }

    /// The pools, each once.
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
            // Else it is not known which era it is of.
            if self.servers.era() == era {
                return Ok(Begun { transaction, era, prepares: !self.servers.is_pooled });
            }
        }
    }
}

/// A transaction, and what has to be known about its server.
#[derive(Debug)]
pub(crate) struct Begun {
    pub transaction: Transaction<'static, Postgres>,
    pub era: u64,
    /// Whether the connection keeps statements prepared.
    pub prepares: bool,
}

/// A connection is used only while its server is; one that does not answer is given up. Each use of one may be a
/// transaction.
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
                    && timeout(PATIENCE, connection.ping())
                        .await
                        .is_ok_and(|answer| answer.is_ok());
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
