//! Processes that the test kills.

use std::{process::Stdio, sync::Arc};

use base::random::Random;
use tokio::{sync::Notify, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::harness::{Svc, soon};

/// Maximum number of reports in one transaction.
const AT_ONCE: u64 = 8;

/// Approves reports, a few per process, until it is stopped.
pub(super) struct Approver {
    working: JoinHandle<()>,
    stopping: CancellationToken,
    dying: Arc<Notify>,
}

impl Approver {
    pub(super) fn start(svc: Arc<Svc>, reports: usize, random: Random) -> Self {
        let (stopping, dying) = (CancellationToken::new(), Arc::new(Notify::new()));
        let (stop, die) = (stopping.clone(), Arc::clone(&dying));
        let working = tokio::spawn(async move {
            let ids: Vec<String> = (0..reports).map(|number| format!("r{number}")).collect();
            let mut ids = ids.as_slice();
            while !ids.is_empty() && !stop.is_cancelled() {
                let count = 1 + usize::try_from(random.number() % AT_ONCE).unwrap();
                let (now, rest) = ids.split_at(count.min(ids.len()));
                ids = rest;
                let arguments: Vec<&str> = ["reports", "approve"]
                    .into_iter()
                    .chain(now.iter().map(String::as_str))
                    .collect();
                let mut command = tokio::process::Command::from(svc.command(&arguments));
                let mut child = command.stdout(Stdio::null()).kill_on_drop(true).spawn().unwrap();
                tokio::select! {
                    status = child.wait() => assert!(status.unwrap().success(), "{now:?}"),
                    () = die.notified() => child.kill().await.unwrap(),
                }
            }
        });
        Self { working, stopping, dying }
    }

    pub(super) fn kill(&self) {
        self.dying.notify_one();
    }

    pub(super) async fn stop(self) {
        self.stopping.cancel();
        soon("the last approval", self.working).await.unwrap();
    }
}
