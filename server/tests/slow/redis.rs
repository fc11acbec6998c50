//! A real Redis server in a separate folder, deleted after the test.

pub(crate) mod cluster;

use std::{
    fs,
    net::{SocketAddr, TcpListener},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
    process::{Child, Command, Stdio},
};

use redis::{FromRedisValue, RedisError, aio::MultiplexedConnection};
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

use crate::harness::soon;

/// User that runs the server if the tests run as root.
const NOBODY: u32 = 65_534;

/// Redis timeout of the code under test. Long enough for a busy machine, for tests that need every response.
pub(crate) const PATIENT: &str = "timeout_ms=10000";

/// Redis server.
pub(crate) struct Redis {
    process: Option<Child>,
    pub(crate) folder: TempDir,
    flags: Vec<String>,
}

impl Redis {
    /// Starts a server that listens on a socket in its folder.
    pub(crate) async fn start() -> Self {
        Self::with(&[]).await
    }

    pub(crate) async fn with(flags: &[&str]) -> Self {
        Self::prepared(|_| flags.iter().map(|flag| (*flag).to_owned()).collect()).await
    }

    /// Starts a server whose flags name files that `prepare` has written to its folder.
    pub(crate) async fn prepared(prepare: impl FnOnce(&Path) -> Vec<String>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let flags = prepare(folder.path());
        let mut redis = Self { process: None, folder, flags };
        redis.run().await;
        redis
    }

    /// Starts the server, also again after it was stopped.
    pub(crate) async fn run(&mut self) {
        let mut command = Command::new("redis-server");
        command
            .args(["--port", "0", "--unixsocket", "redis.sock", "--unixsocketperm", "777"])
            .args(["--save", "", "--appendonly", "no", "--logfile", "redis.log"])
            .args(&self.flags)
            .current_dir(self.folder.path())
            .stdout(Stdio::null());
        if geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        let Ok(process) = command.spawn() else {
            panic!("redis-server is missing: scripts/setup test installs it");
        };
        self.process = Some(process);
        // A server that requires a password responds too.
        soon("Redis", async {
            while self.connection().await.is_err_and(|error| error.is_io_error()) {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }

    /// Value for `--redis-url`.
    pub(crate) fn url(&self, parameters: &str) -> String {
        format!("unix://{}/redis.sock?{parameters}", self.folder.path().display())
    }

    async fn connection(&self) -> Result<MultiplexedConnection, RedisError> {
        let client = redis::Client::open(self.url(""))?;
        let mut connection = client.get_multiplexed_async_connection().await?;
        redis::cmd("PING").query_async::<String>(&mut connection).await?;
        Ok(connection)
    }

    /// Reply to a command.
    pub(crate) async fn ask<T: FromRedisValue>(&self, command: &[&str]) -> T {
        let mut connection = self.connection().await.unwrap();
        let mut asked = redis::cmd(command[0]);
        asked.arg(&command[1..]).query_async(&mut connection).await.unwrap()
    }

    pub(crate) async fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.ask(&["KEYS", "*"]).await;
        keys.sort();
        keys
    }

    /// Suspends the process, without closing connections.
    pub(crate) fn pause(&self) {
        self.signal(Signal::STOP);
    }

    pub(crate) fn resume(&self) {
        self.signal(Signal::CONT);
    }

    /// Kills the process, which loses all data.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
        let _ = fs::remove_file(self.folder.path().join("redis.sock"));
    }

    /// Stops the process with SIGTERM, and waits for its end.
    pub(crate) fn stop(&mut self) {
        self.signal(Signal::TERM);
        self.process.take().unwrap().wait().unwrap();
        let _ = fs::remove_file(self.folder.path().join("redis.sock"));
    }

    fn signal(&self, signal: Signal) {
        let process = self.process.as_ref().unwrap();
        kill_process(Pid::from_child(process), signal).unwrap();
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Free addresses on this machine.
pub(crate) fn free_addresses<const N: usize>() -> [SocketAddr; N] {
    // All sockets are open at the same time, so their ports differ.
    let sockets = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    sockets.map(|socket| socket.local_addr().unwrap())
}
