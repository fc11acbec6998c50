//! pgbouncer in front of a scratch server: its clients share a few connections to the server, each
//! for one transaction at a time.

use std::{fs, path::PathBuf, process::Command};

use crate::{
    postgres::{self, Server, until},
    user::User,
    watched::Watched,
};

/// Path on Debian, which is not in the PATH of all users.
const PROGRAM: &str = "/usr/sbin/pgbouncer";
/// Default port, used only in the name of the socket.
const PORT: u16 = 6_432;

/// A pooler, which ends when this is dropped.
#[derive(Debug)]
pub struct Pooler {
    folder: PathBuf,
    process: Watched,
}

impl Pooler {
    /// Starts a pooler in transaction mode on a Unix socket, in front of all databases of `server`.
    /// Settings are such as `default_pool_size=2`.
    ///
    /// # Panics
    /// If pgbouncer is not installed, or does not start within a minute.
    pub fn start(server: &Server, settings: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("svc-bouncer-").tempdir().unwrap().keep();
        let user = User::unprivileged(&["postgres", "nobody"]);
        let users = folder.join("users");
        fs::write(&users, "\"svc\" \"\"\n").unwrap();
        let configuration = folder.join("pgbouncer.ini");
        fs::write(
            &configuration,
            format!(
                "[databases]\n* = host={} port={}\n\n[pgbouncer]\npool_mode=transaction\n\
                 auth_type=trust\nauth_file={}\nunix_socket_dir={}\nlisten_port={PORT}\n{}\n",
                server.folder().display(),
                server.port(),
                users.display(),
                folder.display(),
                settings.join("\n")
            ),
        )
        .unwrap();
        if let Some(user) = user {
            for path in [&folder, &users, &configuration] {
                user.owns(path);
            }
        }
        let mut pooler = Command::new(PROGRAM);
        pooler.arg(&configuration);
        let process = Watched::start(&pooler, "TERM", &folder, user);
        let pooler = Self { folder, process };
        pooler.wait();
        pooler
    }

    fn wait(&self) {
        until("pgbouncer starts", || postgres::is_ready(&self.folder, PORT));
    }

    /// URL of a database of the server, through the pooler.
    pub fn url(&self, database: &str) -> String {
        postgres::socket_url(&self.folder, PORT, database)
    }

    /// Stops the pooler at once and closes its connections.
    pub fn stop(&self) {
        self.process.stop("TERM");
    }

    /// Starts the pooler again after it was stopped.
    pub fn start_again(&self) {
        self.process.start_again();
        self.wait();
    }
}
