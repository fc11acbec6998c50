//! A server that ends with the process that started it, even if that is killed: between them is a shell that runs
//! orders, one a line, until the end of its input.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use crate::user::User;

/// Runs its arguments after the first two in the background. In the end it stops that with a signal, the first
/// argument, and removes the folder that is the second. An order is answered when it is done. Processes of the server
/// may be in groups of their own, so each is paused by itself: first their parent, which then starts no more.
const WATCH: &str = r#"signal=$1 folder=$2; shift 2
trap '' PIPE
start() { "$@" >>"$folder/log" 2>&1 & server=$!; }
children() { grep -lsx "PPid:[[:space:]]*$server" /proc/[0-9]*/status | tr -dc '0-9\n'; }
to_all() { kill -s "$1" "$server"; for child in $(children); do kill -s "$1" "$child"; done; }
end() { kill -s "$1" "$server"; wait "$server"; server=; }
start "$@"
while read -r order; do
    case $order in
    start) [ -n "$server" ] || start "$@" ;;
    STOP | CONT) [ -z "$server" ] || to_all "$order" ;;
    *) [ -z "$server" ] || end "$order" ;;
    esac
    echo done
done
[ -z "$server" ] || { to_all CONT; end "$signal"; }
rm -rf "$folder""#;

/// A running server. Dropped, it is stopped, and its folder is removed.
#[derive(Debug)]
pub(crate) struct Watched {
    shell: Child,
    /// `None` when the shell has been told that there is nothing more to do.
    orders: Mutex<Option<(ChildStdin, BufReader<ChildStdout>)>>,
}

impl Watched {
    /// Starts `server`, which `signal` stops at once. What it says is in the file `log` of its folder.
    pub(crate) fn start(server: &Command, signal: &str, folder: &Path, user: Option<User>) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", WATCH, "sh", signal]).arg(folder);
        shell.arg(server.get_program()).args(server.get_args());
        // A Ctrl-C in the terminal is for the tests.
        shell.process_group(0).current_dir(folder);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(user) = user {
            user.runs(&mut shell);
        }
        let mut shell = shell.spawn().unwrap();
        let pipes = (shell.stdin.take().unwrap(), BufReader::new(shell.stdout.take().unwrap()));
        Self { shell, orders: Mutex::new(Some(pipes)) }
    }

    /// Stops the server with a signal, and waits for its end.
    pub(crate) fn stop(&self, signal: &str) {
        self.order(signal);
    }

    /// Starts the server again, if it was stopped.
    pub(crate) fn start_again(&self) {
        self.order("start");
    }

    /// Halts all processes of the server where they are.
    pub(crate) fn pause(&self) {
        self.order("STOP");
    }

    /// Lets them go on.
    pub(crate) fn resume(&self) {
        self.order("CONT");
    }

    fn order(&self, order: &str) {
        let mut pipes = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let (orders, answers) = pipes.as_mut().unwrap();
        writeln!(orders, "{order}").unwrap();
        answers.read_line(&mut String::new()).unwrap();
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        drop(self.orders.lock().unwrap_or_else(PoisonError::into_inner).take());
        let _ = self.shell.wait();
    }
}
