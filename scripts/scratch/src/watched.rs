//! A server that ends with the process that started it, even if that is killed: between them is a shell that waits
//! for the end of its input.

use std::{
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::user::User;

/// Runs its arguments after the first two in the background until its input ends, then stops that with a signal, the
/// first argument, and removes the folder that is the second.
const WATCH: &str = r#"signal=$1 folder=$2; shift 2
"$@" & server=$!
cat >/dev/null
kill -s "$signal" "$server" 2>/dev/null; kill -s CONT "$server" 2>/dev/null
wait "$server"; rm -rf "$folder""#;

/// A running server. Dropped, it is stopped, and its folder is removed.
#[derive(Debug)]
pub(crate) struct Watched(Child);

impl Watched {
    /// Starts `server`, which `signal` stops at once.
    pub(crate) fn start(server: &Command, signal: &str, folder: &Path, user: Option<User>) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", WATCH, "sh", signal]).arg(folder);
        shell.arg(server.get_program()).args(server.get_args());
        // A Ctrl-C in the terminal is for the tests.
        shell.process_group(0).current_dir(folder);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(user) = user {
            user.runs(&mut shell);
        }
        Self(shell.spawn().unwrap())
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}
