//! A proxy that is missing among the trusted ones.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use svc::config;
use tracing::subscriber::{DefaultGuard, set_default};

use crate::harness::{Running, START, settings};

/// What is logged on this thread.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn listen() -> (Self, DefaultGuard) {
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).without_time();
        let subscriber = subscriber.with_writer(move || writer.clone()).finish();
        (log, set_default(subscriber))
    }

    /// The lines since the last time that speak of proxies.
    fn taken(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter(|line| line.contains("prox")).map(str::to_owned).collect()
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

#[tokio::test]
async fn the_operator_is_told_once_an_hour_of_a_proxy_that_is_not_listed() {
    let (log, _guard) = Log::listen();
    let running = Running::with(config::Serve::default(), START).await;
    let ask = async |header: (&str, &str)| {
        let request = running.http.get(running.url("/api/v1/metrics"));
        let answer = request.header(header.0, header.1).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    };
    ask(("accept", "*/*")).await;
    assert!(log.taken().is_empty());
    ask(("x-forwarded-for", "192.0.2.1")).await;
    let said = log.taken();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains(
        "WARN svc::limit::unlisted_proxies: 127.0.0.1 sends X-Forwarded-For but is not a trusted \
         proxy, so all visitors behind it share one quota of requests and of streams. If it is \
         your proxy, start with --trusted-proxies 127.0.0.1 (SVC_TRUSTED_PROXIES)"
    ), "{said:?}");
    ask(("forwarded", "for=192.0.2.1")).await;
    running.clock.advance(Duration::from_secs(3_599));
    ask(("forwarded", "for=192.0.2.1")).await;
    assert!(log.taken().is_empty());
    running.clock.advance(Duration::from_secs(1));
    ask(("forwarded", "for=192.0.2.1")).await;
    let said = log.taken();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("127.0.0.1 sends Forwarded but is not a trusted proxy"), "{said:?}");
}

#[tokio::test]
async fn of_a_trusted_proxy_nothing_is_said() {
    let (log, _guard) = Log::listen();
    let running = Running::with(settings(), START).await;
    running.get_with("/api/v1/metrics", &[("x-forwarded-for", "192.0.2.1")]).await;
    assert!(log.taken().is_empty());
}
