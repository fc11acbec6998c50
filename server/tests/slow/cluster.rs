//! Cluster tests: components fail while the cluster is in use.
//!
//! The cluster has PostgreSQL with a synchronous replica, Redis, three nodes, and nginx in front of them. Visitors read,
//! one client exceeds its rate limit, reports are published, corrected and withdrawn, history is imported, webhooks are
//! delivered, a mirror reads the log, and many clients follow the stream. Afterwards everything is counted again
//! (`recount.rs`).
//!
//! - The script (`script.rs`) lets one component after the other fail: a node is killed, PostgreSQL is restarted, its
//!   replica is promoted, Redis is stopped, and the nodes are upgraded one by one. `target/cluster/timeline.txt` contains
//!   a line for each second.
//! - A cluster day (`day.rs`) is a series of histories with random failures, also several at once.

mod balancer;
mod checks;
mod crowd;
mod day;
mod editor;
mod faults;
mod machines;
mod mirror;
mod node;
mod postgres;
mod recount;
mod rows;
mod scene;
mod script;
mod subscriber;
mod timeline;
mod traffic;
mod writers;

use std::time::Duration;

const NODES: usize = 3;
/// Poll interval of tests that wait.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Clone, Copy, Debug)]
struct Settings {
    /// Number of clients that follow the stream.
    streams: u32,
    /// Whether the endpoint of the webhooks refuses some events at first.
    refuses: bool,
}
