//! Connection pools to the server in use.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sqlx::{
    Connection as _, Executor as _, PgPool, Postgres, Transaction, postgres::PgPoolOptions,
};
use tokio::time::timeout;

use super::servers::{Era, Servers, TIMEOUT};

/// Connections to the server in use; see [`Servers`].
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    pub servers: Arc<Servers>,
    most: u32,
    timeout: Duration,
    pools: Arc<Mutex<Pools>>,
}

/// Connections of one era.
#[derive(Clone, Debug)]
pub(crate) struct Pools {
    pub era: Era,
    pub pool: PgPool,
    /// Pool for statements outside of transactions. Behind a pooler, these statements run in transactions, too:
    /// preparing and running a statement are two steps, which could otherwise reach different connections of the
    /// server.
    pub statements: PgPool,
}

impl Connections {
    /// Creates pools of at most `most` connections each; `timeout` is the timeout for acquiring one.
    pub(super) fn new(servers: &Arc<Servers>, most: u32, timeout: Duration) -> Self {
        let pools = Arc::new(Mutex::new(Pools::new(servers, most, timeout)));
        Self { servers: servers.clone(), most, timeout, pools }
    }

    /// Pools of the current era. Those of the last one are forgotten together with their connections, which may hang.
    pub(crate) fn pools(&self) -> Pools {
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if pools.era.is_over() {
            *pools = Pools::new(&self.servers, self.most, self.timeout);
        }
        pools.clone()
    }

    pub(in crate::engine) async fn close_all(&self) {
        let pools = self.pools();
        pools.statements.close().await;
        pools.pool.close().await;
    }

    /// Begins a transaction with this statement.
    pub(crate) async fn begin(&self, statement: &str) -> sqlx::Result<Begun> {
        loop {
            let Pools { era, pool, .. } = self.pools();
            let begun = pool.begin_with(sqlx::AssertSqlSafe(statement.to_owned()));
            let begun = era.run(self.servers.while_there(begun)).await;
            // Otherwise the era of the transaction is uncertain.
            if !era.is_over() {
                let prepares = !self.servers.is_pooled;
                return begun.map(|transaction| Begun { transaction, era, prepares });
            }
        }
    }
}

impl Pools {
    fn new(servers: &Arc<Servers>, most: u32, timeout: Duration) -> Self {
        // Determined first: if another era begins in the meantime, these pools are over.
        let era = servers.era();
        let connect = |in_transactions| {
            let options = pool_options(servers, in_transactions);
            let options = options.max_connections(most).acquire_timeout(timeout);
            options.connect_lazy_with(servers.used())
        };
        let pool = connect(false);
        let statements = if servers.is_pooled { connect(true) } else { pool.clone() };
        Self { era, pool, statements }
    }
}

/// Transaction with properties of its server.
#[derive(Debug)]
pub(crate) struct Begun {
    pub transaction: Transaction<'static, Postgres>,
    pub era: Era,
    /// Whether the connection keeps statements prepared.
    pub prepares: bool,
}

impl Begun {
    pub(crate) async fn commit(self) -> sqlx::Result<()> {
        self.era.run(self.transaction.commit()).await
    }
}

/// Options of a pool. Connections that do not respond are closed. With `in_transactions`, each use of a connection is a
/// transaction.
fn pool_options(servers: &Arc<Servers>, in_transactions: bool) -> PgPoolOptions {
    let servers = servers.clone();
    let options = PgPoolOptions::new()
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let servers = servers.clone();
            Box::pin(async move {
                servers.greet(connection).await?;
                if in_transactions {
                    connection.execute("BEGIN").await?;
                }
                Ok(())
            })
        })
        .before_acquire(move |connection, _| {
            Box::pin(async move {
                let is_usable =
                    timeout(TIMEOUT, connection.ping()).await.is_ok_and(|answer| answer.is_ok());
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
