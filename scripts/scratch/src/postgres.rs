//! A server of PostgreSQL on a Unix socket and, if asked, a port of this machine.
//!
//! What starts, stops and waits for servers blocks the thread: call it where that holds up nothing else.

mod replica;
mod statements;

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use self::statements::Statements;
use crate::{port, user::User, watched::Watched};

/// Where Debian's packages have the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// How long a server may take to start, and a replica to follow.
const PATIENCE: Duration = Duration::from_secs(60);
/// A crash of this server loses nothing that anybody needs.
const FAST: [&str; 4] =
    ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"];
/// Replicas may be away for a while.
const SETTINGS: [&str; 6] = [
    "max_connections=600",
    "shared_buffers=128MB",
    "logging_collector=off",
    "wal_level=replica",
    "wal_keep_size=512MB",
    "hot_standby=on",
];
/// Names the socket of servers that don't listen on TCP.
const SOCKET_PORT: u16 = 5_432;

/// A server, which ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    port: u16,
    is_on_tcp: bool,
    user: Option<User>,
    databases: AtomicU32,
    statements: Statements,
    process: OnceLock<Watched>,
}

/// How a server is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Transactions are undone, and the replica gets what was committed.
    Fast,
    /// As in a crash: the server recovers when it starts again.
    Immediate,
}

/// A database of its own, which is dropped with this.
#[derive(Debug)]
pub struct Database {
    url: String,
    name: String,
    statements: Statements,
}

