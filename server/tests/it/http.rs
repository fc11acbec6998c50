//! HTTP itself, mostly by its bytes: what ready-made clients would not send.

mod certificates;
mod connections;
mod heads;
mod http2;
mod multiplexed;
mod tls;
