//! What systemd is told of the service, if it started it (`Type=notify`, sd_notify(3)).

use sd_notify::NotifyState::{Ready, Reloading, Status, Stopping};

use crate::watchdog::tell;

/// The service listens: what waits for it may start.
pub(super) fn serving() {
    tell(&[Ready, Status("Serving")]);
}

/// The settings are read again; [`serving`] ends that.
pub(super) fn reloading() {
    tell(&[Reloading, Status("Reloading the settings")]);
}

pub(super) fn draining() {
    tell(&[Stopping, Status("Draining: not ready any more, streams are ending")]);
}

pub(super) fn stopping() {
    tell(&[Stopping, Status("Stopping")]);
}
