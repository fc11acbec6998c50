//! Servers of the cluster: PostgreSQL with a replica, Redis, three nodes, and nginx in front of them.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use scratch::postgres::{Server, translated};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use store::secrets::Keyring;
use store::{Missing, Store, open_with};

use super::{NODES, POLL_INTERVAL, balancer::Balancer, node::Node};
use crate::{
    harness::{NEWER_MIGRATION, Svc, soon},
    redis::{PATIENT, Redis},
};

pub(super) struct Machines {
    pub(super) first: Server,
    pub(super) second: Server,
    pub(super) redis: Redis,
    pub(super) nodes: Vec<Node>,
    pub(super) balancer: Balancer,
    /// Folder and settings for commands.
    pub(super) svc: Arc<Svc>,
    /// Database URL with both servers.
    pub(super) url: String,
}

/// Runs a function that blocks.
pub(super) fn blocking<T>(work: impl FnOnce() -> T) -> T {
    tokio::task::block_in_place(work)
}

impl Machines {
    pub(super) async fn start() -> Self {
        let (first, second) = blocking(servers);
        let url = format!(
            "postgres://svc@{},{}/svc?target_session_attrs=read-write",
            first.address(),
            second.address()
        );
        let redis = Redis::start().await;
        let svc = Arc::new(Svc::with_file());
        let flags = [
            format!("--database-url={url}"),
            // Slow responses of a busy machine must not count as an outage.
            format!("--redis-url={}", redis.url(PATIENT)),
            format!("--secret-key-file={}", svc.path("svc.key").display()),
            "--trusted-proxies=127.0.0.1".to_owned(),
            "--webhook-allow-http".to_owned(),
            "--webhook-allow-private".to_owned(),
            "--drain-delay=1".to_owned(),
            "--drain-spread=5".to_owned(),
        ];
        let start = |number| Node::start(&svc, number, &flags);
        let nodes: Vec<Node> = blocking(|| (0..NODES).map(start).collect());
        let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
        let balancer = Balancer::start(&addresses).await;
        Self { first, second, redis, nodes, balancer, svc, url }
    }

    pub(super) fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// Opens another connection to the database.
    pub(super) async fn store(&self) -> Store {
        let keyring = Keyring::of_file(self.svc.path("svc.key"));
        open_with(&self.url, Missing::Refuse, Some(keyring)).await.unwrap()
    }

    /// Waits until every node answers requests that need the database, and is connected to Redis.
    pub(super) async fn all_well(&self) {
        for (number, node) in self.nodes.iter().enumerate() {
            soon(&format!("node {number}"), async {
                while !is_well(node).await {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            })
            .await;
            node.until("svc_redis_up", 1).await;
            // A killed node counts for some seconds.
            node.until("svc_limit_nodes", u64::try_from(NODES).unwrap()).await;
        }
    }

    /// Migrates the database as a newer binary would, while older ones run.
    pub(super) async fn migrate(&self) {
        let mut connection = PgConnection::connect(&self.second.url("svc")).await.unwrap();
        let patient = "SET LOCAL lock_timeout = '500ms';";
        let added = format!("BEGIN; {patient} {}; COMMIT", translated(NEWER_MIGRATION));
        soon("the migration", async {
            // The lock timeout ends attempts on a table in use, because readers would queue behind them.
            while sqlx::raw_sql(AssertSqlSafe(added.clone()))
                .execute(&mut connection)
                .await
                .is_err()
            {
                sqlx::raw_sql("ROLLBACK").execute(&mut connection).await.unwrap();
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        })
        .await;
    }

    /// Values of the first column of a statement's result.
    pub(super) async fn texts(&self, sql: &'static str) -> Vec<String> {
        let mut connection = PgConnection::connect(&self.second.url("svc")).await.unwrap();
        let rows = sqlx::query(sql).fetch_all(&mut connection).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }
}

async fn is_well(node: &Node) -> bool {
    use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
    static ASKED: AtomicU16 = AtomicU16::new(0);
    let asked = ASKED.fetch_add(1, Relaxed);
    let [high, low] = asked.to_be_bytes();
    let path = format!("/api/v1/metrics?country=Brazil&to={}-03-01", 2027 + asked % 7_000);
    node.is_ready().await && node.get(&path, &format!("10.1.{high}.{low}")).await.status == 200
}

/// Starts a primary and a synchronous replica: commits wait for both.
fn servers() -> (Server, Server) {
    let first = Server::start_on_tcp(&["fsync=off"]);
    first.create_named("svc", None);
    let second = first.replica(&["fsync=off", "wal_retrieve_retry_interval=200ms"]);
    first.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
    first.ask("SELECT pg_reload_conf()");
    (first, second)
}
