//! What is left of a machine that died: an address that answers nothing.

use std::net::{Ipv4Addr, SocketAddr};

use socket2::{Domain, Socket, Type};

/// A listening socket that takes no more connections: the system drops what tries to connect, as it does with packets to a
/// machine that is not there.
pub(super) struct BlackHole {
    pub(super) address: SocketAddr,
    _listener: Socket,
    _queued: Vec<Socket>,
}

impl BlackHole {
    pub(super) fn new() -> Self {
        let socket = || Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        let listener = socket();
        listener.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
        listener.listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        let queued = (0..4).map(|_| {
            let socket = socket();
            socket.set_nonblocking(true).unwrap();
            // In progress, or in the queue of those that nobody takes.
            let _ = socket.connect(&address);
            socket
        });
        let queued = queued.collect();
        let address = address.as_socket().unwrap();
        Self { address, _listener: listener, _queued: queued }
    }
}
