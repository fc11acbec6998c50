//! PostgreSQL: a primary and a synchronous replica, which can change roles.

use scratch::postgres::{Server, Stop};

pub(super) struct Postgres {
    servers: [Server; 2],
    /// Index of the primary.
    primary: usize,
}

impl Postgres {
    /// Starts both servers. Commits wait for both, so a promoted replica lacks nothing.
    pub(super) fn start() -> Self {
        let first = Server::start_on_tcp(&["fsync=off"]);
        first.create_named("svc", None);
        let second = first.replica(&["fsync=off", "wal_retrieve_retry_interval=200ms"]);
        first.commit_synchronously(&second);
        Self { servers: [first, second], primary: 0 }
    }

    /// Database URL with both servers.
    pub(super) fn url(&self) -> String {
        let [first, second] = &self.servers;
        format!(
            "postgres://svc@{},{}/svc?target_session_attrs=read-write",
            first.address(),
            second.address()
        )
    }

    pub(super) fn primary(&self) -> &Server {
        &self.servers[self.primary]
    }

    pub(super) fn replica(&self) -> &Server {
        &self.servers[1 - self.primary]
    }

    /// Promotes the replica. The other server must be down, or about to be replaced.
    pub(super) fn promote(&mut self) {
        self.replica().promote();
        self.primary = 1 - self.primary;
    }

    /// Copies the primary to a new replica at the address of the other server, and waits until commits wait for it.
    pub(super) fn renew_replica(&self) {
        self.replica().rejoin(self.primary());
        self.replica().commit_alone();
        self.primary().commit_synchronously(self.replica());
    }

    /// Starts the replica again, and waits until it has caught up.
    pub(super) fn restart_replica(&self) {
        self.replica().start_again();
        self.primary().commit_synchronously(self.replica());
    }

    /// Kills both servers, and starts them again after `between`.
    pub(super) fn restart_both(&self, how: Stop, between: impl FnOnce()) {
        self.primary().stop(how);
        self.replica().stop(how);
        between();
        self.primary().start_again();
        self.restart_replica();
    }
}
