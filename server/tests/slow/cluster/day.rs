//! A cluster day: histories with random failures, also several at once. After each, everything is counted again.
//!
//! `SVC_CLUSTER_HISTORIES` is the number of histories. The seed of a history is the seed of the day plus its number, so
//! `SVC_CLUSTER_SEED` with the seed of a history and `SVC_CLUSTER_HISTORIES=1` repeat its failures.

mod report;

use std::{
    env, fs,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use base::random::Random;

use self::report::{Happened, Report};
use super::{
    Settings,
    checks::{Failures, Span},
    faults::{self, Kind},
    machines::blocking,
    scene::Scene,
    timeline::Timeline,
};

const HISTORIES: u64 = 20;
/// Number of failures in a history.
const FAILURES: usize = 6;
const STREAMS: u32 = 200;
/// Maximum time between the end of a step and the beginning of the next one.
const PAUSE: Duration = Duration::from_secs(3);

fn setting(name: &str) -> Option<u64> {
    env::var(name).ok().map(|value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "takes half an hour, in make test-long"]
async fn a_cluster_survives_a_day_of_random_failures() {
    let random = Random::system();
    let seed = setting("SVC_CLUSTER_SEED").unwrap_or_else(|| random.number() % 1_000_000);
    let histories = setting("SVC_CLUSTER_HISTORIES").unwrap_or(HISTORIES);
    println!("SVC_CLUSTER_SEED={seed} SVC_CLUSTER_HISTORIES={histories}");
    let file = Timeline::folder().join("day.txt");
    let mut report = Report::of(seed);
    for seed in seed..seed + histories {
        let happened = Arc::default();
        // A panic ends the history, not the day.
        let ended = match tokio::spawn(history(seed, Arc::clone(&happened))).await {
            Ok(ended) => ended,
            Err(error) => Err(vec![format!("the history ended early: {error}")]),
        };
        let steps = happened.lock().unwrap_or_else(PoisonError::into_inner);
        print!("{}", report.add(seed, &steps, ended));
        fs::write(&file, report.text()).unwrap();
    }
    println!("{}", report.distribution());
    assert!(report.failed.is_empty(), "failed histories: {:?}", report.failed);
}

/// Adds the steps to `so_far`, and returns a summary or what was wrong.
async fn history(seed: u64, so_far: Arc<Mutex<Vec<Happened>>>) -> Result<String, Vec<String>> {
    let random = Random::seeded(seed);
    let steps = faults::steps(&random, FAILURES);
    let timeline = Arc::new(Timeline::begin(format!("history-{seed}.txt")));
    let settings = Settings { streams: STREAMS, refuses: true };
    let mut scene = Scene::start(settings, &timeline).await;
    for step in steps {
        tokio::time::sleep(random.duration(Duration::ZERO..PAUSE)).await;
        for fault in &step {
            println!("{seed}: {:.1} s: {fault}", timeline.seconds(std::time::Instant::now()));
        }
        let failed = faults::play(&mut scene.machines, &step, &timeline);
        let recovered = scene.well().await;
        timeline.note("all is well");
        let begin = failed.iter().map(|one| one.begin).min().unwrap();
        let effects = scene.effects(Span { begin, end: recovered.all });
        for fault in &step {
            blocking(|| faults::restore_redundancy(&scene.machines.postgres, fault.kind));
        }
        let end = scene.well().await.all;
        so_far.lock().unwrap().push(Happened {
            faults: step,
            failed,
            recovered,
            effects,
            span: Span { begin, end },
            without_webhooks: Duration::ZERO,
        });
    }
    let mut failures = checked(&scene, &mut so_far.lock().unwrap(), &timeline);
    let counted = failures.recount(scene).await;
    let failures = failures.0;
    timeline.conclude(&format!("{counted}\n{}", failures.join("\n")));
    if failures.is_empty() { Ok(counted) } else { Err(failures) }
}

/// Checks what clients saw during the steps.
fn checked(scene: &Scene, happened: &mut [Happened], timeline: &Timeline) -> Failures {
    for step in &mut *happened {
        step.without_webhooks = scene.subscriber.longest_silence(step.span);
    }
    let mut failures = Failures::default();
    let spans = |is: &dyn Fn(&Happened) -> bool| -> Vec<Span> {
        happened.iter().filter(|step| is(step)).map(|step| step.span).collect()
    };
    let without_postgres = spans(&|step| step.has(Kind::is_of_postgres));
    let without_redis = spans(&|step| step.has(Kind::is_of_redis));
    let without_nodes = spans(&|step| step.is_without_nodes());
    failures.answers(&scene.traffic, &without_postgres, &without_nodes, timeline);
    failures.limits_between(&scene.traffic.accepted(), &without_redis);
    let outages = [without_postgres, without_nodes].concat();
    failures.streams(&scene.crowd, &outages, timeline);
    failures
}
