//! The progress bar of an import.

use std::sync::atomic::Ordering;

use import::Progress;
use indicatif::{HumanBytes, ProgressBar, ProgressState};

use crate::cli::bar::{self, Counted};

/// `size` is the file's, where it has one.
pub(super) fn bar(size: Option<u64>, progress: &Progress) -> ProgressBar {
    let template = match size {
        Some(_) => "{bar:32} {percent:>3} %  {read}  {counted}  {rate}  {eta} left",
        None => "{spinner} {read}  {counted}  {rate}",
    };
    let bytes = progress.bytes.clone();
    let counted = Counted { position: bytes.clone(), number: progress.rows.clone(), noun: "rows" };
    bar::bar(size, template, counted, |style| {
        style.with_key("read", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{}", HumanBytes(bytes.load(Ordering::Relaxed)));
        })
    })
}
