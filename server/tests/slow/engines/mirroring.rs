//! The programs in `docs/mirroring.md`, extracted and run: they copy all reports over HTTP while other processes publish,
//! import history, correct and withdraw.

use std::{
    collections::BTreeMap,
    fs::File,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use domain::report::{NewReport, Status};
use serde_json::{Value, json};
use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};
use store::{Corrected, Missing, ReportList, Selection, Store};
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::{harness::Svc, served::Served};

const DOCS: &str = include_str!("../../../../docs/mirroring.md");
/// Maximum time for the mirror to catch up on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Number of reports published before the mirror starts: several pages.
const HISTORY: usize = 250;

/// The programs, in the order of the page.
#[derive(Clone, Copy, Debug)]
enum Way {
    Log,
    List,
}

impl Way {
    fn program(self) -> &'static str {
        let block = DOCS.split("```python\n").nth(1 + self as usize).unwrap();
        block.split_once("\n```").unwrap().0
    }

    fn headers(self) -> &'static str {
        match self {
            Self::Log => "HEADERS = {\"Authorization\": \"Bearer svc_…\"}",
            Self::List => "HEADERS = {}",
        }
    }
}

/// Running program; killed on drop.
struct Mirror {
    child: Child,
    folder: TempDir,
}

impl Drop for Mirror {
    fn drop(&mut self) {
        // The program may already have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Mirror {
    /// Starts a mirror with a key, because the test exceeds the rate limit of clients without one.
    fn start(scene: &Scene, way: Way, changes: &[(&str, &str)]) -> Self {
        let mut program = way.program().to_owned();
        let key = scene.svc.json(&[
            "keys",
            "create",
            "--partner",
            "Mirror",
            "--tier",
            "enterprise",
            "--json",
        ]);
        let headers = format!(
            "HEADERS = {{\"Authorization\": \"Bearer {}\"}} #",
            key["key"].as_str().unwrap()
        );
        let own = [
            ("https://svc.example.org", &*scene.served.url),
            (way.headers(), &headers),
            ("LOOK = 10 ", "LOOK = 0.05 "),
        ];
        for (from, to) in own.iter().chain(changes) {
            assert_eq!(program.matches(from).count(), 1, "{from}");
            program = program.replace(from, to);
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mirror.py"), program).unwrap();
        Self { child: Self::spawn(&folder), folder }
    }

    fn spawn(folder: &TempDir) -> Child {
        Command::new("python3")
            .arg("mirror.py")
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("stderr")).unwrap())
            .spawn()
            .unwrap_or_else(|error| panic!("python3 is needed to try the program: {error}"))
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the program again.
    fn go_on(&mut self) {
        self.child = Self::spawn(&self.folder);
    }

    /// Waits until the program exits, which must be with this code.
    async fn ends_with(&mut self, code: i32) {
        let ended = async {
            let mut looking = tokio::time::interval(Duration::from_millis(100));
            loop {
                looking.tick().await;
                if let Some(status) = self.child.try_wait().unwrap() {
                    break status;
                }
            }
        };
        let status = tokio::time::timeout(TIMEOUT, ended).await.unwrap();
        assert_eq!(status.code(), Some(code));
    }

    /// Reports in the mirror after its first complete walk, by id. A mirror killed earlier starts another walk.
    async fn reports(&self) -> sqlx::Result<BTreeMap<String, Value>> {
        let file = self.folder.path().join("mirror.db");
        let mut mirror = SqliteConnectOptions::new().filename(file).connect().await?;
        let walked = "SELECT id, report FROM reports WHERE EXISTS (SELECT 1 FROM state)";
        let reports: Vec<(String, String)> = sqlx::query_as(walked).fetch_all(&mut mirror).await?;
        let parsed = |(id, report): (_, String)| (id, serde_json::from_str(&report).unwrap());
        Ok(reports.into_iter().map(parsed).collect())
    }

    /// Waits until the mirror contains exactly the published reports of the database.
    async fn equals(&mut self, store: &Store) {
        let published = published(store).await;
        let began = Instant::now();
        let mut looking = tokio::time::interval(Duration::from_millis(100));
        loop {
            looking.tick().await;
            // The file or its table may not exist yet.
            let mirrored = self.reports().await.unwrap_or_default();
            if mirrored == published {
                return;
            }
            let stderr = std::fs::read_to_string(self.folder.path().join("stderr")).unwrap();
            assert!(self.child.try_wait().unwrap().is_none(), "the program ended: {stderr}");
            if began.elapsed() > TIMEOUT {
                let wrong: Vec<_> = published
                    .keys()
                    .chain(mirrored.keys())
                    .filter(|id| published.get(*id) != mirrored.get(*id))
                    .collect();
                panic!("missing, no longer published, or with other content: {wrong:?} {stderr}");
            }
        }
    }
}

async fn published(store: &Store) -> BTreeMap<String, Value> {
    let approved = ReportList {
        selection: Selection { status: Some(Status::Approved), ..Selection::default() },
        limit: u32::MAX,
        ..ReportList::default()
    };
    let listed = store.reports().list(&approved).await.unwrap().reports;
    let public = |report: store::ListedReport| {
        let public = json!({
            "id": report.id,
            "city": report.city,
            "country": report.country,
            "peopleCount": report.people_count,
            "type": report.kind,
            "createdAt": report.created_at,
        });
        (report.id, public)
    };
    listed.into_iter().map(public).collect()
}

/// Service, and other processes that work on its database.
struct Scene {
    svc: Arc<Svc>,
    served: Served,
    store: Store,
    working: JoinSet<()>,
}

impl Scene {
    async fn new() -> Self {
        let svc = Arc::new(Svc::migrated());
        import(&svc, "history", HISTORY, "--backfill");
        let served = Served::start(&svc);
        let store = svc.open(Missing::Refuse).await;
        Self { svc, served, store, working: JoinSet::new() }
    }

