//! Failures: what is done to the machines, and how they are repaired.

use std::{
    collections::VecDeque,
    fmt, thread,
    time::{Duration, Instant},
};

use base::random::Random;
use scratch::postgres::Stop;
use tokio::runtime::Handle;

use super::{
    NODES,
    machines::{Machines, blocking},
    node::Node,
    postgres::Postgres,
    timeline::Timeline,
};
use crate::{harness::Svc, redis::Redis};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    NodeKilled,
    NodeStopped,
    NodeHung,
    AllNodesKilled,
    PostgresRestarted,
    PrimaryKilled,
    PrimaryLost,
    PrimaryCutOff,
    ReplicaKilled,
    ReplicaLost,
    BothServersKilled,
    RedisKilled,
    RedisStopped,
    RedisHung,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Node,
    AllNodes,
    Postgres,
    Redis,
}

impl Kind {
    pub(super) const ALL: [Self; 14] = [
        Self::NodeKilled,
        Self::NodeStopped,
        Self::NodeHung,
        Self::AllNodesKilled,
        Self::PostgresRestarted,
        Self::PrimaryKilled,
        Self::PrimaryLost,
        Self::PrimaryCutOff,
        Self::ReplicaKilled,
        Self::ReplicaLost,
        Self::BothServersKilled,
        Self::RedisKilled,
        Self::RedisStopped,
        Self::RedisHung,
    ];

    fn part(self) -> Part {
        match self {
            Self::NodeKilled | Self::NodeStopped | Self::NodeHung => Part::Node,
            Self::AllNodesKilled => Part::AllNodes,
            Self::RedisKilled | Self::RedisStopped | Self::RedisHung => Part::Redis,
            _ => Part::Postgres,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NodeKilled => "`kill -9` of a node, restarted",
            Self::NodeStopped => "a node stopped with SIGTERM, restarted",
            Self::NodeHung => "a node hangs, and continues",
            Self::AllNodesKilled => "`kill -9` of all nodes, restarted",
            Self::PostgresRestarted => "a restart of PostgreSQL",
            Self::PrimaryKilled => "`kill -9` of the primary, restarted",
            Self::PrimaryLost => "`kill -9` of the primary, the replica promoted",
            Self::PrimaryCutOff => "the primary hangs, the replica promoted",
            Self::ReplicaKilled => "`kill -9` of the replica, restarted",
            Self::ReplicaLost => "the replica lost, a new one made",
            Self::BothServersKilled => "`kill -9` of both servers, restarted",
            Self::RedisKilled => "`kill -9` of Redis, restarted",
            Self::RedisStopped => "Redis stopped with SIGTERM, restarted",
            Self::RedisHung => "Redis hangs, and continues",
        }
    }

    pub(super) fn is_of_postgres(self) -> bool {
        self.part() == Part::Postgres
    }

    pub(super) fn is_of_redis(self) -> bool {
        self.part() == Part::Redis
    }

    pub(super) fn is_of_nodes(self) -> bool {
        matches!(self.part(), Part::Node | Part::AllNodes)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) kind: Kind,
    /// Number of the node, if one fails.
    node: usize,
    /// Delay after the beginning of the step.
    at: Duration,
    /// Time until the repair.
    away: Duration,
}

/// Failure that has happened.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    pub(super) begin: Instant,
    pub(super) repaired: Instant,
}

/// Failures that happen within a second of each other.
pub(super) type Step = Vec<Fault>;

/// Random steps with `count` failures of different kinds.
pub(super) fn steps(random: &Random, count: usize) -> Vec<Step> {
    let below = |limit: usize| usize::try_from(random.number() % limit as u64).unwrap();
    let mut kinds = Kind::ALL.to_vec();
    let mut deck = VecDeque::new();
    while deck.len() < count {
        deck.push_back(kinds.swap_remove(below(kinds.len())));
    }
    let mut steps = Vec::new();
    while let Some(first) = deck.pop_front() {
        let size = [1, 1, 1, 1, 1, 2, 2, 2, 3, 3][below(10)];
        let mut kinds = vec![first];
        while kinds.len() < size {
            let fits = |kind: &Kind| kinds.iter().all(|other| goes_with(*kind, *other));
            let Some(index) = deck.iter().position(fits) else { break };
            kinds.extend(deck.remove(index));
        }
        let first_node = below(NODES);
        let step = kinds.iter().enumerate().map(|(index, kind)| Fault {
            kind: *kind,
            node: (first_node + index) % NODES,
            at: random.duration(Duration::ZERO..Duration::from_secs(1)),
            away: random.duration(Duration::from_millis(200)..longest(*kind)),
        });
        steps.push(step.collect());
    }
    steps
}

fn goes_with(one: Kind, other: Kind) -> bool {
    match (one.part(), other.part()) {
        (Part::Node, Part::Node) => true,
        (Part::Node | Part::AllNodes, Part::Node | Part::AllNodes) => false,
        (one, other) => one != other,
    }
}

