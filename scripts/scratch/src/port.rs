//! Unused ports.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU16, Ordering},
};

/// First port. The range is below the ephemeral ports, so that no outgoing connection takes a
/// server's port while the server is down for a moment.
const FIRST: u16 = 20_000;
const PORTS: u16 = 12_000;

/// Returns an unused port on 127.0.0.1.
pub(crate) fn free() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Concurrent test processes start at different ports.
    let begin = std::process::id().wrapping_mul(97);
    let mut ports = std::iter::repeat_with(|| {
        let next = u32::from(NEXT.fetch_add(1, Ordering::Relaxed));
        let offset = u16::try_from(begin.wrapping_add(next) % u32::from(PORTS)).unwrap();
        FIRST + offset
    });
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}
