//! Servers of the cluster: PostgreSQL with a replica, Redis, three nodes, and nginx in front of them.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use scratch::postgres::translated;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store::secrets::Keyring;
use store::{Missing, Store, open_with};

use super::{NODES, POLL_INTERVAL, balancer::Balancer, node::Node, postgres::Postgres};
use crate::{
    harness::{NEWER_MIGRATION, Svc, soon},
    redis::{PATIENT, Redis},
};

pub(super) struct Machines {
    pub(super) postgres: Postgres,
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
        let postgres = blocking(Postgres::start);
        let url = postgres.url();
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
            // The balancer also distributes the requests of the operator's programs.
            "--operator-on=public".to_owned(),
            "--drain-delay=1".to_owned(),
            "--drain-spread=5".to_owned(),
        ];
        let start = |number| Node::start(&svc, number, &flags);
        let nodes: Vec<Node> = blocking(|| (0..NODES).map(start).collect());
        let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
        let balancer = Balancer::start(&addresses).await;
        Self { postgres, redis, nodes, balancer, svc, url }
    }

    pub(super) fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// Opens another connection to the database.
    pub(super) async fn store(&self) -> Store {
        let keyring = Keyring::of_file(self.svc.path("svc.key"));
        open_with(&self.url, Missing::Refuse, Some(keyring)).await.unwrap()
    }

    /// A new key, made by the command with these arguments.
    pub(super) fn key(&self, arguments: &[&str]) -> String {
        let create = ["keys", "create", "--json", "--database-url", &self.url];
        let created = blocking(|| self.svc.json(&[&create[..], arguments].concat()));
        created["key"].as_str().unwrap().to_owned()
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
        let mut connection =
            PgConnection::connect(&self.postgres.primary().url("svc")).await.unwrap();
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
}

async fn is_well(node: &Node) -> bool {
    use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
    static ASKED: AtomicU16 = AtomicU16::new(0);
    let asked = ASKED.fetch_add(1, Relaxed);
    let [high, low] = asked.to_be_bytes();
    let path = format!("/api/v1/metrics?country=Brazil&to={}-03-01", 2027 + asked % 7_000);
    node.is_ready().await && node.get(&path, &format!("10.1.{high}.{low}")).await.status == 200
}