fn longest(kind: Kind) -> Duration {
    Duration::from_secs(match kind.part() {
        Part::Node | Part::AllNodes => 6,
        Part::Postgres => 5,
        Part::Redis => 8,
    })
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, at, away) = (self.kind.name(), self.at.as_secs_f64(), self.away.as_secs_f64());
        write!(f, "at {at:.2} s, {name}")?;
        if self.kind.part() == Part::Node {
            write!(f, " (node {})", self.node)?;
        }
        write!(f, ", after {away:.2} s")
    }
}

/// Lets the failures of a step happen, and blocks until all are repaired.
pub(super) fn play(machines: &mut Machines, step: &Step, timeline: &Timeline) -> Vec<Failed> {
    let (handle, begin) = (Handle::current(), Instant::now());
    let Machines { postgres, redis, nodes, svc, .. } = machines;
    let wait = |fault: &Fault| {
        until(begin + fault.at);
        timeline.note(fault.kind.name());
        Instant::now()
    };
    let mut nodes: Vec<Option<&mut Node>> = nodes.iter_mut().map(Some).collect();
    let (mut postgres, mut redis, svc) = (Some(postgres), Some(redis), &**svc);
    let handle = &handle;
    blocking(|| {
        thread::scope(|scope| {
            let mut running = Vec::new();
            for fault in step {
                running.push(match fault.kind.part() {
                    Part::Node => {
                        let node = nodes[fault.node].take().unwrap();
                        scope.spawn(move || of_node(fault, wait(fault), node, svc))
                    }
                    Part::AllNodes => {
                        let nodes: Vec<&mut Node> =
                            nodes.iter_mut().flat_map(Option::take).collect();
                        scope.spawn(move || of_nodes(fault, wait(fault), nodes, svc))
                    }
                    Part::Postgres => {
                        let postgres = postgres.take().unwrap();
                        scope.spawn(move || of_postgres(fault, wait(fault), postgres))
                    }
                    Part::Redis => {
                        let redis = redis.take().unwrap();
                        scope.spawn(move || of_redis(fault, wait(fault), redis, handle))
                    }
                });
            }
            let failed = running.into_iter().zip(step).map(|(thread, fault)| {
                let failed = thread.join().unwrap();
                timeline.note(format!("repaired: {}", fault.kind.name()));
                failed
            });
            failed.collect()
        })
    })
}

/// Restores redundancy after the service has recovered: a lost server becomes the new replica.
pub(super) fn restore_redundancy(postgres: &Postgres, kind: Kind) {
    match kind {
        Kind::PrimaryLost => postgres.renew_replica(),
        Kind::PrimaryCutOff => {
            // The old primary still considers itself the primary.
            postgres.replica().resume();
            thread::sleep(Duration::from_secs(1));
            postgres.renew_replica();
        }
        _ => {}
    }
}

fn until(at: Instant) {
    thread::sleep(at.saturating_duration_since(Instant::now()));
}

fn of_node(fault: &Fault, begin: Instant, node: &mut Node, svc: &Svc) -> Failed {
    match fault.kind {
        Kind::NodeHung => {
            node.pause();
            until(begin + fault.away);
            node.resume();
        }
        kind => {
            if kind == Kind::NodeStopped {
                node.stop();
                node.wait();
            } else {
                node.kill();
            }
            until(begin + fault.away);
            node.start_again(svc);
        }
    }
    Failed { begin, repaired: Instant::now() }
}

fn of_nodes(fault: &Fault, begin: Instant, nodes: Vec<&mut Node>, svc: &Svc) -> Failed {
    thread::scope(|scope| {
        for node in nodes {
            scope.spawn(move || of_node(fault, begin, node, svc));
        }
    });
    Failed { begin, repaired: Instant::now() }
}

fn of_postgres(fault: &Fault, begin: Instant, postgres: &mut Postgres) -> Failed {
    let wait = || until(begin + fault.away);
    match fault.kind {
        Kind::PostgresRestarted => {
            postgres.primary().stop(Stop::Fast);
            wait();
            postgres.primary().start_again();
        }
        Kind::PrimaryLost => {
            postgres.primary().stop(Stop::Kill);
            wait();
            postgres.promote();
        }
        Kind::PrimaryCutOff => {
            postgres.primary().pause();
            wait();
            postgres.promote();
        }
        Kind::ReplicaKilled => {
            postgres.replica().stop(Stop::Kill);
            wait();
            postgres.restart_replica();
        }
        Kind::ReplicaLost => {
            postgres.replica().stop(Stop::Immediate);
            wait();
            postgres.renew_replica();
        }
        Kind::BothServersKilled => postgres.restart_both(Stop::Kill, wait),
        _ => {
            postgres.primary().stop(Stop::Kill);
            wait();
            postgres.primary().start_again();
        }
    }
    Failed { begin, repaired: Instant::now() }
}

fn of_redis(fault: &Fault, begin: Instant, redis: &mut Redis, handle: &Handle) -> Failed {
    match fault.kind {
        Kind::RedisStopped => redis.stop(),
        Kind::RedisHung => redis.pause(),
        _ => redis.kill(),
    }
    until(begin + fault.away);
    match fault.kind {
        Kind::RedisHung => redis.resume(),
        _ => handle.block_on(redis.run()),
    }
    Failed { begin, repaired: Instant::now() }
}
