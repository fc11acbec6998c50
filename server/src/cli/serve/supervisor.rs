//! What systemd is told of the service, if it started it (`Type=notify`, sd_notify(3)).

use sd_notify::NotifyState::{self, Ready, Reloading, Status, Stopping};

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

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "systemd could not be notified");
    }
}
