//! Address that never responds, like that of a dead machine.

use std::net::{Ipv4Addr, SocketAddr};

use socket2::{Domain, Socket, Type};

/// Listening socket with a full accept queue. The system drops further connection attempts, like packets to a machine
/// that does not exist.
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
            // The connection is in progress or in the queue, which is never emptied.
            let _ = socket.connect(&address);
            socket
        });
        let queued = queued.collect();
        let address = address.as_socket().unwrap();
        Self { address, _listener: listener, _queued: queued }
    }
}
