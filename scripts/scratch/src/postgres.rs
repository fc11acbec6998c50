//! A PostgreSQL server on a Unix socket and, optionally, a port of this machine.
//!
//! Starting, stopping and waiting for servers blocks the thread. Call these functions only where
//! that is acceptable.

mod replica;
mod statements;

use std::{
    env, fs,
    net::SocketAddr,
    os::unix::fs::PermissionsExt,
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

/// Folder of Debian's packages, with the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// Timeout for the start of a server, and for a replica to catch up.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Settings without durability, because the data are disposable.
const FAST: [&str; 4] =
    ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"];
/// Settings of all servers. Replicas may be disconnected for a while.
const SETTINGS: [&str; 6] = [
    "max_connections=600",
    "shared_buffers=128MB",
    "logging_collector=off",
    "wal_level=replica",
    "wal_keep_size=512MB",
    "hot_standby=on",
];
/// Minimum of free bytes in memory for the data of a server.
const ROOM: u64 = 4 << 30;
/// Port in the socket name of servers that don't listen on TCP.
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

/// Ways to stop a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Rolls back transactions, and sends committed data to the replica.
    Fast,
    /// Like a crash: the server recovers at its next start.
    Immediate,
    /// SIGKILL to all processes, paused ones included.
    Kill,
}

/// A separate database, which is dropped with this value.
#[derive(Debug)]
pub struct Database {
    url: String,
    name: String,
    statements: Statements,
}

impl Server {
    /// The shared server of this process, started on first use. It is not durable.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(|| Self::prepared_in(&fast_folder(), false, &FAST, Self::init))
    }

    /// Starts a server with these settings, such as `fsync=off`.
    ///
    /// # Panics
    /// If PostgreSQL is not installed, or does not start within a minute.
    pub fn start(settings: &[&str]) -> Self {
        Self::prepared(false, settings, Self::init)
    }

    /// Like [`Server::start`], but also listens on a port of 127.0.0.1.
    ///
    /// # Panics
    /// See [`Server::start`].
    pub fn start_on_tcp(settings: &[&str]) -> Self {
        Self::prepared(true, settings, Self::init)
    }

    /// Like [`Server::start_on_tcp`], with TLS. The certificate and the key are in PEM.
    ///
    /// # Panics
    /// See [`Server::start`].
    pub fn start_with_tls(certificate: &str, key: &str) -> Self {
        Self::prepared(true, &["ssl=on"], |server| {
            server.init();
            for (name, text) in [("server.crt", certificate), ("server.key", key)] {
                let file = server.data().join(name);
                fs::write(&file, text).unwrap();
                fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
                if let Some(user) = server.user {
                    user.owns(&file);
                }
            }
        })
    }

    /// Starts a server whose data folder is created by `prepare`.
    fn prepared(is_on_tcp: bool, settings: &[&str], prepare: impl FnOnce(&Self)) -> Self {
        Self::prepared_in(&env::temp_dir(), is_on_tcp, settings, prepare)
    }

    fn prepared_in(
        parent: &Path,
        is_on_tcp: bool,
        settings: &[&str],
        prepare: impl FnOnce(&Self),
    ) -> Self {
        let folder = tempfile::Builder::new().prefix("svc-pg-").tempdir_in(parent).unwrap().keep();
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

    /// Stops the server, and waits for its end. Committed data are kept.
    pub fn stop(&self, how: Stop) {
        self.process().stop(match how {
            Stop::Fast => "INT",
            Stop::Immediate => "QUIT",
            Stop::Kill => "KILL",
        });
    }

    /// Starts a stopped server again, at the same addresses.
    pub fn start_again(&self) {
        self.process().start_again();
        self.wait();
    }

    /// Stops the server and starts it again.
    pub fn restart(&self, how: Stop) {
        self.stop(how);
        self.start_again();
    }

    /// Pauses all processes of the server: connections stay open without responses.
    pub fn pause(&self) {
        self.process().pause();
    }

    /// Resumes paused processes.
    pub fn resume(&self) {
        self.process().resume();
    }

    /// Log of the server. With the setting `log_statement=all`, it contains every statement.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap()
    }

    /// Folder of the socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// TCP port, or only a part of the socket's name if the server does not listen on TCP.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// TCP address.
    ///
    /// # Panics
    /// If the server does not listen on TCP.
    pub fn address(&self) -> SocketAddr {
        assert!(self.is_on_tcp, "this server listens on its socket only");
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    /// URL of the database with this name, through the socket.
    pub fn url(&self, database: &str) -> String {
        socket_url(&self.folder, self.port, database)
    }

    /// URL of the database with this name, over TCP.
    ///
    /// # Panics
    /// If the server does not listen on TCP.
    pub fn tcp_url(&self, database: &str) -> String {
        format!("postgres://svc@{}/{database}", self.address())
    }

    /// Runs a statement as the administrator, in the database `postgres`. Returns the first value
    /// of its first row as text, or an empty text without rows.
    ///
    /// # Panics
    /// If the statement fails.
    pub fn ask(&self, statement: &str) -> String {
        match self.statements.run(statement.to_owned()) {
            Ok(answer) => answer,
            Err(error) => panic!("{statement}: {error}"),
        }
    }

    /// Creates a database: empty, or a copy of `template`, which must have no connections.
    pub fn create(&self, template: Option<&str>) -> Database {
        let name = format!("scratch_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.create_named(&name, template);
        Database { url: self.url(&name), name, statements: self.statements.clone() }
    }

    /// Like [`Server::create`], with a name. The database exists as long as the server runs.
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
        // Does not wait. If the server is gone, so is the database.
        self.statements.send(format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// Folder in memory if it has room. A database has hundreds of files: on a disk, creating one takes several times as
/// long.
fn fast_folder() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let room = rustix::fs::statvfs(&memory).map_or(0, |found| found.f_bavail * found.f_frsize);
    if room >= ROOM { memory } else { env::temp_dir() }
}

/// Waits for `reached`, at most one minute.
pub(crate) fn until(what: &str, mut reached: impl FnMut() -> bool) {
    let began = Instant::now();
    while !reached() {
        assert!(began.elapsed() < TIMEOUT, "after a minute, it is not yet so that {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Whether the server with this socket accepts clients.
pub(crate) fn is_ready(folder: &Path, port: u16) -> bool {
    let mut probe = Command::new(program("pg_isready"));
    probe.arg("-h").arg(folder).args(["-p", &port.to_string()]);
    probe.stdout(Stdio::null()).status().unwrap().success()
}

pub(crate) fn socket_url(folder: &Path, port: u16, database: &str) -> String {
    let socket = folder.to_str().unwrap().replace('/', "%2F");
    format!("postgres://svc@{socket}:{port}/{database}")
}

/// Translates a statement for SQLite to PostgreSQL, which has a different syntax for bytes (such as
/// `x'7b7d'`) and for disabling foreign keys.
pub fn translated(statement: &str) -> String {
    let bytes = statement.replace(" x'", " '\\x").replace("(x'", "('\\x");
    let bytes = bytes.replace("zeroblob(90)", "decode(repeat('00', 90), 'hex')");
    bytes.replace("PRAGMA foreign_keys = OFF", "SET session_replication_role = replica")
}

/// Path of a program: from the newest version installed on Debian, or from the PATH.
fn program(name: &str) -> PathBuf {
    let versions = fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let number = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.map(|entry| entry.path()).max_by_key(number);
    let installed = newest.map(|folder| folder.join("bin").join(name));
    installed.filter(|program| program.exists()).unwrap_or_else(|| name.into())
}
