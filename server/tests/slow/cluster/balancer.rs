//! One nginx in front of all nodes, as in `docs/proxies.md` but without TLS, which would cost too much with thousands
//! of streams.

use std::{fs, net::SocketAddr, os::unix::fs::PermissionsExt};

use tempfile::TempDir;

use crate::{
    proxies::nginx::{Process, block, replaced},
    redis::free_addresses,
};

/// Response header with the address of the node that sent it.
pub(super) const NODE: &str = "x-node";

/// Maximum number of connections: two per stream, and some for requests.
const CONNECTIONS: u64 = 16_000;

/// Process that stops on drop.
pub(super) struct Balancer {
    _process: Process,
    pub(super) address: SocketAddr,
    _folder: TempDir,
}

impl Balancer {
    pub(super) async fn start(nodes: &[SocketAddr]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // If nginx is started by root, its workers run as another user.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let [address] = free_addresses();
        fs::write(folder.path().join("nginx.conf"), configuration(address, nodes)).unwrap();
        Self { _process: Process::nginx(folder.path(), address).await, address, _folder: folder }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

fn configuration(address: SocketAddr, nodes: &[SocketAddr]) -> String {
    let line = |node: &SocketAddr| format!("    server {node} fail_timeout=2s;\n");
    let servers: String = nodes.iter().map(line).collect();
    let upstream = block("upstream svc {\n    server 10.");
    let upstream = replaced(&upstream, "    server 10.0.0.11:3000 fail_timeout=2s;\n", &servers);
    let upstream = replaced(&upstream, "    server 10.0.0.12:3000 fail_timeout=2s;\n", "");
    let server = block("upstream svc {\n    server 127.");
    let (_, location) = server.split_once("    location / {").unwrap();
    let files = rlimit::Resource::NOFILE.get_hard().unwrap().min(2 * CONNECTIONS);
    let connections = CONNECTIONS.min(files - 100);
    format!(
        "daemon off;
worker_processes 1;
worker_rlimit_nofile {files};
pid nginx.pid;
error_log error.log;
events {{ worker_connections {connections}; }}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    {upstream}
    server {{
        listen {address} backlog=4096;
        add_header {NODE} $upstream_addr always;
        location / {{{location}
}}
"
    )
}
