//! Node: a `svc serve` process that keeps its address for the whole test.

use std::{
    fs::File,
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use super::timeline::Timeline;
use crate::{
    harness::{Answer, Svc, http, soon},
    served::Served,
};

pub(super) struct Node {
    pub(super) address: SocketAddr,
    flags: Vec<String>,
    log: PathBuf,
    /// Running process; `None` while the node is down.
    served: Option<Served>,
}

impl Node {
    pub(super) fn start(svc: &Svc, number: usize, flags: &[String]) -> Self {
        // Outgoing connections never use this host, so no process can take the port while the node is down.
        let host = [127, 0, 77, u8::try_from(number + 1).unwrap()];
        let socket = TcpListener::bind((std::net::IpAddr::from(host), 0)).unwrap();
        let address = socket.local_addr().unwrap();
        drop(socket);
        let log = Timeline::folder().join(format!("node-{number}.log"));
        File::create(&log).unwrap();
        let mut node = Self { address, flags: flags.to_vec(), log, served: None };
        node.start_again(svc);
        node
    }

    /// Starts the process, and blocks until it serves.
    pub(super) fn start_again(&mut self, svc: &Svc) {
        let mut command = svc.command(&["serve", "--ops-addr=127.0.0.1:0"]);
        command.arg(format!("--addr={}", self.address)).args(&self.flags);
        command.stderr(Stdio::from(File::options().append(true).open(&self.log).unwrap()));
        self.served = Some(Served::of(command).unwrap());
    }

    /// Kills the process with SIGKILL.
    pub(super) fn kill(&mut self) {
        self.served = None;
    }

    /// Sends SIGTERM, which starts draining.
    pub(super) fn stop(&self) {
        self.signal(Signal::TERM);
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.served().child), signal).unwrap();
    }

    /// Blocks until the process has exited with code 0, at most a minute.
    pub(super) fn wait(&mut self) {
        let mut served = self.served.take().unwrap();
        let begun = Instant::now();
        let ended = loop {
            if let Some(ended) = served.child.try_wait().unwrap() {
                break ended;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "a stopped node did not end");
            std::thread::sleep(super::POLL_INTERVAL);
        };
        assert_eq!(ended.code(), Some(0), "of a stopped node");
    }

    /// Suspends the process, without closing connections.
    pub(super) fn pause(&self) {
        self.signal(Signal::STOP);
    }

    pub(super) fn resume(&self) {
        self.signal(Signal::CONT);
    }

    fn served(&self) -> &Served {
        self.served.as_ref().unwrap()
    }

    /// Sends a request directly, without nginx, from the address `client`.
    pub(super) async fn get(&self, path: &str, client: &str) -> Answer {
        let request = http().get(format!("http://{}{path}", self.address));
        Answer::of(request.header("x-forwarded-for", client).send().await.unwrap()).await
    }

    pub(super) async fn is_ready(&self) -> bool {
        let asked = http().get(format!("{}/readyz", self.served().ops)).send().await;
        asked.is_ok_and(|answer| answer.status() == 200)
    }

    /// Value of one of the node's metrics.
    pub(super) async fn number(&self, name: &str) -> u64 {
        let numbers = http().get(format!("{}/metrics", self.served().ops)).send().await.unwrap();
        let numbers = numbers.text().await.unwrap();
        let mut lines = numbers.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(named, _)| *named == name).unwrap().1.parse().unwrap()
    }

    pub(super) async fn until(&self, name: &str, value: u64) {
        soon(name, async {
            while self.number(name).await != value {
                tokio::time::sleep(super::POLL_INTERVAL).await;
            }
        })
        .await;
    }
}
