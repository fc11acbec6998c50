//! What SIGHUP does: the settings are read again, and those that can change while the service runs do.

use super::supervisor;
use crate::{
    cli::{
        Command, LogLevels,
        invocation::{Invocation, Setting},
    },
    config,
    service::Service,
};

/// Settings that take effect without a restart; the certificate's files keep their names.
const RELOADED: [&str; 2] = ["log", "trusted-proxies"];

/// The settings that the service was started with, and what changes in them besides the service.
#[derive(Debug)]
pub(in crate::cli) struct Reloading {
    pub settings: Vec<Setting>,
    pub log: LogLevels,
}

impl Reloading {
    /// Reads the settings again. If they cannot be read, all stays as it is.
    pub(super) fn reload(&mut self, service: &Service) {
        supervisor::reloading();
        match Invocation::read(config::arguments()) {
            Ok(invocation) => self.take(invocation, service),
            Err(refused) => {
                let error = refused.reason();
                tracing::error!(error, "the settings could not be reloaded: all stays as it is");
            }
        }
        supervisor::serving();
    }

    fn take(&mut self, Invocation { cli, settings, .. }: Invocation, service: &Service) {
        let Command::Serve(serve) = &cli.command else { return };
        self.log.replace(cli.log.log.clone());
        service.reload(serve);
        // Both are of the same command, in the same order.
        let changed =
            settings.iter().zip(&self.settings).filter(|(new, old)| new.value != old.value);
        let changed = changed.map(|(new, _)| &*new.name);
        let waiting: Vec<_> = changed.filter(|name| !RELOADED.contains(name)).collect();
        tracing::info!("the log's levels, the trusted proxies and the certificate were reloaded");
        if !waiting.is_empty() {
            let settings = waiting.join(", ");
            tracing::warn!(settings, "settings have changed that take effect only after a restart");
        }
    }
}