    /// Corrects the number of people of a published report.
    async fn correct(&self, id: &str, people_count: u32) {
        let correction =
            |report: &NewReport| Ok::<_, ()>(NewReport { people_count, ..report.clone() });
        assert_eq!(self.store.reports().correct(id, correction).await.unwrap(), Corrected::Now);
    }

    /// Runs `step` in each of `rounds` in the background.
    fn work(&mut self, rounds: usize, step: impl Fn(&Svc, usize) + Send + 'static) {
        let svc = self.svc.clone();
        self.working.spawn_blocking(move || (0..rounds).for_each(|round| step(&svc, round)));
    }

    /// Starts four publishers; two of them import reports first and then approve them.
    fn publish_at_the_same_time(&mut self, rounds: usize) {
        for publisher in 0..4 {
            self.work(rounds, move |svc, round| {
                let name = format!("p{publisher}-{round}");
                let count = 1 + (publisher * 37 + round * 53) % 150;
                if publisher % 2 == 0 {
                    return import(svc, &name, count, "--approve");
                }
                import(svc, &name, count, "--json");
                svc.out(&[&["reports", "approve"][..], &as_strs(&ids(&name, count))].concat());
            });
        }
    }

    async fn end(&mut self) {
        while let Some(ended) = self.working.join_next().await {
            ended.unwrap();
        }
    }
}

fn ids(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{name}-{number}")).collect()
}

fn as_strs(ids: &[String]) -> Vec<&str> {
    ids.iter().map(String::as_str).collect()
}

/// Imports reports created in recent years, in a separate process.
fn import(svc: &Svc, name: &str, count: usize, flag: &str) {
    let row = |(number, id): (usize, String)| {
        let kind = ["spirit", "water", "both"][number % 3];
        format!("{id},{kind},Oslo,NO,20{}-03-01T12:00:{:02}Z\n", 20 + number % 6, number % 60)
    };
    let rows: String = ids(name, count).into_iter().enumerate().map(row).collect();
    let csv = format!("id,type,city,country,createdAt\n{rows}");
    let ran =
        svc.run_with_input(&["reports", "import", "-", "--format", "csv", flag], csv.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// Replacement that prevents further walks, so that all changes must come through the `current` links.
const WALKS_ONCE: (&str, &str) = ("or not look()", "or look() is None");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mirror_that_only_follows_links_gets_all_that_processes_publish_at_the_same_time() {
    let mut scene = Scene::new().await;
    let mut mirror = Mirror::start(&scene, Way::List, &[WALKS_ONCE]);
    mirror.equals(&scene.store).await;
    scene.publish_at_the_same_time(8);
    scene.work(1, |svc, _| import(svc, "burst", 500, "--approve"));
    scene.end().await;
    mirror.equals(&scene.store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mirrors_equal_the_database_after_all_kinds_of_changes_in_parallel() {
    let mut scene = Scene::new().await;
    let mut mirrors = [Way::Log, Way::List].map(|way| Mirror::start(&scene, way, &[]));
    scene.publish_at_the_same_time(5);
    scene.work(8, |svc, round| import(svc, &format!("h{round}"), 7 + round, "--backfill"));
    scene.work(8, |svc, round| {
        let from = round * 5;
        let ids = &ids("history", HISTORY)[from..from + 5];
        svc.out(&[&["reports", "withdraw"][..], &as_strs(ids)].concat());
    });
    scene.work(8, |svc, round| {
        let name = format!("mistake{round}");
        import(svc, &name, 3, "--approve");
        svc.out(&["reports", "withdraw", &format!("{name}-1")]);
        svc.out(&["reports", "restore", &format!("history-{}", round * 5)]);
    });
    for number in 100..120 {
        scene.correct(&format!("history-{number}"), 2).await;
    }
    scene.end().await;
    for mirror in &mut mirrors {
        mirror.equals(&scene.store).await;
    }
}

/// The program reads the list only once: everything else must be in the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mirror_by_the_log_gets_everything_from_it_and_starts_again_only_if_it_must() {
    let mut scene = Scene::new().await;
    let starts_once = ("def start():", "def start():\n    import os; saved and os._exit(7)");
    let mut mirror = Mirror::start(&scene, Way::Log, &[starts_once]);
    mirror.equals(&scene.store).await;
    mirror.kill();
    scene.publish_at_the_same_time(2);
    scene.work(3, |svc, round| import(svc, &format!("h{round}"), 120, "--backfill"));
    scene.work(1, |svc, _| {
        svc.out(&["reports", "withdraw", "history-1", "history-2", "history-3"]);
        svc.out(&["reports", "restore", "history-2"]);
    });
    scene.correct("history-200", 5).await;
    scene.correct("history-200", 6).await;
    scene.end().await;
    mirror.go_on();
    mirror.equals(&scene.store).await;
    mirror.kill();
    // The events after the cursor of the mirror are no longer kept.
    import(&scene.svc, "late", 3, "--approve");
    scene.svc.change("DELETE FROM events").await;
    mirror.go_on();
    mirror.ends_with(7).await;
}

/// The mirror is stopped during the changes, so it sees them only together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mirror_notices_history_and_a_withdrawal_that_leave_the_counters_as_they_were() {
    let mut scene = Scene::new().await;
    let mut mirror = Mirror::start(&scene, Way::List, &[]);
    mirror.equals(&scene.store).await;
    mirror.kill();
    // The new report has the type of the withdrawn one, so no counter changes.
    scene.work(1, |svc, _| {
        svc.out(&["reports", "withdraw", "history-249"]);
        import(svc, "instead", 1, "--backfill");
    });
    scene.end().await;
    mirror.go_on();
    mirror.equals(&scene.store).await;
}

/// The mirror dies after the first of several pages, with reports of two publication times still to read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mirror_that_dies_between_two_pages_goes_on_where_it_was() {
    let mut scene = Scene::new().await;
    let next = "url = links.get(\"next\")";
    let dies = "import os; url and state and not os.path.exists(\"died\") and \
                (open(\"died\", \"w\"), os._exit(7))";
    let changes = [WALKS_ONCE, (next, &format!("{next}; {dies}"))];
    let mut mirror = Mirror::start(&scene, Way::List, &changes);
    mirror.equals(&scene.store).await;
    mirror.kill();
    for name in ["earlier", "later"] {
        scene.work(1, move |svc, _| import(svc, name, 150, "--approve"));
        scene.end().await;
    }
    mirror.go_on();
    mirror.ends_with(7).await;
    scene.publish_at_the_same_time(2);
    scene.end().await;
    mirror.go_on();
    mirror.equals(&scene.store).await;
}
