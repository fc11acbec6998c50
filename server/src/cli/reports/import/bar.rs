//! The progress bar of an import.

use std::{sync::atomic::Ordering, time::Duration};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

use crate::{cli::output, import::Progress};

/// Drawn on a terminal only. `size` is the file's, where it has one.
pub(super) fn bar(size: Option<u64>, progress: &Progress) -> ProgressBar {
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
