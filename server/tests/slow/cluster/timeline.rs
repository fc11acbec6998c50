//! Timeline: a record of each second.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use super::NODES;

/// Record shared by all parts of the test. It is written to a file of this name in `target/cluster` on drop, also
/// if the test fails.
pub(super) struct Timeline {
    name: String,
    began: Instant,
    seconds: Mutex<Vec<Second>>,
    summary: Mutex<String>,
    /// Number of streams that have received data and have not ended.
    pub(super) open: AtomicUsize,
}

#[derive(Clone, Default)]
struct Second {
    notes: Vec<String>,
    /// Number of visitors' responses by status; 0 means no response.
    statuses: BTreeMap<u16, u32>,
    nodes: [u32; NODES],
    slowest: Duration,
    /// Number of open streams at the end of the second.
    open: Option<usize>,
    cut: u32,
    published: u32,
    delivered: u32,
    /// Accepted requests of the client that exceeds its limit.
    accepted: u32,
    refused: u32,
}

const HEAD: &str = "Each line is a second. answers: of the traffic, by status (0: no response), and by node; slowest: of these, ms;\n\
    open: streams at the end of the second; cut: streams that ended; pub: reports published; dlv: webhooks delivered;\n\
    limit: requests of a client that asks too often, accepted/refused.\n\n";

impl Timeline {
    pub(super) fn begin(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            began: Instant::now(),
            seconds: Mutex::default(),
            summary: Mutex::default(),
            open: AtomicUsize::new(0),
        }
    }

    /// Seconds since the start.
    pub(super) fn seconds(&self, at: Instant) -> f64 {
        at.saturating_duration_since(self.began).as_secs_f64()
    }

    fn change(&self, at: Instant, change: impl FnOnce(&mut Second)) {
        let index = usize::try_from(at.saturating_duration_since(self.began).as_secs()).unwrap();
        let mut seconds = self.seconds.lock().unwrap();
        if seconds.len() <= index {
            seconds.resize(index + 1, Second::default());
        }
        change(&mut seconds[index]);
    }

    pub(super) fn note(&self, note: impl Into<String>) {
        let (now, note) = (Instant::now(), note.into());
        let note = format!("{:.1} {note}", self.seconds(now));
        self.change(now, |second| second.notes.push(note));
    }

    pub(super) fn answered(&self, status: u16, node: Option<usize>, within: Duration) {
        self.change(Instant::now(), |second| {
            *second.statuses.entry(status).or_default() += 1;
            second.slowest = second.slowest.max(within);
            if let Some(node) = node {
                second.nodes[node] += 1;
            }
        });
    }

    pub(super) fn limited(&self, is_accepted: bool) {
        self.change(Instant::now(), |second| {
            second.accepted += u32::from(is_accepted);
            second.refused += u32::from(!is_accepted);
        });
    }

    pub(super) fn published(&self) {
        self.change(Instant::now(), |second| second.published += 1);
    }

    pub(super) fn delivered(&self) {
        self.change(Instant::now(), |second| second.delivered += 1);
    }

    pub(super) fn opened(&self) {
        self.open.fetch_add(1, Relaxed);
    }

    pub(super) fn cut(&self) {
        self.open.fetch_sub(1, Relaxed);
        self.change(Instant::now(), |second| second.cut += 1);
    }

    /// Records the number of open streams ten times a second.
    pub(super) async fn sample(&self) {
        let mut ticks = tokio::time::interval(Duration::from_millis(100));
        loop {
            ticks.tick().await;
            let open = self.open.load(Relaxed);
            self.change(Instant::now(), |second| second.open = Some(open));
        }
    }

    /// Folder of the timeline, inside the `target` folder.
    pub(super) fn folder() -> PathBuf {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../cluster");
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Sets the summary at the top of the file.
    pub(super) fn conclude(&self, summary: &str) {
        *self.summary.lock().unwrap() = format!("{summary}\n\n");
    }

    fn text(&self) -> String {
        let mut text = format!("{}{HEAD}", self.summary.lock().unwrap());
        text += "second  answers                nodes     slowest  open   cut  pub  dlv  limit   what\n";
        for (index, second) in self.seconds.lock().unwrap().iter().enumerate() {
            let statuses =
                second.statuses.iter().map(|(status, count)| format!("{status}:{count}"));
            let nodes = second.nodes.map(|count| count.to_string()).join("/");
            let limit = format!("{}/{}", second.accepted, second.refused);
            writeln!(
                text,
                "{index:>6}  {:<21}  {nodes:<9} {:>6}  {:>5} {:>5} {:>4} {:>4}  {limit:<6}  {}",
                statuses.collect::<Vec<_>>().join(" "),
                second.slowest.as_millis(),
                second.open.map_or(String::new(), |open| open.to_string()),
                second.cut,
                second.published,
                second.delivered,
                second.notes.join("; ")
            )
            .unwrap();
        }
        text
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        let text = self.text();
        if std::thread::panicking() {
            println!("{text}");
        }
        fs::write(Self::folder().join(&self.name), text).unwrap();
    }
}
