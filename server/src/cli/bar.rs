//! The progress bar of commands that may take long.

use std::{
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

use super::output;

/// A bar that follows `position`, drawn on a terminal only. `length` is the position at the end, where it is known. Besides
/// the keys of every bar, `template` may have `{counted}` and `{rate}`, of `number`. `noun` is in the plural: `rows`.
pub(super) fn bar(
    length: Option<u64>,
    template: &str,
    position: &Arc<AtomicU64>,
    number: &Arc<AtomicU64>,
    noun: &'static str,
) -> ProgressBar {
    if !output::is_watched() {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let [position, counted, rated] = [position, number, number].map(Arc::clone);
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("█▌ ")
        .with_key("counted", move |_: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{} {noun}", HumanCount(counted.load(Ordering::Relaxed)));
        })
        .with_key("rate", move |state: &ProgressState, out: &mut dyn Write| {
            let seconds = state.elapsed().as_secs().max(1);
            let _ = write!(out, "{}/s", HumanCount(rated.load(Ordering::Relaxed) / seconds));
        });
    bar.set_style(style);
    let drawn = bar.clone();
    tokio::spawn(async move {
        while !drawn.is_finished() {
            drawn.set_position(position.load(Ordering::Relaxed));
            drawn.tick();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    bar
}

/// A bar for several stages, which set their length, position and message. Drawn on a terminal only.
pub(super) fn stages() -> ProgressBar {
    if !output::is_watched() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:32} {percent:>3} %  {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("█▌ ");
    ProgressBar::no_length().with_style(style)
}

/// Shows how far work of several stages is.
pub(super) fn show(bar: &ProgressBar, progress: store::Progress<'_>) {
    bar.set_length(progress.of);
    bar.set_position(progress.done);
    bar.set_message(progress.to_string());
}
