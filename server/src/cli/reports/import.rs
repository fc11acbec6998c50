use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use anyhow::Context;
use base::clock::Clock;
use clap::Args;
use import::{self, Format, Job, Note, Progress, Reading, Refusal, RefusedRows, Summary};
use serde_json::json;
use store::{self, Mode, Store};

use crate::{
    cli::{self, Exit, bar, output},
    config::{Database, Output},
};

/// Maximum number of refusals in the JSON output; the messages contain all.
const LISTED: usize = 1_000;

const FORMS: &str = "\
Files:
  CSV with a header line, separated by commas, semicolons, tabs or vertical bars.
  JSON: one object per line, or an array of objects.
  Workbooks of Excel (.xlsx): the first visible sheet.
  UTF-8, or UTF-16 with a byte order mark (Excel's \"Unicode Text\").
  Plain, or compressed with gzip or zstd.

Columns or keys, in upper or lower case, with spaces, underscores or hyphens:
  type         spirit, water or both (required)
  city         required
  country      required; names that are not recognized are listed at the end
  region
  id           derived from the content if empty
  peopleCount  1 to 1,000,000; 1 if empty
  eventDate    YYYY-MM-DD; the date of createdAt if empty
  createdAt    such as 2024-05-31T18:00:00Z or 2024-05-31T20:00+02:00; now if empty
  lat, lng     degrees; both or neither

Invalid rows are refused and listed with line, field and reason; valid rows are imported, and
the exit status is 3. With --errors, refused rows are also written to a file, with the reasons
in its first column, refusedBecause. Fix them there and import that file; the column may stay.

Run the same command again after a crash: rows that were imported are skipped. Rows from
standard input are imported within about a second, even if more are still to come.

Example: svc reports import reports.csv";

#[derive(Args, Debug)]
#[command(after_long_help = FORMS)]
pub(in crate::cli) struct Import {
    /// File to import, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format [default: from the file's extension, else from its first character]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Check everything, but write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Publish the reports immediately and notify webhooks
    #[arg(long, conflicts_with = "backfill")]
    approve: bool,
    /// Publish the reports as history: publishedAt is createdAt, and webhooks are not notified
    #[arg(long)]
    backfill: bool,
    /// Write refused rows to this new file, as CSV with the reasons
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
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
        let name = self.file.file_name()?.to_str()?.to_ascii_lowercase();
        let bare = [".gz", ".zst"].into_iter().find_map(|ending| name.strip_suffix(ending));
        let ending =
            Path::new(bare.unwrap_or(&name)).extension().and_then(|ending| ending.to_str());
        self.format.or(match ending {
            Some("csv" | "tsv") => Some(Format::Csv),
            Some("ndjson" | "jsonl" | "json") => Some(Format::Json),
            _ => None,
        })
    }

    /// Returns the folder for sorting history: beside the database, which has enough space, or the system's temporary
    /// folder if the database is on a server. Input that is not a file is not sorted: it may never end.
    fn sort_in(&self, size: Option<u64>, store: Option<&Store>) -> Option<PathBuf> {
        let beside = store?.file().map(|file| file.parent().map(Path::to_owned));
        let folder = beside.unwrap_or_else(|| Some(std::env::temp_dir()))?;
        (self.mode() == Mode::Backfill && size.is_some()).then_some(folder)
    }

    /// Name of the file in the list of imports.
    fn name(&self) -> Option<String> {
        let is_file = self.file.as_path() != Path::new("-");
        is_file.then(|| self.file.to_string_lossy().into_owned())
    }

    /// Describes the state after an import has failed midway.
    fn stopped(&self, progress: &Progress) -> String {
        let file = self.file.display();
        let imported = progress.imported.load(Ordering::Relaxed);
        let mut stopped = match (self.dry_run, imported) {
            (true, _) => format!("checking {file} stopped"),
            (false, 0) => format!("importing {file} stopped; nothing was imported"),
            (false, _) => {
                let reports = output::count(imported, "report");
                format!(
                    "importing {file} stopped; the reports imported before that ({reports}) remain"
                )
            }
        };
        if let Some(errors) = self.written(progress.refused.load(Ordering::Relaxed)) {
            stopped += &format!("; the rows refused before are in {}", errors.display());
        }
        stopped
    }

    /// Returns the file with the refused rows, if it has any.
    fn written(&self, refused: u64) -> Option<&Path> {
        self.errors.as_deref().filter(|_| refused > 0)
    }
}

pub(super) async fn run(
    database: &Database,
    Output { json }: Output,
    import: Import,
) -> anyhow::Result<Exit> {
    let (input, size) = open(&import.file)?;
    let store = open_store(database, import.dry_run).await?;
    let refused_rows = import.errors.as_deref().map(create).transpose()?;
    let progress = Progress::default();
    let template = match size {
        Some(_) => "{bar:32} {percent:>3} %  {bytes}  {counted}  {rate}  {eta} left",
        None => "{spinner} {bytes}  {counted}  {rate}",
    };
    let bar = bar::bar(size, template, &progress.bytes, &progress.rows, "rows");
    let job = Job {
        input,
        file: import.name(),
        format: import.format(),
        reading: Reading::default(),
        mode: import.mode(),
        sort_in: import.sort_in(size, store.as_ref()),
        clock: Clock::system(),
        max_window: import::FILE_WINDOW,
        progress: progress.clone(),
        refused_rows,
    };
    let mut listed = Vec::new();
    let refused = |refusal: &Refusal| {
        bar.suspend(|| eprintln!("{refusal}"));
        if json && listed.len() < LISTED {
            listed.push(refusal.clone());
        }
    };
    let noted = |note: &Note| bar.suspend(|| eprintln!("note: {note}"));
    let ended = import::run(store.as_ref(), job, refused, noted).await;
    bar.finish_and_clear();
    if let Some(store) = store {
        store.close().await;
    }
    let summary = ended.with_context(|| import.stopped(&progress))?;
    if json {
        let mut answer = json!({ "summary": summary, "refused": listed, "dryRun": import.dry_run });
        if let Some(id) = progress.import.get() {
            answer["import"] = json!(id);
        }
        if import.errors.is_some() {
            answer["errors"] = json!(import.written(summary.refused));
        }
        output::json(&answer)?;
    } else {
        output::line(&sentence(&import, &summary))?;
        if let Some(id) = progress.import.get() {
            output::line(&format!("Import: {id}"))?;
        }
    }
    Ok(if summary.refused == 0 { Exit::Done } else { Exit::SomeRefused })
}

/// Opens the database. A dry run works without one.
async fn open_store(database: &Database, dry_run: bool) -> store::Result<Option<Store>> {
    match cli::open(database, None).await {
        Err(error @ (store::Error::Missing(_) | store::Error::EmptyServerDatabase(_)))
            if dry_run =>
        {
            eprintln!("note: {error}; the rows are compared with each other only");
            Ok(None)
        }
        opened => {
            let store = opened?;
            if !dry_run {
                store.prepare_for_import().await?;
            }
            Ok(Some(store))
        }
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

fn create(errors: &Path) -> anyhow::Result<RefusedRows> {
    let name = errors.display();
    anyhow::ensure!(errors != Path::new("-"), "--errors writes to a file: name one");
    match RefusedRows::create(errors) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            anyhow::bail!("{name} already exists: name another file for --errors")
        }
        created => created.with_context(|| format!("{name} could not be created")),
    }
}

fn sentence(import: &Import, summary: &Summary) -> String {
    let done = match import.mode() {
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
    if let Some(errors) = import.written(summary.refused) {
        sentence += &format!(", written to {}", errors.display());
    }
    sentence + "."
}
