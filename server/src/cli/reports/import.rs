use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::Context;
use clap::Args;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use serde_json::json;

use crate::{
    cli::{Exit, output},
    clock::Clock,
    config::{Database, Output},
    import::{self, Format, Job, Progress, Refusal, Summary},
    store::{self, Missing, Mode, Store},
};

/// Refusals that the JSON answer lists; the messages list all.
const LISTED: usize = 1_000;

#[derive(Args, Debug)]
pub(in crate::cli) struct Import {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Its form [default: by the file's ending, else by its first character]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Check everything and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Publish the reports at once, and tell webhooks
    #[arg(long, conflicts_with = "backfill")]
    approve: bool,
    /// Publish the reports as history: publishedAt is createdAt, and nobody is told
    #[arg(long)]
    backfill: bool,
}

impl Import {
    fn mode(&self) -> Mode {
        match self {
            Import { dry_run: true, .. } => Mode::DryRun,
            Import { approve: true, .. } => Mode::Approve,
            Import { backfill: true, .. } => Mode::Backfill,
            _ => Mode::Pending,
        }
    }

    fn format(&self) -> Option<Format> {
        let ending = self.file.extension().and_then(|ending| ending.to_str());
        self.format.or(match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Some(Format::Csv),
            Some("ndjson" | "jsonl") => Some(Format::Ndjson),
            _ => None,
        })
    }
}

pub(super) async fn run(
    database: &Database,
    Output { json }: Output,
    import: Import,
) -> anyhow::Result<Exit> {
    let (input, size) = open(&import.file)?;
    let store = open_store(database, import.dry_run).await?;
    let progress = Progress::default();
    let bar = bar(size, &progress);
    let job = Job {
        input,
        format: import.format(),
        mode: import.mode(),
        now: Clock::system().now(),
        progress,
    };
    let mut listed = Vec::new();
    let refused = |refusal: &Refusal| {
        bar.suspend(|| eprintln!("{refusal}"));
        if json && listed.len() < LISTED {
            listed.push(refusal.clone());
        }
    };
    let noted = |note: &str| bar.suspend(|| eprintln!("note: {note}"));
    let ended = import::run(store.as_ref(), job, refused, noted).await;
    bar.finish_and_clear();
    if let Some(store) = store {
        store.close().await;
    }
    let summary = ended.with_context(|| {
        format!("importing {} stopped; what was imported before stays", import.file.display())
    })?;
    if json {
        output::json(&json!({ "summary": summary, "refused": listed, "dryRun": import.dry_run }))?;
    } else {
        output::line(&sentence(&summary, import.mode()))?;
    }
    Ok(if summary.refused == 0 { Exit::Done } else { Exit::SomeRefused })
}

/// Where there is no database yet, a dry run goes without.
async fn open_store(database: &Database, dry_run: bool) -> store::Result<Option<Store>> {
    match store::open_url(&database.database_url, Missing::Refuse).await {
        Err(error @ store::Error::Missing(_)) if dry_run => {
            eprintln!("note: {error}; the rows are compared with each other only");
            Ok(None)
        }
        opened => opened.map(Some),
    }
}

fn open(file: &Path) -> anyhow::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if file == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let name = file.display();
    let opened = File::open(file).with_context(|| format!("{name} could not be opened"))?;
    let metadata = opened.metadata()?;
    anyhow::ensure!(!metadata.is_dir(), "{name} is a folder: name a file");
    Ok((Box::new(opened), metadata.is_file().then_some(metadata.len())))
}

fn sentence(summary: &Summary, mode: Mode) -> String {
    let done = match mode {
        Mode::Pending => "imported as pending",
        Mode::Approve => "imported and published",
        Mode::Backfill => "imported and published as history",
        Mode::DryRun => "would be imported (dry run: nothing was written)",
    };
    let mut sentence = format!("{} {done}", output::count(summary.imported, "report"));
    if summary.skipped > 0 {
        sentence += &format!("; {} skipped, already there", output::count(summary.skipped, "row"));
    }
    if summary.refused > 0 {
        sentence += &format!("; {} refused", output::count(summary.refused, "row"));
    }
    sentence + "."
}

/// Drawn on a terminal only.
fn bar(size: Option<u64>, progress: &Progress) -> ProgressBar {
    if !output::is_watched() {
        return ProgressBar::hidden();
    }
    let bar = size.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = match size {
        Some(_) => "{bar:32} {percent:>3} %  {read}  {rows}  {rate}  {eta} left",
        None => "{spinner} {read}  {rows}  {rate}",
    };
    let (bytes, rows) = (progress.bytes.clone(), progress.rows.clone());
    let (read, counted, rated) = (bytes.clone(), rows.clone(), rows);
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("█▌ ")
        .with_key("read", move |_: &_, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{}", HumanBytes(read.load(Ordering::Relaxed)));
        })
        .with_key("rows", move |_: &_, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{} rows", HumanCount(counted.load(Ordering::Relaxed)));
        })
        .with_key(
            "rate",
            move |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let seconds = state.elapsed().as_secs().max(1);
                let _ = write!(out, "{}/s", HumanCount(rated.load(Ordering::Relaxed) / seconds));
            },
        );
    bar.set_style(style);
    let drawn = bar.clone();
    tokio::spawn(async move {
        while !drawn.is_finished() {
            drawn.set_position(bytes.load(Ordering::Relaxed));
            drawn.tick();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    bar
}
