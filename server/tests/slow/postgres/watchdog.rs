//! The systemd watchdog while the database is down.

use std::{os::unix::net::UnixDatagram, time::Duration};

use scratch::postgres::{Server, Stop};

use crate::{
    harness::{Svc, http},
    served::Served,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_service_whose_database_is_away_feeds_the_watchdog_and_serves_from_memory() {
    let server = Server::start(&[]);
    server.create_named("svc", None);
    let svc = Svc::with_file();
    let socket = UnixDatagram::bind(svc.path("notify")).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut serve = svc.command(&["serve", "--addr=127.0.0.1:0", "--ops-addr=127.0.0.1:0"]);
    serve.args(["--database-url", &server.url("svc")]);
    serve.env("NOTIFY_SOCKET", svc.path("notify")).env("WATCHDOG_USEC", "400000");
    let served = Served::of(serve).unwrap();
    // Reads all earlier messages, and then 40 more, which covers ten watchdog periods.
    let fed = |what: &str| {
        let mut bytes = [0; 256];
        socket.set_nonblocking(true).unwrap();
        while socket.recv(&mut bytes).is_ok() {}
        socket.set_nonblocking(false).unwrap();
        for _ in 0..40 {
            let length = socket.recv(&mut bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
            let told = str::from_utf8(&bytes[..length]).unwrap();
            assert!(["WATCHDOG=1\n", "READY=1\nSTATUS=Serving\n"].contains(&told), "{told}");
        }
    };
    fed("there");
    server.pause();
    fed("silent");
    server.resume();
    server.stop(Stop::Fast);
    fed("gone");
    let metrics = http().get(format!("{}/api/v1/metrics", served.url)).send().await.unwrap();
    assert_eq!(metrics.status(), 200);
    server.start_again();
}
