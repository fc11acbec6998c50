//! What is logged, and how.

use std::io::{self, IsTerminal};

use tracing_subscriber::{
    Layer, Registry, filter::Targets, layer::SubscriberExt, reload, util::SubscriberInitExt,
};

use super::{Cli, Command};
use crate::config::LogFormat;

/// What is logged at present. Clones change the same.
#[derive(Clone, Debug)]
pub struct LogLevels(reload::Handle<Targets, Registry>);

impl LogLevels {
    pub(super) fn replace(&self, levels: Targets) {
        if let Err(error) = self.0.reload(levels) {
            tracing::error!(%error, "the levels of the log could not be changed");
        }
    }
}

impl Cli {
    /// Begins to log, to standard error: standard output belongs to what a command answers.
    pub fn start_log(&self) -> LogLevels {
        let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
        let lines = match self.logs_json() {
            true => lines.json().flatten_event(true).with_current_span(false).boxed(),
            false => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        };
        let (levels, handle) = reload::Layer::new(self.log.log.clone());
        tracing_subscriber::registry().with(levels).with(lines).init();
        LogLevels(handle)
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
