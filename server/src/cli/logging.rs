//! What is logged, and how.

use std::io::{self, IsTerminal};

use tracing_subscriber::{Layer, layer::SubscriberExt, util::SubscriberInitExt};

use super::{Cli, Command};
use crate::config::LogFormat;

impl Cli {
    /// Begins to log, to standard error: standard output belongs to what a command answers.
    pub fn start_log(&self) {
        let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
        let lines = match self.logs_json() {
            true => lines.json().flatten_event(true).with_current_span(false).boxed(),
            false => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        };
        tracing_subscriber::registry().with(self.log.log.clone()).with(lines).init();
    }

    /// Commands are read by whoever called them; a service that has no terminal, by programs.
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
