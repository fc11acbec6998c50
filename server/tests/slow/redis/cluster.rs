use std::process::{Command, Stdio};

use super::{Redis, free_addresses};
use crate::harness::soon;

/// Three masters that share the keys.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<Redis>,
    pub(crate) ports: Vec<u16>,
}

impl Cluster {
    pub(crate) async fn start() -> Self {
        let addresses = free_addresses::<6>().map(|address| address.port());
        let mut nodes = Vec::new();
        for pair in addresses.chunks(2) {
            let [port, bus] = [pair[0], pair[1]].map(|port| port.to_string());
            let flags = ["--bind", "127.0.0.1", "--port", &port, "--cluster-port", &bus];
            let flags = [&flags[..], &["--cluster-enabled", "yes"]].concat();
            nodes.push(Redis::with(&flags).await);
        }
        let ports: Vec<u16> = addresses.iter().step_by(2).copied().collect();
        let created = Command::new("redis-cli")
            .args(["--cluster", "create"])
            .args(ports.iter().map(|port| format!("127.0.0.1:{port}")))
            .arg("--cluster-yes")
            .stdout(Stdio::null())
            .status();
        assert!(created.unwrap().success());
        let cluster = Self { nodes, ports };
        soon("the cluster", async {
            while !cluster.is_ready().await {
                tokio::task::yield_now().await;
            }
        })
        .await;
        cluster
    }

    /// Whether each node has detected a master for every slot.
    async fn is_ready(&self) -> bool {
        for node in &self.nodes {
            let info: String = node.ask(&["CLUSTER", "INFO"]).await;
            if !info.contains("cluster_state:ok") || !info.contains("cluster_slots_ok:16384") {
                return false;
            }
        }
        true
    }

    pub(crate) fn url(&self, parameters: &str) -> String {
        let hosts: Vec<String> =
            self.ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        format!("redis+cluster://{}/?{parameters}", hosts.join(","))
    }
}
