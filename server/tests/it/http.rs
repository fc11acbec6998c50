//! HTTP itself, mostly by its bytes: what ready-made clients would not send.

mod connections;
mod heads;
