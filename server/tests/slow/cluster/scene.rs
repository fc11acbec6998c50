//! Scene: a running cluster and all who use it.

use std::{
    fmt,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use tokio_util::task::AbortOnDropHandle;

use super::{
    POLL_INTERVAL, Settings, checks::Span, crowd::Crowd, editor::Editor, machines::Machines,
    mirror::Mirror, subscriber::Subscriber, timeline::Timeline, traffic::Traffic, writers::Writers,
};
use crate::harness::soon;

/// Rate at which the first streams are opened.
const STREAMS_A_SECOND: u32 = 500;

/// Running parts, in the order in which they stop.
pub(super) struct Scene {
    pub(super) writers: Writers,
    pub(super) editor: Editor,
    pub(super) traffic: Traffic,
    pub(super) crowd: Crowd,
    pub(super) mirror: Mirror,
    pub(super) subscriber: Subscriber,
    pub(super) machines: Machines,
    pub(super) timeline: Arc<Timeline>,
    /// Key of an operator.
    pub(super) operator: String,
    streams: u32,
    _sampling: AbortOnDropHandle<()>,
}

/// Times at which the parts of the cluster had recovered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recovered {
    pub(super) published: Instant,
    pub(super) all: Instant,
}

/// Effects of a failure on clients.
pub(super) struct Effects {
    pub(super) failed_requests: usize,
    /// Time between the first and the last of these.
    pub(super) unavailable: Duration,
    pub(super) lost_streams: usize,
    pub(super) slowest_return: Duration,
}

impl Scene {
    pub(super) async fn start(settings: Settings, timeline: &Arc<Timeline>) -> Self {
        let _ = rlimit::increase_nofile_limit(u64::MAX);
        let sampled = Arc::clone(timeline);
        let sampling = AbortOnDropHandle::new(tokio::spawn(async move { sampled.sample().await }));
        let machines = Machines::start().await;
        timeline.note("all machines run");
        let url = machines.balancer.url("");
        let key = machines.key(&["--partner", "Aid"]);
        let operator =
            machines.key(&["--partner", "Ana", "--tier", "operator", "--scope", "moderate"]);
        let subscriber = Subscriber::subscribe(&url, &key, settings.refuses, timeline).await;
        let mirror = Mirror::start(&url, &key);
        let store = machines.store().await;
        let svc = Arc::clone(&machines.svc);
        let writers = Writers::start(store, svc, machines.url.clone(), timeline);
        let editor = Editor::start(&url, operator.clone(), timeline);
        let traffic = Traffic::start(&url, &machines.addresses(), timeline);
        let streams = settings.streams;
        let within = Duration::from_secs(1) * streams / STREAMS_A_SECOND;
        let crowd = Crowd::open(machines.balancer.address, streams, within, timeline).await;
        let timeline = Arc::clone(timeline);
        let scene = Self {
            writers,
            editor,
            traffic,
            crowd,
            mirror,
            subscriber,
            machines,
            timeline,
            operator,
            streams,
            _sampling: sampling,
        };
        scene.well().await;
        scene
    }

    /// Waits until the cluster has recovered completely.
    pub(super) async fn well(&self) -> Recovered {
        soon("a publication", self.writers.one_more()).await;
        let published = Instant::now();
        self.machines.all_well().await;
        soon("all streams", async {
            while self.timeline.open.load(Relaxed) < usize::try_from(self.streams).unwrap() {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        })
        .await;
        Recovered { published, all: Instant::now() }
    }

    /// Effects on requests that were sent, and streams that were lost, within the span.
    pub(super) fn effects(&self, span: Span) -> Effects {
        let returns = self.crowd.returns();
        let lost: Vec<_> = returns.iter().filter(|one| span.has(one.lost)).collect();
        let failed = self.traffic.failed_requests();
        let failed: Vec<Instant> =
            failed.iter().map(|one| one.sent).filter(|sent| span.has(*sent)).collect();
        let unavailable = failed.iter().max().zip(failed.iter().min());
        Effects {
            failed_requests: failed.len(),
            unavailable: unavailable.map_or(Duration::ZERO, |(last, first)| *last - *first),
            lost_streams: lost.len(),
            slowest_return: lost.iter().map(|one| one.after).max().unwrap_or_default(),
        }
    }
}

impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} answers failed within {:.1} s; {} streams were lost, the last was back after {:.1} s",
            self.failed_requests,
            self.unavailable.as_secs_f64(),
            self.lost_streams,
            self.slowest_return.as_secs_f64()
        )
    }
}
