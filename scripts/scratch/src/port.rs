//! Ports that nobody listens on.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU16, Ordering},
};

/// Below the ports that systems give to outgoing connections: while a server is down for a moment, nobody gets its
/// port.
const FIRST: u16 = 20_000;
const PORTS: u16 = 12_000;

/// One for a server on 127.0.0.1.
pub(crate) fn free() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Tests that run at the same time begin at different places.
    let begin = std::process::id().wrapping_mul(97);
    let mut ports = std::iter::repeat_with(|| {
        let next = u32::from(NEXT.fetch_add(1, Ordering::Relaxed));
        let offset = u16::try_from(begin.wrapping_add(next) % u32::from(PORTS)).unwrap();
        FIRST + offset
    });
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}
