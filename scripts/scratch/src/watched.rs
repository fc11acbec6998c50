//! A server that ends with the process that started it, even if that process is killed. Between the
//! two is a shell that executes commands from its input, one per line, until the end of the input.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use crate::user::User;

/// Script of the shell. Arguments: the signal that stops the server at the end, the folder to
/// remove afterwards, and the command of the server. Each line of input is acknowledged when it has
/// been executed. Child processes of the server may have their own process groups, so signals are
/// sent to each one: first to the parent, which then starts no new children.
const WATCH: &str = r#"signal=$1 folder=$2; shift 2
trap '' PIPE
start() { "$@" >>"$folder/log" 2>&1 & server=$!; }
children() { grep -lsx "PPid:[[:space:]]*$server" /proc/[0-9]*/status | tr -dc '0-9\n'; }
to_all() { kill -s "$1" "$server"; for child in $(children); do kill -s "$1" "$child"; done; }
end() { kill -s "$1" "$server"; wait "$server"; server=; }
alive() { grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"; }
kill_all() {
    all="$server $(children)"; kill -s KILL $all; wait "$server"; server=
    for one in $all; do while alive "$one"; do sleep 0.01; done; done
}
start "$@"
while read -r order; do
    case $order in
    start) [ -n "$server" ] || start "$@" ;;
    KILL) [ -z "$server" ] || kill_all ;;
    STOP | CONT) [ -z "$server" ] || to_all "$order" ;;
    *) [ -z "$server" ] || end "$order" ;;
    esac
    echo done
done
[ -z "$server" ] || { to_all CONT; end "$signal"; }
rm -rf "$folder""#;

/// A running server. Dropping it stops the server and removes its folder.
#[derive(Debug)]
pub(crate) struct Watched {
    shell: Child,
    /// `None` after the input of the shell has been closed.
    orders: Mutex<Option<(ChildStdin, BufReader<ChildStdout>)>>,
}

impl Watched {
    /// Starts `server`, which `signal` stops at once. Its output is in the file `log` of its
    /// folder.
    pub(crate) fn start(server: &Command, signal: &str, folder: &Path, user: Option<User>) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", WATCH, "sh", signal]).arg(folder);
        shell.arg(server.get_program()).args(server.get_args());
        // A separate process group, so that Ctrl-C in the terminal only reaches the tests.
        shell.process_group(0).current_dir(folder);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(user) = user {
            user.runs(&mut shell);
        }
        let mut shell = shell.spawn().unwrap();
        let pipes = (shell.stdin.take().unwrap(), BufReader::new(shell.stdout.take().unwrap()));
        Self { shell, orders: Mutex::new(Some(pipes)) }
    }

    /// Stops the server with a signal, and waits for its end. `KILL` ends all of its processes.
    pub(crate) fn stop(&self, signal: &str) {
        self.order(signal);
    }

    /// Starts the server again, if it was stopped.
    pub(crate) fn start_again(&self) {
        self.order("start");
    }

    /// Pauses all processes of the server.
    pub(crate) fn pause(&self) {
        self.order("STOP");
    }

    /// Resumes the processes.
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
