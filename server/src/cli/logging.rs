//! Format and levels of the log.

use std::io::{self, IsTerminal, Write};

use base::{clock::Clock, redaction::redacted};
use chrono::SecondsFormat;
use serde_json::json;
use tracing_subscriber::{
    Layer, Registry, filter::Targets, layer::SubscriberExt, reload, util::SubscriberInitExt,
};

use super::{Cli, Command, output};
use crate::config::LogFormat;

/// Other crates of the service, which get the level of `svc`, too.
const PARTS: [&str; 10] =
    ["base", "domain", "edge", "geo", "import", "limits", "model", "spans", "store", "webhooks"];

/// Current levels of the log. Clones share them.
#[derive(Clone, Debug)]
pub struct LogLevels {
    levels: reload::Handle<Targets, Registry>,
    is_json: bool,
}

impl LogLevels {
    /// Writes a line to standard output, in the format of the log. Errors are ignored: the service runs even if nothing
    /// reads its output.
    pub(super) fn announce(&self, text: &str) {
        let _ = if self.is_json {
            let timestamp = Clock::system().now().to_rfc3339_opts(SecondsFormat::Micros, true);
            let target = "svc::cli::serve";
            output::json(&json!({
                "timestamp": timestamp, "level": "INFO", "message": text, "target": target,
            }))
        } else {
            output::line(text)
        };
    }

    pub(super) fn replace(&self, levels: Targets) {
        if let Err(error) = self.levels.reload(of_all_parts(levels)) {
            tracing::error!(%error, "the levels of the log could not be changed");
        }
    }
}

/// Adds the level of `svc` for the parts that no directive names.
fn of_all_parts(levels: Targets) -> Targets {
    let named = |part: &str| levels.iter().find(|(target, _)| *target == part);
    let Some((_, level)) = named("svc") else { return levels };
    let others: Vec<_> = PARTS.into_iter().filter(|part| named(part).is_none()).collect();
    levels.with_targets(others.into_iter().map(|part| (part, level)))
}

impl Cli {
    /// Starts logging to standard error: standard output is for the results of commands.
    pub fn start_log(&self) -> LogLevels {
        let lines = tracing_subscriber::fmt::layer().with_writer(|| Redacting(io::stderr()));
        let is_json = self.logs_json();
        let lines = match is_json {
            true => lines.json().flatten_event(true).with_current_span(false).boxed(),
            false => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        };
        let (levels, handle) = reload::Layer::new(of_all_parts(self.log.log.clone()));
        tracing_subscriber::registry().with(levels).with(lines).init();
        LogLevels { levels: handle, is_json }
    }

    /// Whether the log is JSON. In automatic mode, only for a service without a terminal: its log is read by programs.
    fn logs_json(&self) -> bool {
        match self.log.log_format {
            LogFormat::Json => true,
            LogFormat::Text => false,
            LogFormat::Auto => {
                matches!(self.command, Command::Serve(_)) && !io::stderr().is_terminal()
            }
        }
    }
}

/// A writer of whole lines that removes secrets, including those in messages of libraries.
struct Redacting<W>(W);

impl<W: Write> Write for Redacting<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match str::from_utf8(line) {
            Ok(text) => self.0.write_all(redacted(text).as_bytes())?,
            Err(_) => self.0.write_all(line)?,
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use tracing::Level;

    use super::*;

    #[test]
    fn what_a_filter_says_of_svc_is_said_of_each_crate_beside_it() {
        let server = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folders = fs::read_dir(server).unwrap().map(|entry| entry.unwrap().path());
        let crates = folders.filter(|folder| folder.join("Cargo.toml").exists());
        let crates: BTreeSet<_> =
            crates.map(|folder| folder.file_name().unwrap().to_owned()).collect();
        assert_eq!(crates, PARTS.map(Into::into).into());

        let levels = of_all_parts("warn,svc=info,geo=error".parse().unwrap());
        for (target, level, expected) in [
            ("svc::cli", Level::INFO, true),
            ("limits::sharing", Level::INFO, true),
            ("limits::sharing", Level::DEBUG, false),
            ("geo::places", Level::WARN, false),
            ("hyper", Level::INFO, false),
        ] {
            assert_eq!(levels.would_enable(target, &level), expected, "{target} {level}");
        }
        let of_others = of_all_parts("warn".parse().unwrap());
        assert!(!of_others.would_enable("limits", &Level::INFO));
    }
}
