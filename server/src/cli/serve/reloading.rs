//! Reloading on SIGHUP: reads the settings again, and applies those that can change while the service runs.

use super::supervisor;
use crate::{
    cli::{
        Command, LogLevels,
        invocation::{Invocation, Setting},
    },
    config,
    service::Service,
};

/// Settings that take effect without a restart. The certificate is reloaded, too, from the same files.
const RELOADED: [&str; 2] = ["log", "trusted-proxies"];

/// The settings at the start of the service, and the log levels that can change.
#[derive(Debug)]
pub(in crate::cli) struct Reloading {
    pub settings: Vec<Setting>,
    pub log: LogLevels,
}

impl Reloading {
    /// Reads the settings again. If they cannot be read, nothing changes.
    pub(super) fn reload(&mut self, service: &Service) {
        supervisor::reloading();
        match Invocation::read(config::arguments()) {
            Ok(invocation) => self.take(invocation, service),
            Err(refused) => {
                let error = refused.reason();
                tracing::error!(error, "the settings could not be reloaded: nothing has changed");
            }
        }
        supervisor::serving();
    }

    fn take(&mut self, Invocation { cli, settings, .. }: Invocation, service: &Service) {
        let Command::Serve(serve) = &cli.command else { return };
        self.log.replace(cli.log.log.clone());
        service.reload(serve);
        // These two lists are of the same command, in the same order.
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
