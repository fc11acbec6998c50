//! Looks after the way to Redis: says that this node is alive, notices when Redis is away and back, and
//! reports what Redis has missed.

mod report;

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{
    super::WINDOW,
    Sharing,
    connection::Connection,
    line::{Line, Phase, Suspicion},
    scripts::{Argument, Script},
};

/// How often a node says that it is alive.
const BEAT: Duration = Duration::from_secs(1);
/// The same while nodes wait for each other's reports.
const SETTLING_BEAT: Duration = Duration::from_millis(100);
/// For how long a node counts after its last beat.
const ALIVE: Duration = Duration::from_secs(10);
/// Without a beat for so long, a node has probably been killed: its streams are elsewhere by now.
const SILENT: Duration = Duration::from_millis(2_500);
/// For how long it is remembered: longer than a [`WINDOW`], so that who is not remembered by then knows
/// that Redis has lost its data.
const REMEMBERED: Duration = Duration::from_secs(70);
/// How often Redis is tried while it is away.
const TRY: Duration = Duration::from_millis(250);
/// After how many tries without a reply there is a new connection.
const SILENT_TRIES: u32 = 8;
/// How long the first beat may take.
const STARTING: Duration = Duration::from_secs(1);
/// How long leaving may take.
const LEAVING: Duration = Duration::from_secs(1);

/// The worker behind a [`Sharing`].
#[derive(Debug)]
pub struct Watcher {
    sharing: Sharing,
    /// When the last beat was answered.
    last_beat: Option<Instant>,
    settling: Option<Settling>,
    away_since: Instant,
    silent_tries: u32,
    /// How long it waits for the answer to a beat.
    patience: Duration,
}

/// Waiting until all nodes have reported.
#[derive(Clone, Copy, Debug)]
struct Settling {
    /// By Redis's clock, in microseconds: who has reported since then.
    since: u64,
    /// How many nodes have to.
    nodes: u32,
    until: Instant,
}

/// What Redis says to a beat.
#[derive(Clone, Debug)]
struct Beat {
    /// In microseconds.
    now: u64,
    /// Whether it remembers this node.
    is_known: bool,
    nodes: u32,
    /// How many nodes have reported since [`Settling::since`].
    settled: u32,
    /// Nodes without a beat for [`SILENT`].
    silent: Vec<Arc<str>>,
}

/// What the script returns.
type Reply = (u64, u8, u32, u32, Vec<String>);

impl Watcher {
    pub(super) fn new(sharing: Sharing) -> Self {
        Self {
            patience: sharing.0.target.patience,
            sharing,
            last_beat: None,
            settling: None,
            away_since: Instant::now(),
            silent_tries: 0,
        }
    }

    fn line(&self) -> &Line {
        &self.sharing.0.line
    }

    /// Connects. This node has accepted nothing yet, so there is nothing to settle.
    pub(super) async fn first_look(&mut self) {
        // No request waits yet.
        let patience = self.patience;
        self.patience = patience.max(STARTING);
        let beat = self.beat(None).await;
        self.patience = patience;
        match beat {
            Ok(beat) => {
                self.last_beat = Some(Instant::now());
                self.line().set_nodes(beat.nodes);
                self.line().set_silent(beat.silent);
                self.line().set_phase(Phase::Shared);
            }
            Err(reason) => self.lose(&reason),
        }
    }

    /// Runs until the service stops, and then says that this node is gone.
    pub async fn run(mut self, stopping: CancellationToken) {
        let sharing = self.sharing.clone();
        tokio::select! {
            () = stopping.cancelled() => {}
            () = self.watch() => {}
            () = sharing.keep_streams() => {}
        }
        if self.line().phase().is_up() {
            sharing.end_streams().await;
            // Without it, the lease ends a little later.
            let _ = timeout(LEAVING, self.leave()).await;
        }
    }

    async fn watch(&mut self) {
        loop {
            match self.line().phase() {
                Phase::Away => sleep(TRY).await,
                Phase::Suspect => {}
                Phase::Settling => self.pause(SETTLING_BEAT).await,
                Phase::Shared => self.pause(BEAT).await,
            }
            self.look().await;
        }
    }

    /// A pause that suspicion ends.
    async fn pause(&self, pause: Duration) {
        let _ = timeout(pause, self.line().suspicion.notified()).await;
    }

    async fn look(&mut self) {
        let suspicion = self.line().take_suspicion();
        match self.beat(suspicion.as_ref()).await {
            Ok(beat) => self.found(beat).await,
            Err(reason) => self.missed(&reason, suspicion),
        }
    }

