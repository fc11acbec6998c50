use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering},
};

use arc_swap::{ArcSwap, ArcSwapOption};
use tokio::sync::Notify;

use super::connection::Connection;

/// Who decides, see [`super`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Phase {
    /// Redis cannot be used: the node, by its share.
    Away,
    /// A request went wrong just now: the node, until the watcher has found out more.
    Suspect,
    /// Redis is back, but may not know yet what all nodes accepted meanwhile: both.
    Settling,
    /// Redis.
    Shared,
}

impl Phase {
    const ALL: [Self; 4] = [Self::Away, Self::Suspect, Self::Settling, Self::Shared];

    /// Whether Redis is asked.
    pub(super) fn is_up(self) -> bool {
        matches!(self, Self::Settling | Self::Shared)
    }
}

/// What requests know of the way to Redis. The watcher changes it, requests only raise suspicion.
#[derive(Default)]
pub(super) struct Line {
    phase: AtomicU8,
    connection: ArcSwapOption<Connection>,
    /// How many nodes there were when Redis was last asked; 0 is never.
    nodes: AtomicU32,
    /// Nodes that have not been heard of for a while.
    silent: ArcSwap<Vec<Arc<str>>>,
    pub(super) suspicion: Notify,
    reason: Mutex<Option<Suspicion>>,
    pub(super) tally: Tally,
}

/// What happened, since the start.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Decisions that this node took alone.
    pub(super) alone: AtomicU64,
    pub(super) outages: AtomicU64,
}

/// Why a request could not use Redis.
#[derive(Debug)]
pub(super) struct Suspicion {
    pub(super) reason: String,
    /// What it asked about: in a cluster, not all keys are in the same place.
    pub(super) key: String,
}

impl Line {
    pub(super) fn phase(&self) -> Phase {
        Phase::ALL
            .get(usize::from(self.phase.load(Ordering::Acquire)))
            .copied()
            .unwrap_or(Phase::Away)
    }

    pub(super) fn set_phase(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Release);
    }

    pub(super) fn connection(&self) -> Option<Connection> {
        self.connection.load().as_deref().cloned()
    }

    pub(super) fn set_connection(&self, connection: Option<Connection>) {
        self.connection.store(connection.map(Into::into));
    }

    pub(super) fn nodes(&self) -> u32 {
        self.nodes.load(Ordering::Relaxed).max(1)
    }

    pub(super) fn set_nodes(&self, nodes: u32) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    pub(super) fn silent(&self) -> Arc<Vec<Arc<str>>> {
        self.silent.load_full()
    }

    pub(super) fn set_silent(&self, nodes: Vec<Arc<str>>) {
        // Nearly always, there are none.
        if !nodes.is_empty() || !self.silent.load().is_empty() {
            self.silent.store(Arc::new(nodes));
        }
    }

    /// This node's part of a limit: at least 1, unless nothing is allowed.
    pub(super) fn share(&self, limit: u32) -> u32 {
        (limit / self.nodes()).max(limit.min(1))
    }

    /// From now on nobody waits for Redis, until the watcher has looked at once.
    pub(super) fn suspect(&self, reason: String, key: &str) {
        for phase in [Phase::Shared, Phase::Settling] {
            let swapped = self.phase.compare_exchange(
                phase as u8,
                Phase::Suspect as u8,
                Ordering::AcqRel,
                Ordering::Relaxed,
            );
            if swapped.is_ok() {
                *self.reason() = Some(Suspicion { reason, key: key.to_owned() });
                self.suspicion.notify_one();
                return;
            }
        }
    }

    pub(super) fn take_suspicion(&self) -> Option<Suspicion> {
        self.reason().take()
    }

    fn reason(&self) -> std::sync::MutexGuard<'_, Option<Suspicion>> {
        // It is never left half changed.
        self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_the_limit_by_the_nodes_and_at_least_one() {
        let line = Line::default();
        assert_eq!([line.share(60), line.share(1), line.share(0)], [60, 1, 0], "alone");
        line.set_nodes(3);
        assert_eq!([60, 20, 3, 2, 1, 0].map(|limit| line.share(limit)), [20, 6, 1, 1, 1, 0]);
        line.set_nodes(0);
        assert_eq!(line.share(60), 60);
    }

    #[test]
    fn suspicion_changes_nothing_while_redis_is_away() {
        let line = Line::default();
        line.suspect("no reply".to_owned(), "key");
        assert_eq!((line.phase(), line.take_suspicion().is_none()), (Phase::Away, true));
        for phase in [Phase::Shared, Phase::Settling] {
            line.set_phase(phase);
            line.suspect("no reply".to_owned(), "key");
            line.suspect("another".to_owned(), "other");
            assert_eq!(line.phase(), Phase::Suspect);
            assert_eq!(line.take_suspicion().unwrap().reason, "no reply", "the first counts");
        }
    }
}
