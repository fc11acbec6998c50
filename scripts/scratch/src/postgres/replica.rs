//! Streaming replication: a second server that replicates the first one and can replace it.

use std::{fs, process::Command};

use super::{Server, Stop, program, until};

impl Server {
    /// Starts a streaming replica of this server, with its own settings. It serves reads, and
    /// listens on TCP if this server does.
    ///
    /// # Panics
    /// If it does not start within a minute.
    pub fn replica(&self, settings: &[&str]) -> Self {
        Self::prepared(self.is_on_tcp, settings, |replica| replica.copy(self))
    }

    /// Turns this server, a primary until now, into a replica of `primary`, at the same address as
    /// before.
    pub fn rejoin(&self, primary: &Self) {
        self.stop(Stop::Immediate);
        fs::remove_dir_all(self.data()).unwrap();
        self.copy(primary);
        self.start_again();
    }

    fn copy(&self, primary: &Self) {
        let mut copy = Command::new(program("pg_basebackup"));
        copy.args(["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "--username=svc"]);
        copy.arg("--host").arg(&primary.folder).args(["--port", &primary.port.to_string()]);
        copy.arg("--pgdata").arg(self.data());
        self.run_program(&mut copy);
    }

    /// Promotes this replica to a primary. Returns when it accepts writes.
    pub fn promote(&self) {
        assert_eq!(self.ask("SELECT pg_promote()"), "t", "the replica was not promoted");
    }

    /// Makes commits wait for the replicas, at least one of which is connected: until now, and from
    /// now on.
    ///
    /// # Panics
    /// If none is connected within a minute.
    pub fn commit_synchronously(&self, replica: &Self) {
        self.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
        self.ask("SELECT pg_reload_conf()");
        until("the replica is synchronous", || self.has_synchronous_replica());
        // Commits wait as soon as the checkpointer has read the setting, which it does before a
        // checkpoint.
        self.ask("CHECKPOINT");
        replica.catch_up_with(self);
    }

    /// Whether a replica is connected that commits wait for.
    pub fn has_synchronous_replica(&self) -> bool {
        self.ask(
            "SELECT count(*)::text FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')",
        ) != "0"
    }

    /// Turns off waiting for replicas, which a copy inherits from its primary.
    pub fn commit_alone(&self) {
        self.ask("ALTER SYSTEM RESET synchronous_standby_names");
        self.ask("SELECT pg_reload_conf()");
    }

    /// Whether this server is a replica.
    pub fn is_replica(&self) -> bool {
        self.ask("SELECT pg_is_in_recovery()") == "t"
    }

    /// Makes this replica fall behind: it receives changes, but does not apply them.
    pub fn pause_replay(&self) {
        self.ask("SELECT pg_wal_replay_pause()");
        until("the replica pauses", || {
            self.ask("SELECT pg_get_wal_replay_pause_state()") == "paused"
        });
    }

    /// Applies changes again.
    pub fn resume_replay(&self) {
        self.ask("SELECT pg_wal_replay_resume()");
    }

    /// Waits until this replica has applied everything that `primary` has committed.
    pub fn catch_up_with(&self, primary: &Self) {
        let end = primary.ask("SELECT pg_current_wal_flush_lsn()");
        let replayed = format!("SELECT coalesce(pg_last_wal_replay_lsn() >= '{end}', false)");
        until("the replica catches up", || self.ask(&replayed) == "t");
    }
}
