//! HTTP itself, mostly at the byte level: requests that HTTP clients would not send.

mod certificates;
mod connections;
mod heads;
mod http2;
mod http2_client;
mod tls;
