//! The binary as a service in a separate process.

use std::{
    borrow::BorrowMut,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use crate::harness::Svc;

/// Running `svc serve`; killed on drop, also if the test fails.
pub(crate) struct Served {
    pub child: Child,
    pub url: String,
    /// Base URL of the operator listener.
    pub ops: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // The process may already have ended. On Unix this sends SIGKILL.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    pub(crate) fn start(svc: &Svc) -> Self {
        Self::start_with(svc, &[])
    }

    pub(crate) fn start_with(svc: &Svc, flags: &[&str]) -> Self {
        // Each failed attempt writes a line, so a pipe that nobody reads would fill up.
        let log = std::fs::File::options().create(true).append(true).open(svc.path("log")).unwrap();
        let mut command = svc.command(&[
            "serve",
            "--addr=127.0.0.1:0",
            "--ops-addr=127.0.0.1:0",
            "--webhook-allow-http",
            "--webhook-allow-private",
        ]);
        command.args(flags);
        command.stderr(Stdio::from(log));
        let log = || std::fs::read_to_string(svc.path("log"));
        Self::of(command).unwrap_or_else(|_| panic!("svc serve ended: {:?}", log()))
    }

    /// Starts a command that serves, and waits until it prints its URLs. If the command ends before, returns its
    /// standard error, or an empty string if that is not piped.
    pub(crate) fn of(mut command: impl BorrowMut<Command>) -> Result<Self, String> {
        let command = command.borrow_mut();
        let (url, ops) = (String::new(), String::new());
        let mut served = Self { child: command.spawn().unwrap(), url, ops };
        let lines = BufReader::new(served.child.stdout.take().unwrap()).lines();
        for line in lines.map_while(Result::ok) {
            let line = message(line);
            if let Some(url) = line.strip_prefix("svc serves ") {
                served.url = url.to_owned();
            }
            if let Some(urls) = line.strip_prefix("For the operator: ") {
                served.ops = urls.split("/health").next().unwrap().to_owned();
                return Ok(served);
            }
        }
        let said = served.child.stderr.take().map(std::io::read_to_string);
        Err(said.map(Result::unwrap).unwrap_or_default())
    }

    pub(crate) fn stop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

/// Message of a log line in text or JSON format.
fn message(line: String) -> String {
    let json = serde_json::from_str::<serde_json::Value>(&line).ok();
    json.and_then(|line| line["message"].as_str().map(str::to_owned)).unwrap_or(line)
}
