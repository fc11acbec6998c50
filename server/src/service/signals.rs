use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Signals that stop the process. A signal that arrives after [`StopSignals::listen`], even while the service starts,
/// is not lost.
#[derive(Debug)]
pub struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

/// A signal that stops the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSignal {
    /// SIGINT, which is Ctrl-C on a terminal: a person waits for the end.
    Interrupt,
    /// SIGTERM, from a supervisor: clients should not notice the stop.
    Terminate,
}

impl StopSignals {
    /// Starts to listen.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next signal. Safe to cancel.
    pub async fn next(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.interrupt.recv() => StopSignal::Interrupt,
            _ = self.terminate.recv() => StopSignal::Terminate,
        }
    }
}