impl Server {
    /// The one server of this process, started when it is first needed. It is not durable.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(&FAST))
    }

    /// A server with these settings, such as `fsync=off`.
    ///
    /// # Panics
    /// If PostgreSQL is not installed, or does not start within a minute.
    pub fn start(settings: &[&str]) -> Self {
        Self::prepared(false, settings, Self::init)
    }

    /// The same, listening on a port of 127.0.0.1, too.
    ///
    /// # Panics
    /// See [`Server::start`].
    pub fn start_on_tcp(settings: &[&str]) -> Self {
        Self::prepared(true, settings, Self::init)
    }

    /// One whose data `prepare` makes.
    fn prepared(is_on_tcp: bool, settings: &[&str], prepare: impl FnOnce(&Self)) -> Self {
        let folder = tempfile::Builder::new().prefix("svc-pg-").tempdir().unwrap().keep();
        let user = User::unprivileged(&["postgres", "nobody"]);
        if let Some(user) = user {
            user.owns(&folder);
        }
        let port = if is_on_tcp { port::free() } else { SOCKET_PORT };
        let statements = Statements::to(socket_url(&folder, port, "postgres"));
        let (databases, process) = (AtomicU32::new(0), OnceLock::new());
        let server = Self { folder, port, is_on_tcp, user, databases, statements, process };
        prepare(&server);
        server.launch(settings);
        server
    }

    fn init(&self) {
        let mut init = Command::new(program("initdb"));
        init.args([
            "--username=svc",
            "--auth=trust",
            "--no-locale",
            "--encoding=UTF8",
            "--no-sync",
        ]);
        self.run_program(init.arg("--pgdata").arg(self.data()));
    }

    fn launch(&self, settings: &[&str]) {
        let mut server = Command::new(program("postgres"));
        server.arg("-D").arg(self.data()).arg("-k").arg(&self.folder);
        server.args(["-p", &self.port.to_string()]);
        let addresses = if self.is_on_tcp { "127.0.0.1" } else { "" };
        server.args(["-c", &format!("listen_addresses={addresses}")]);
        for setting in SETTINGS.iter().chain(settings) {
            server.args(["-c", setting]);
        }
        let process = Watched::start(&server, "QUIT", &self.folder, self.user);
        self.process.set(process).unwrap();
        self.wait();
    }

    /// Runs a program as the user that the server runs as.
    fn run_program(&self, program: &mut Command) {
        if let Some(user) = self.user {
            user.runs(program);
        }
        program.stdout(Stdio::null()).current_dir(&self.folder);
        assert!(program.status().unwrap().success(), "{program:?} failed");
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn wait(&self) {
        until("PostgreSQL starts", || is_ready(&self.folder, self.port));
    }

    fn process(&self) -> &Watched {
        self.process.get().unwrap()
    }

    /// Stops it, and waits for its end. What was committed stays.
    pub fn stop(&self, how: Stop) {
        self.process().stop(match how {
            Stop::Fast => "INT",
            Stop::Immediate => "QUIT",
        });
    }

    /// Starts it again after it was stopped, at the same addresses.
    pub fn start_again(&self) {
        self.process().start_again();
        self.wait();
    }

    /// Stops it and starts it again.
    pub fn restart(&self, how: Stop) {
        self.stop(how);
        self.start_again();
    }

    /// Halts all its processes: connections stay open, and nobody gets an answer.
    pub fn pause(&self) {
        self.process().pause();
    }

    /// Lets them go on.
    pub fn resume(&self) {
        self.process().resume();
    }

    /// The folder of its socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The port that it listens on, or that is only part of its socket's name.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where it listens on TCP.
    ///
    /// # Panics
    /// If it does not.
    pub fn address(&self) -> SocketAddr {
        assert!(self.is_on_tcp, "this server listens on its socket only");
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    /// The URL of the database of this name, by the socket.
    pub fn url(&self, database: &str) -> String {
        socket_url(&self.folder, self.port, database)
    }

    /// The URL of the database of this name, by TCP.
    ///
    /// # Panics
    /// If it does not listen there.
    pub fn tcp_url(&self, database: &str) -> String {
        format!("postgres://svc@{}/{database}", self.address())
    }

    /// Runs a statement as the administrator, in the database `postgres`. Returns the first value of its first row
    /// as text, empty where there is none.
    ///
    /// # Panics
    /// If it fails.
    pub fn ask(&self, statement: &str) -> String {
        match self.statements.run(statement.to_owned()) {
            Ok(answer) => answer,
            Err(error) => panic!("{statement}: {error}"),
        }
    }

    /// A new database: empty, or a copy of `template`, to which nobody may be connected.
    pub fn create(&self, template: Option<&str>) -> Database {
        let name = format!("scratch_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.create_named(&name, template);
        Database { url: self.url(&name), name, statements: self.statements.clone() }
    }

    /// The same with a name, for as long as the server runs.
    pub fn create_named(&self, name: &str, template: Option<&str>) {
        let template = template.unwrap_or("template0");
        self.ask(&format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"));
    }
}

impl Database {
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Nobody waits for it. If the server is gone, so is the database.
        self.statements.send(format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// Waits for `reached`, a minute at most.
pub(crate) fn until(what: &str, mut reached: impl FnMut() -> bool) {
    let began = Instant::now();
    while !reached() {
        assert!(began.elapsed() < PATIENCE, "after a minute, it is not yet so that {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Whether the server with this socket lets clients in.
pub(crate) fn is_ready(folder: &Path, port: u16) -> bool {
    let mut probe = Command::new(program("pg_isready"));
    probe.arg("-h").arg(folder).args(["-p", &port.to_string()]);
    probe.stdout(Stdio::null()).status().unwrap().success()
}

pub(crate) fn socket_url(folder: &Path, port: u16, database: &str) -> String {
    let socket = folder.to_str().unwrap().replace('/', "%2F");
    format!("postgres://svc@{socket}:{port}/{database}")
}

/// A statement for SQLite as PostgreSQL wants it: with its own way to write bytes, such as `x'7b7d'`, and to leave out
/// foreign keys.
pub fn translated(statement: &str) -> String {
    let bytes = statement.replace(" x'", " '\\x").replace("(x'", "('\\x");
    let bytes = bytes.replace("zeroblob(90)", "decode(repeat('00', 90), 'hex')");
    bytes.replace("PRAGMA foreign_keys = OFF", "SET session_replication_role = replica")
}

/// The newest version that Debian has installed, or the one on the PATH.
fn program(name: &str) -> PathBuf {
    let versions = fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let number = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.map(|entry| entry.path()).max_by_key(number);
    let installed = newest.map(|folder| folder.join("bin").join(name));
    installed.filter(|program| program.exists()).unwrap_or_else(|| name.into())
}
