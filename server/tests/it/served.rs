//! The binary as a service in a process of its own.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Stdio},
};

use crate::harness::Svc;

/// `svc serve`; killed when it is dropped, however the test ends.
pub(crate) struct Served {
    pub child: Child,
    pub url: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself. On Unix this is SIGKILL.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    pub(crate) fn start(svc: &Svc) -> Self {
        // Every failed try is a line: a pipe that nobody reads would fill up.
        let log = std::fs::File::options().create(true).append(true).open(svc.path("log")).unwrap();
        let mut command = svc.command(&[
            "serve",
            "--addr=127.0.0.1:0",
            "--ops-addr=127.0.0.1:0",
            "--webhook-allow-http",
            "--webhook-allow-private",
        ]);
        let mut served =
            Self { child: command.stderr(Stdio::from(log)).spawn().unwrap(), url: String::new() };
        let lines = BufReader::new(served.child.stdout.take().unwrap()).lines();
        let url = lines
            .map_while(Result::ok)
            .find_map(|line| Some(line.strip_prefix("svc serves ")?.to_owned()));
        let log = || std::fs::read_to_string(svc.path("log"));
        served.url = url.unwrap_or_else(|| panic!("svc serve ended: {:?}", log()));
        served
    }

    pub(crate) fn stop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(std::process::Command::new("kill").arg(pid).status().unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}
