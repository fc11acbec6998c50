use std::{fmt, time::Duration};

use redis::{
    AsyncConnectionConfig, Client, FromRedisValue, RedisResult, ScriptInvocation,
    aio::MultiplexedConnection,
    cluster::ClusterClient,
    cluster_async::ClusterConnection,
    io::tcp::{TcpSettings, socket2::TcpKeepalive},
};

use super::url::Target;

/// Maximum time to connect, including name resolution and TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Time without an acknowledgement of sent data after which a connection counts as broken.
const UNACKNOWLEDGED: Duration = Duration::from_secs(10);

/// Maximum number of commands that wait to be written.
const QUEUE: usize = 4_096;

/// Connection that all requests share: commands are pipelined, and replies are matched by their order. Cheap to
/// clone.
#[derive(Clone)]
pub(super) enum Connection {
    Server(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Connection {
    /// Connects; see [`CONNECT_TIMEOUT`].
    pub(super) async fn open(target: &Target) -> RedisResult<Self> {
        if target.is_cluster {
            return cluster(target)?.get_async_connection().await.map(Self::Cluster);
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            // Each caller has its own timeout.
            .set_response_timeout(None)
            .set_pipeline_buffer_size(QUEUE);
        let client = server(target)?;
        client.get_multiplexed_async_connection_with_config(&config).await.map(Self::Server)
    }

    /// Runs a script. Loads it first if Redis does not have it.
    pub(super) async fn run<T: FromRedisValue>(
        &self,
        script: &ScriptInvocation<'_>,
    ) -> RedisResult<T> {
        match self.clone() {
            Self::Server(mut connection) => script.invoke_async(&mut connection).await,
            Self::Cluster(mut connection) => script.invoke_async(&mut connection).await,
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

/// Whether the target's certificates and key can be used.
pub(super) fn check(target: &Target) -> RedisResult<()> {
    if target.is_cluster { cluster(target).map(drop) } else { server(target).map(drop) }
}

fn server(target: &Target) -> RedisResult<Client> {
    let info = target.nodes[0].clone().set_tcp_settings(tcp());
    match &target.certificates {
        Some(certificates) => Client::build_with_tls(info, certificates.clone()),
        None => Client::open(info),
    }
}

fn cluster(target: &Target) -> RedisResult<ClusterClient> {
    let client = ClusterClient::builder(target.nodes.clone())
        .tcp_settings(tcp())
        .connection_timeout(CONNECT_TIMEOUT)
        .response_timeout(UNACKNOWLEDGED)
        // Redirections count as retries.
        .retries(3)
        .min_retry_wait(5)
        .max_retry_wait(100);
    match &target.certificates {
        Some(certificates) => client.certs(certificates.clone()).build(),
        None => client.build(),
    }
}

fn tcp() -> TcpSettings {
    // A command must not wait for the acknowledgement of the previous one.
    TcpSettings::default()
        .set_nodelay(true)
        .set_user_timeout(UNACKNOWLEDGED)
        .set_keepalive(TcpKeepalive::new().with_time(UNACKNOWLEDGED))
}