    /// Redis answers: it gets what it has missed, and decides from now on.
    async fn found(&mut self, beat: Beat) {
        let has_lost_data =
            !beat.is_known && self.last_beat.is_some_and(|last| last.elapsed() < WINDOW);
        if let Err(reason) = self.report(has_lost_data).await {
            return self.missed(&reason, None);
        }
        self.last_beat = Some(Instant::now());
        self.silent_tries = 0;
        let phase = self.line().phase();
        if phase == Phase::Away {
            let seconds = self.away_since.elapsed().as_secs();
            let redis = &self.sharing.0.target.shown;
            tracing::info!(%redis, away_seconds = seconds, "Redis answers again: limits are shared");
        }
        if phase == Phase::Away || has_lost_data {
            let nodes = beat.nodes.max(self.line().nodes());
            let until = Instant::now() + WINDOW;
            self.settling = Some(Settling { since: beat.now, nodes, until });
            self.sharing.recount_streams();
        } else if self.settling.is_some_and(|settling| settling.is_over(&beat)) {
            self.settling = None;
        }
        self.line().set_nodes(match self.settling {
            Some(settling) => settling.nodes.max(beat.nodes),
            None => beat.nodes,
        });
        self.line().set_silent(beat.silent);
        self.line().set_phase(match self.settling {
            Some(_) => Phase::Settling,
            None => Phase::Shared,
        });
    }

    /// Redis does not answer. If that is new, it is tried once more.
    fn missed(&mut self, reason: &str, suspicion: Option<Suspicion>) {
        match self.line().phase() {
            Phase::Away => {}
            Phase::Suspect => {
                let first = suspicion.map(|suspicion| suspicion.reason);
                self.lose(first.as_deref().unwrap_or(reason));
            }
            Phase::Settling | Phase::Shared => {
                self.line().suspect(reason.to_owned(), &self.sharing.0.names.nodes);
            }
        }
    }

    fn lose(&mut self, reason: &str) {
        let line = self.line();
        line.set_phase(Phase::Away);
        line.tally.outages.fetch_add(1, Ordering::Relaxed);
        let (redis, nodes) = (&self.sharing.0.target.shown, line.nodes());
        tracing::warn!(
            %redis, reason, nodes,
            "Redis cannot be used: until it can, this node applies its share of each limit"
        );
        self.away_since = Instant::now();
        self.settling = None;
    }

    /// Says that this node is alive, on a new connection if the old one is broken.
    async fn beat(&mut self, suspicion: Option<&Suspicion>) -> Result<Beat, String> {
        if let Some(connection) = self.line().connection() {
            match self.beat_on(connection, suspicion).await {
                Ok(Some(beat)) => return Ok(beat),
                Ok(None) => {
                    self.silent_tries += 1;
                    if self.silent_tries.is_multiple_of(SILENT_TRIES) {
                        self.line().set_connection(None);
                    }
                    return Err(self.sharing.no_reply());
                }
                Err(_) => self.line().set_connection(None),
            }
        }
        let connection = Connection::open(&self.sharing.0.target).await;
        let connection = connection.map_err(|error| error.to_string())?;
        self.line().set_connection(Some(connection.clone()));
        let beat = self.beat_on(connection, suspicion).await.map_err(|error| error.to_string())?;
        beat.ok_or_else(|| self.sharing.no_reply())
    }

    /// `None` if there is no reply in time.
    async fn beat_on(
        &self,
        mut connection: Connection,
        suspicion: Option<&Suspicion>,
    ) -> redis::RedisResult<Option<Beat>> {
        let shared = &self.sharing.0;
        let is_settled = shared.unreported.is_empty();
        let since = self.settling.map_or(0, |settling| settling.since);
        let [alive, remembered, silent] = [ALIVE, REMEMBERED, SILENT].map(super::decide::micros);
        let arguments =
            [alive, remembered, u64::from(is_settled), since, silent].map(Argument::Number);
        let arguments = [&[Argument::Node], arguments.as_slice()].concat();
        let asked = async {
            // In a cluster, what failed may be elsewhere.
            if let Some(suspicion) = suspicion.filter(|_| shared.target.is_cluster) {
                connection.query::<u32>(redis::cmd("EXISTS").arg(&suspicion.key)).await?;
            }
            let script = shared.scripts.get(Script::Beat);
            script.run(&mut connection, &shared.names.nodes, &shared.node, &arguments).await
        };
        match timeout(self.patience, asked).await {
            Ok(reply) => reply.map(|(now, known, nodes, settled, silent): Reply| {
                let silent = silent.into_iter().map(Arc::from).collect();
                Some(Beat { now, is_known: known == 1, nodes, settled, silent })
            }),
            Err(_) => Ok(None),
        }
    }

    /// Other nodes have more to share.
    async fn leave(&self) {
        let shared = &self.sharing.0;
        if let Some(mut connection) = shared.line.connection() {
            let mut leave = redis::cmd("HDEL");
            leave.arg(&shared.names.nodes).arg(&shared.node);
            let _ = connection.query::<u32>(&leave).await;
        }
    }
}

impl Settling {
    fn is_over(&self, beat: &Beat) -> bool {
        beat.settled >= self.nodes || Instant::now() >= self.until
    }
}
