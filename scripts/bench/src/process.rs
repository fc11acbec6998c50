//! Server processes: starting, monitoring and ending them.

use std::{
    net::SocketAddr,
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// A process that serves on a local port. It ends when the value is dropped.
pub(crate) struct Process {
    child: Child,
    pub(crate) addr: SocketAddr,
    /// Time from the start of the process until it printed its address.
    pub(crate) took: Duration,
}

impl Process {
    /// Starts `command`, and waits for its line `… serves http://ADDRESS`.
    pub(crate) async fn start(mut command: Command, name: &str) -> Result<Self> {
        let start = Instant::now();
        let mut child = command
            // The start-up lines have the format of the log.
            .env("SVC_LOG_FORMAT", "text")
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("{name} could not be started"))?;
        let stdout = child.stdout.take().context("its output is not piped")?;
        let mut lines = BufReader::new(stdout).lines();
        while let Some(line) = lines.next_line().await? {
            if let Some((_, addr)) = line.split_once("serves http://") {
                return Ok(Self { child, addr: addr.parse()?, took: start.elapsed() });
            }
        }
        bail!("{name} ended before it served: {}", child.wait().await?)
    }

    /// A process that was started elsewhere, and serves at `addr`.
    pub(crate) fn serving(child: Child, addr: SocketAddr) -> Self {
        Self { child, addr, took: Duration::ZERO }
    }

    pub(crate) fn id(&self) -> Result<u32> {
        self.child.id().context("the process has ended")
    }

    /// Resident memory of the process, KiB.
    pub(crate) fn resident(&self) -> Result<f64> {
        status(self.id()?, "VmRSS")
    }

    /// Resident memory that is not of a file, KiB: without pages of the binary.
    pub(crate) fn anonymous(&self) -> Result<f64> {
        status(self.id()?, "RssAnon")
    }

    /// Peak of its resident memory, KiB.
    pub(crate) fn peak(&self) -> Result<f64> {
        status(self.id()?, "VmHWM")
    }

    /// Processor time used by the process, in milliseconds.
    pub(crate) fn processor_time(&self) -> Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id()?))?;
        ticks(&stat).map(|ticks| ticks * 10.0).context("its processor time cannot be read")
    }

    /// Resident memory of the first child, KiB: the worker of a master process.
    pub(crate) fn resident_of_worker(&self) -> Result<f64> {
        let id = self.id()?;
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"))?;
        let worker = children.split_whitespace().next().context("it has no worker")?;
        status(worker.parse()?, "VmRSS")
    }

    /// Kills the process, and waits until it is gone.
    pub(crate) async fn kill(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Stops the process with SIGTERM, and waits until it is gone.
    pub(crate) async fn stop(mut self) -> Result<()> {
        let id = self.id()?.to_string();
        Command::new("kill").args(["-TERM", &id]).status().await?;
        self.child.wait().await?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A killed master would leave its worker running.
        if let Ok(id) = self.id() {
            let _ = std::process::Command::new("kill").args(["-TERM", &id.to_string()]).status();
        }
    }
}

/// Runs `command` to its end. Returns the time taken and the peak memory, KiB.
pub(crate) async fn run_measured(mut command: Command) -> Result<(Duration, f64)> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).kill_on_drop(true).spawn()?;
    let id = child.id().context("it has ended at once")?;
    let mut look = tokio::time::interval(Duration::from_millis(20));
    let mut peak: f64 = 0.0;
    let ended = loop {
        tokio::select! {
            ended = child.wait() => break ended?,
            // Allocations in the last milliseconds are missed, in which the process mostly frees
            // memory.
            _ = look.tick() => peak = status(id, "VmHWM").unwrap_or(peak),
        }
    };
    if !ended.success() {
        bail!("{:?} failed: {ended}", command.as_std());
    }
    Ok((start.elapsed(), peak))
}

/// Runs `command` to its end, and returns its output.
pub(crate) async fn output(mut command: Command) -> Result<String> {
    let output = command.kill_on_drop(true).output().await?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{:?} failed: {}: {}", command.as_std(), output.status, messages.trim_end());
    }
    eprint!("{messages}");
    Ok(String::from_utf8(output.stdout)?)
}

/// Resident memory of this process, KiB.
pub(crate) fn own_resident() -> Result<f64> {
    status(std::process::id(), "VmRSS")
}

/// A size in KiB from the status of a process.
fn status(id: u32, field: &str) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
    size(&status, field).with_context(|| format!("process {id} has no {field}"))
}

fn size(status: &str, field: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Processor time from `/proc/…/stat` in hundredths of a second, user and system together. The
/// preceding name of the process is in parentheses and may contain spaces.
fn ticks(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11).map(|field| field.parse::<f64>().ok());
    Some(fields.next()?? + fields.next()??)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_time_is_that_of_user_and_system() {
        let stat = "17 (s) vc) S 1 2 3 4 5 6 7 8 9 10 120 30 4 5 20 0 9";
        assert_eq!(ticks(stat), Some(150.0));
        assert_eq!(ticks("17"), None);
    }

    #[test]
    fn a_size_is_read_from_its_own_line() {
        let status = "Name:\tsvc\nVmHWM:\t   91234 kB\nVmRSS:\t   90210 kB\nRssAnon:\t 1 kB\n";
        assert_eq!(size(status, "VmRSS"), Some(90210.0));
        assert_eq!(size(status, "VmHWM"), Some(91234.0));
        assert_eq!(size(status, "Vm"), None);
        assert_eq!(size("Name:\tsvc\n", "VmRSS"), None);
    }
}
