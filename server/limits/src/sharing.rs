//! Limits that nodes share, by a server that speaks Redis's protocol.
//!
//! Each client has a log there, the same sliding log as in [memory](super::memory), and each decision is
//! one script that reads it, decides and writes (`scripts/take.lua`): one round trip, atomic, by Redis's
//! clock. A node goes on when Redis does not. Every node knows how many there are, because all of them
//! say once a second that they are alive; and it notes in its own memory what it accepts, whoever
//! decided. Who decides, and what is promised:
//!
//! - `Shared`: Redis. Never more than the limit in any window, whichever nodes the requests reach, and
//!   an idle client gets all of it.
//! - `Suspect`: for a moment after a request that Redis did not answer in time, or with an error. Nobody
//!   waits for Redis, the node decides by its share of the limit, and the [watcher](watch) looks at
//!   once. What was accepted is reported to Redis before that is asked again.
//! - `Away`: the watcher got no answer either. The node decides by its share, which is the limit divided
//!   by the last known number of nodes, and against which all that it accepted in the window counts. All
//!   nodes together stay within the limit, if what they accepted before the outage was spread as evenly;
//!   at worst, a client that had used its limit on one node gets the shares of the others on top of it.
//! - `Settling`: Redis is back and has been told what this node accepted, but maybe not what others did.
//!   Redis and the share must both accept, so that all together stay within the limit. It ends when as
//!   many nodes as there were before have reported, normally within a second, and after a window in any
//!   case, because by then what was not reported has left it.
//!
//! Two things are known only roughly. A node that is cut off alone has its share while the others have
//! the whole limit. And if Redis comes back without its data, what it knew is reported again by the
//! nodes that are still there; `scripts/beat.lua` tells.
//!
//! A request that waited in vain goes on in the background: when its reply comes after all, the node knows
//! whether Redis has counted it. Nothing is counted twice unless a connection breaks.

mod ask;
mod connection;
mod decide;
mod line;
mod names;
mod scripts;
mod streams;
mod unreported;
mod url;
mod watch;

use std::{
    fmt,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use base::{clock::Clock, random::Random};

use self::{
    line::{Line, Phase},
    names::Names,
    scripts::Scripts,
    streams::SharedStreams,
    unreported::Unreported,
    url::Target,
};
pub use self::{
    url::{RedisUrl, UrlError},
    watch::Watcher,
};
use super::memory::Memory;

/// How long a request waits for Redis, unless the URL says otherwise. Longer than Redis takes under load: each
/// decision without it is one that is not exact.
const PATIENCE: Duration = Duration::from_millis(50);

/// What this node shares with others. Clones are the same.
#[derive(Clone)]
pub struct Sharing(Arc<Shared>);

struct Shared {
    clock: Clock,
    /// Different for each node and each start.
    node: String,
    target: Target,
    names: Names,
    scripts: Scripts,
    line: Line,
    /// What this node accepted.
    own: Memory,
    unreported: Unreported,
    streams: SharedStreams,
}

/// How it goes, for the operator's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether Redis is used.
    pub up: bool,
    /// Whether nodes are still telling it what they accepted while it was away.
    pub settling: bool,
    /// How many nodes there are, as far as is known.
    pub nodes: u32,
    /// Decisions that this node took alone, since its start.
    pub alone: u64,
    /// How often Redis was away, since the start.
    pub outages: u64,
}

impl Sharing {
    /// Looks for Redis, for a second at most. Without it, the node begins alone. The watcher must
    /// [run](Watcher::run).
    ///
    /// # Errors
    /// The URL is not one, or names files that cannot be used.
    pub async fn start(url: &RedisUrl, clock: Clock) -> Result<(Self, Watcher), UrlError> {
        let target = url.target()?;
        // Else it would depend on what is linked. Another part may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let sharing = Self(Arc::new(Shared {
            // Not the one of a test, which is the same for all nodes.
            node: Random::system().token(),
            names: Names::new(&target.prefix),
            scripts: Scripts::new(clock.is_stepped()),
            target,
            line: Line::default(),
            own: Memory::new(),
            unreported: Unreported::default(),
            streams: SharedStreams::default(),
            clock,
        }));
        let mut watcher = Watcher::new(sharing.clone());
        watcher.first_look().await;
        Ok((sharing, watcher))
    }

    pub fn status(&self) -> Status {
        let (line, phase) = (&self.0.line, self.0.line.phase());
        Status {
            up: phase != Phase::Away,
            settling: phase == Phase::Settling,
            nodes: line.nodes(),
            alone: line.tally.alone.load(Ordering::Relaxed),
            outages: line.tally.outages.load(Ordering::Relaxed),
        }
    }

    /// Forgets who has been idle for a window, see [`super::Limits::sweep`].
    pub(super) fn clients(&self) -> usize {
        self.0.own.clients()
    }

    pub(super) fn sweep(&self) {
        self.0.own.sweep(&self.0.clock);
    }
}

impl fmt::Debug for Sharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sharing").field("redis", &self.0.target.shown).finish_non_exhaustive()
    }
}
