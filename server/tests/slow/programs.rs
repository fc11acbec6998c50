//! Programs that not every machine has. Tests that need a missing one are skipped, and the output says so.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    sync::Mutex,
};

/// Prints why a test is skipped, once for each reason. Straight to the error output: what tests print is captured, and
/// shown for those that fail only.
pub(crate) fn skipped(reason: &str) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if PRINTED.lock().unwrap().insert(reason.to_owned()) {
        // A closed output is no reason to fail.
        _ = writeln!(io::stderr(), "\nskipped: {reason}");
    }
}

/// Whether a program is on the PATH.
pub(crate) fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
