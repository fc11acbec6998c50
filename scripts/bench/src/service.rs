//! The service under test.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::{Result, ensure};
use tokio::process::Command;

use crate::{
    client::{Answer, Connection},
    database::Database,
    process::Process,
};

/// The service on a database, with an enterprise key, the only tier without a limit.
pub(crate) struct Service {
    pub(crate) process: Process,
    pub(crate) authorization: String,
}

impl Service {
    pub(crate) async fn start(database: &Database) -> Result<Self> {
        // Created before the start, because the service reloads keys only at intervals.
        let authorization = format!("Bearer {}", database.key("bench", "enterprise").await?);
        let process = start(database, None).await?;
        Ok(Self { process, authorization })
    }

    pub(crate) fn addr(&self) -> SocketAddr {
        self.process.addr
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr())
    }

    /// Sends `GET path` with the key, on a new connection.
    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Result<Answer> {
        let mut connection = Connection::open(self.addr()).await?;
        let key = [("authorization", self.authorization.as_str())];
        connection.get(path, &[&key, headers].concat()).await
    }

    /// Response of `path`, which must have the status 200.
    pub(crate) async fn bytes(&self, path: &str, headers: &[(&str, &str)]) -> Result<Answer> {
        let answer = self.get(path, headers).await?;
        ensure!(answer.status == 200, "{path}: {}", answer.status);
        Ok(answer)
    }
}

/// Starts the service without a key, at `addr` or any free port.
pub(crate) async fn start(database: &Database, addr: Option<SocketAddr>) -> Result<Process> {
    Process::start(serve(database, addr, &[]), "svc").await
}

/// The command that serves `database`.
pub(crate) fn serve(database: &Database, addr: Option<SocketAddr>, flags: &[&str]) -> Command {
    serve_with_ops(database, addr, ANY, flags)
}

/// Any free port.
const ANY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Like [`serve`], with an address for the operator's endpoints.
pub(crate) fn serve_with_ops(
    database: &Database,
    addr: Option<SocketAddr>,
    ops: SocketAddr,
    flags: &[&str],
) -> Command {
    let [addr, ops] = [addr.unwrap_or(ANY), ops].map(|addr| addr.to_string());
    let mut command = database.command(&["serve", "--addr", &addr, "--ops-addr", &ops]);
    // No drain period, because clients of the bench do not need it and a stop should be fast.
    command.env("SVC_DRAIN_SPREAD", "0").args(flags);
    command
}
