//! Notifications to systemd, if it started the service (`Type=notify`, sd_notify(3)).

use sd_notify::NotifyState::{Ready, Reloading, Status, Stopping};

use crate::watchdog::tell;

/// Reports that the service listens: dependent units may start.
pub(super) fn serving() {
    tell(&[Ready, Status("Serving")]);
}

/// Reports that the settings are read again; [`serving`] ends this state.
pub(super) fn reloading() {
    tell(&[Reloading, Status("Reloading the settings")]);
}

pub(super) fn draining() {
    tell(&[Stopping, Status("Draining: no longer ready, streams are ending")]);
}

pub(super) fn stopping() {
    tell(&[Stopping, Status("Stopping")]);
}
