use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask the process to stop. One that arrives after [`StopSignals::listen`], even while
/// the service starts, is not missed.
#[derive(Debug)]
pub struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSignal {
    /// SIGINT, which is Ctrl-C on a terminal: somebody waits for the end.
    Interrupt,
    /// SIGTERM, from a supervisor: clients are to notice nothing.
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

    /// Waits for the next one. Safe to cancel.
    pub async fn next(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.interrupt.recv() => StopSignal::Interrupt,
            _ = self.terminate.recv() => StopSignal::Terminate,
        }
    }
}
