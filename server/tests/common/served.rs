//! The binary as a service in a process of its own.

use std::{
    borrow::BorrowMut,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use crate::harness::Svc;

/// `svc serve`; killed when it is dropped, however the test ends.
pub(crate) struct Served {
    pub child: Child,
    pub url: String,
    /// The operator's side.
    pub ops: String,
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
        Self::start_with(svc, &[])
    }

    pub(crate) fn start_with(svc: &Svc, flags: &[&str]) -> Self {
        // Every failed try is a line: a pipe that nobody reads would fill up.
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

    /// Starts a command that serves, and waits until it says where. If it does not, that is what it says
    /// instead, where nothing else is done with that.
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

/// What a line says, in the text format of the log or in JSON.
fn message(line: String) -> String {
    let json = serde_json::from_str::<serde_json::Value>(&line).ok();
    json.and_then(|line| line["message"].as_str().map(str::to_owned)).unwrap_or(line)
}
