//! Writers: one publishes a report at a time, one imports history with the command.

use std::{
    fmt::Write as _,
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use model::ReportType::Water;
use store::{Mode, Store};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::timeline::Timeline;
use crate::harness::{But, Svc, report};

const PAUSE: Duration = Duration::from_millis(150);
/// Number of rows in one import.
const ROWS: usize = 1_000;
const BETWEEN_IMPORTS: Duration = Duration::from_secs(6);

pub(super) struct Writers {
    published: Arc<AtomicUsize>,
    stopping: CancellationToken,
    publishing: JoinHandle<()>,
    importing: JoinHandle<usize>,
}

/// Numbers of reports whose publication or import was confirmed.
pub(super) struct Written {
    pub(super) published: usize,
    pub(super) history: usize,
}

impl Written {
    /// Ids of imported reports.
    pub(super) fn history_ids(&self) -> impl Iterator<Item = String> {
        (0..self.history).map(|index| history_id(index / ROWS, index % ROWS))
    }
}

fn history_id(import: usize, row: usize) -> String {
    format!("h-{import}-{row}")
}

impl Writers {
    pub(super) fn start(
        store: Store,
        svc: Arc<Svc>,
        url: String,
        timeline: &Arc<Timeline>,
    ) -> Self {
        let (published, stopping) = (Arc::<AtomicUsize>::default(), CancellationToken::new());
        let (its, stop, seen) = (Arc::clone(&published), stopping.clone(), Arc::clone(timeline));
        let publishing = tokio::spawn(async move {
            while !stop.is_cancelled() {
                let number = its.load(Relaxed);
                publish(&store, number, &seen).await;
                its.fetch_add(1, Relaxed);
                tokio::time::sleep(PAUSE).await;
            }
            store.close().await;
        });
        let (stop, seen) = (stopping.clone(), Arc::clone(timeline));
        let importing = tokio::spawn(async move {
            let mut imports = 0;
            while !stop.is_cancelled() {
                import(&svc, &url, imports, &seen).await;
                imports += 1;
                let _ = tokio::time::timeout(BETWEEN_IMPORTS, stop.cancelled()).await;
            }
            imports * ROWS
        });
        Self { published, stopping, publishing, importing }
    }

    /// Waits until one more report has been published.
    pub(super) async fn one_more(&self) {
        // The next publication may have started before this call.
        let enough = self.published.load(Relaxed) + 2;
        while self.published.load(Relaxed) < enough {
            tokio::time::sleep(super::POLL_INTERVAL).await;
        }
    }

    pub(super) async fn stop(self) -> Written {
        self.stopping.cancel();
        self.publishing.await.unwrap();
        let history = self.importing.await.unwrap();
        Written { published: self.published.load(Relaxed), history }
    }
}

/// Publishes a report, and retries until success is confirmed. After an error it may be published as well.
async fn publish(store: &Store, number: usize, timeline: &Timeline) {
    let city = ["Recife", "Natal", "Campinas"][number % 3];
    let report = report(&format!("p-{number}"), Water).at(city, "", "Brazil");
    let begun = Instant::now();
    let mut tries = 0;
    while let Err(error) =
        store.reports().import(std::slice::from_ref(&report), Mode::Approve).await
    {
        if tries == 0 {
            timeline.note(format!("publishing: {error}"));
        }
        tries += 1;
        tokio::time::sleep(PAUSE).await;
    }
    if begun.elapsed() > Duration::from_secs(1) {
        let took = begun.elapsed().as_secs_f64();
        timeline.note(format!("a publication took {took:.1} s, {tries} tries failed"));
    }
    timeline.published();
}

/// Runs the command until it succeeds.
async fn import(svc: &Svc, url: &str, number: usize, timeline: &Timeline) {
    let mut csv = "id,type,city,region,country,createdAt\n".to_owned();
    for row in 0..ROWS {
        let (kind, place, region) = (["both", "spirit", "water"][row % 3], row % 50, row % 5);
        let (year, month, day) = (2023 + row % 3, 1 + row % 4 * 3, 1 + row % 2 * 14);
        let second = row % 60;
        writeln!(
            csv,
            "{},{kind},City {place},Region {region},Norway,{year}-{month:02}-{day:02}T00:00:{second:02}Z",
            history_id(number, row)
        )
        .unwrap();
    }
    let name = format!("history-{number}.csv");
    fs::write(svc.path(&name), csv).unwrap();
    loop {
        let arguments = ["reports", "import", &name, "--backfill", "--database-url", url];
        let mut command = tokio::process::Command::from(svc.command(&arguments));
        let output = command.kill_on_drop(true).output().await.unwrap();
        if output.status.success() {
            timeline.note(format!("import {number} is done"));
            return;
        }
        let error = String::from_utf8_lossy(&output.stderr).trim().replace('\n', " ");
        timeline.note(format!("import {number}: {error}"));
        tokio::time::sleep(PAUSE).await;
    }
}
