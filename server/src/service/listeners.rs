//! The sockets that a service listens on.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
};

use base::clock::Clock;
use edge::{listener, tls::Tls};
use tokio::net::TcpListener;

use super::ServiceError;
use crate::config;

const DEFAULT_OPS_ADDR: ([u8; 4], u16) = ([127, 0, 0, 1], 3001);

/// Sockets of the public side and, if there is one, of the operator's side.
#[derive(Debug)]
pub struct Listeners {
    pub(super) public: TcpListener,
    pub(super) operators: Option<TcpListener>,
    /// For the public side.
    pub(super) tls: Option<Tls>,
}

impl Listeners {
    /// Listens on the configured addresses.
    ///
    /// # Errors
    /// An address is taken or does not belong to this machine, or the certificate files cannot be used.
    pub async fn bind(settings: &config::Serve, clock: &Clock) -> Result<Self, ServiceError> {
        let tls = match settings.tls.clone() {
            Some(files) => {
                Some(Tls::load(files.into(), clock.clone()).await.map_err(ServiceError::Tls)?)
            }
            None => None,
        };
        let public = listen("--addr", settings.addr)?;
        Ok(Self { public, operators: ops_listener(settings.ops_addr)?, tls })
    }

    /// Duplicates the sockets: a duplicate stays open when the original is closed.
    pub(super) fn duplicate(&self) -> io::Result<Self> {
        let operators = self.operators.as_ref().map(listener::duplicate).transpose()?;
        Ok(Self { public: listener::duplicate(&self.public)?, operators, tls: self.tls.clone() })
    }
}

/// Listens on the operator's address. The default is skipped if it is taken, so that a second service can start on the
/// same machine.
fn ops_listener(asked: Option<SocketAddr>) -> Result<Option<TcpListener>, ServiceError> {
    match asked {
        Some(addr) => listen("--ops-addr", addr).map(Some),
        None => match listen("--ops-addr", SocketAddr::from(DEFAULT_OPS_ADDR)) {
            Ok(listener) => Ok(Some(listener)),
            Err(error) => {
                tracing::warn!(%error, "no operator's address; choose another one with --ops-addr");
                Ok(None)
            }
        },
    }
}

fn listen(flag: &'static str, addr: SocketAddr) -> Result<TcpListener, ServiceError> {
    listener::bind(addr).map_err(|why| ServiceError::Listen { flag, addr, why })
}

/// Returns advice for an address that cannot be listened on.
pub(super) fn advice(why: &io::Error) -> &'static str {
    match why.kind() {
        ErrorKind::AddrInUse => "; stop the process that listens there, or choose another address",
        ErrorKind::AddrNotAvailable => {
            "; choose an address that this machine has, or 0.0.0.0 for all"
        }
        ErrorKind::PermissionDenied => {
            "; choose a port from 1024 on, or give the process the right (see docs/operate/install.md)"
        }
        _ => "",
    }
}

pub(super) fn local(listener: &TcpListener) -> SocketAddr {
    listener.local_addr().unwrap_or(SocketAddr::from(([0, 0, 0, 0], 0)))
}
