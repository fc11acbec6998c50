//! Programs that not every machine has. Tests that need a missing one are skipped with a message.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    sync::Mutex,
};

/// Prints the reason why a test is skipped, once per reason. It writes directly to standard error, because the output
/// of passing tests is captured and not shown.
pub(crate) fn skipped(reason: &str) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if PRINTED.lock().unwrap().insert(reason.to_owned()) {
        // A closed output must not fail the test.
        _ = writeln!(io::stderr(), "\nskipped: {reason}");
    }
}

/// Whether a program is on the `PATH`.
pub(crate) fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
