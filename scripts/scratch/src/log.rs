//! Log output of the code under test.

use std::{
    io::{self, Write},
    sync::{Arc, LazyLock, Mutex},
};

use tracing::{
    Dispatch,
    subscriber::{DefaultGuard, set_default},
};
use tracing_subscriber::fmt;

/// Keeps all log statements enabled. `tracing` caches for the whole process whether a statement is
/// enabled. With a single subscriber, the first thread that reaches the statement decides. Without
/// this subscriber, a thread without a [`Log`] could disable the statement for a thread with one.
static ENABLING: LazyLock<Dispatch> =
    LazyLock::new(|| Dispatch::new(fmt().with_writer(io::sink).finish()));

/// Log output of this thread.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Captures the log of this thread until the guard is dropped.
    pub fn listen() -> (Self, DefaultGuard) {
        LazyLock::force(&ENABLING);
        let log = Self::default();
        let writer = log.clone();
        let subscriber = fmt().with_ansi(false).without_time();
        let subscriber = subscriber.with_writer(move || writer.clone()).finish();
        (log, set_default(subscriber))
    }

    /// The lines since the last call that contain `word`.
    pub fn taken(&self, word: &str) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter(|line| line.contains(word)).map(str::to_owned).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Log;

    fn warn() {
        tracing::warn!("a word");
    }

    #[test]
    fn what_another_thread_without_a_log_said_first_is_still_heard_here() {
        let (log, _guard) = Log::listen();
        std::thread::spawn(warn).join().unwrap();
        assert_eq!(log.taken("word"), [""; 0]);
        warn();
        assert_eq!(log.taken("word"), [" WARN scratch::log::tests: a word"]);
    }
}
