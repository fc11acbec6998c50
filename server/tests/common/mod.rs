//! Shared by both test binaries: a service, its database, the `svc` binary, and servers that tests start.

pub(crate) mod harness;
pub(crate) mod imports;
pub(crate) mod leasing;
pub(crate) mod node;
pub(crate) mod receiver;
pub(crate) mod served;
pub(crate) mod smtp_server;
