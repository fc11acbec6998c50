use std::time::Duration;

use redis::{
    AsyncConnectionConfig, Client, Cmd, FromRedisValue, RedisResult,
    aio::MultiplexedConnection,
    cluster::ClusterClient,
    cluster_async::ClusterConnection,
    io::tcp::{TcpSettings, socket2::TcpKeepalive},
};

use super::url::Target;

/// How long connecting may take, names and certificates included.
const CONNECTING: Duration = Duration::from_secs(1);

/// How long what was sent may stay unacknowledged until the connection counts as broken. Of a server that
/// is merely stopped, the kernel goes on acknowledging: its late replies still tell what it has counted.
const UNACKNOWLEDGED: Duration = Duration::from_secs(10);

/// How many commands may wait to be written.
const WAITING: usize = 4_096;

/// A connection that all requests share: commands are written as they come, and replies are told
/// apart by their order. Cheap to clone.
#[derive(Clone)]
pub(super) enum Connection {
    Server(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Connection {
    /// Connects; see [`CONNECTING`].
    pub(super) async fn open(target: &Target) -> RedisResult<Self> {
        if target.is_cluster {
            return cluster(target)?.get_async_connection().await.map(Self::Cluster);
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECTING))
            // Each caller knows how long it waits, and some go on when a request no longer does.
            .set_response_timeout(None)
            .set_pipeline_buffer_size(WAITING);
        server(target)?
            .get_multiplexed_async_connection_with_config(&config)
            .await
            .map(Self::Server)
    }

    pub(super) async fn query<T: FromRedisValue>(&mut self, command: &Cmd) -> RedisResult<T> {
        match self {
            Self::Server(connection) => command.query_async(connection).await,
            Self::Cluster(connection) => command.query_async(connection).await,
        }
    }
}

/// Whether the target's certificates and key can be used.
pub(super) fn check(target: &Target) -> RedisResult<()> {
    if target.is_cluster { cluster(target).map(drop) } else { server(target).map(drop) }
}

fn server(target: &Target) -> RedisResult<Client> {
    let info = target.first.clone().set_tcp_settings(tcp());
    match &target.certificates {
        Some(certificates) => Client::build_with_tls(info, certificates.clone()),
        None => Client::open(info),
    }
}

fn cluster(target: &Target) -> RedisResult<ClusterClient> {
    let nodes = std::iter::once(&target.first).chain(&target.others).cloned();
    let client = ClusterClient::builder(nodes)
        .tcp_settings(tcp())
        .connection_timeout(CONNECTING)
        .response_timeout(UNACKNOWLEDGED)
        // A redirection is one.
        .retries(3)
        .min_retry_wait(5)
        .max_retry_wait(100);
    match &target.certificates {
        Some(certificates) => client.certs(certificates.clone()).build(),
        None => client.build(),
    }
}

fn tcp() -> TcpSettings {
    // A command must not wait until the one before it is acknowledged.
    TcpSettings::default()
        .set_nodelay(true)
        .set_user_timeout(UNACKNOWLEDGED)
        .set_keepalive(TcpKeepalive::new().with_time(UNACKNOWLEDGED))
}
