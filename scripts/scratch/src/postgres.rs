//! A server of PostgreSQL on a Unix socket.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    time::Duration,
};

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

use crate::{user::User, watched::Watched};

/// Where Debian's packages have the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);
/// A crash of this server loses nothing that anybody needs.
const FAST: [&str; 4] =
    ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"];
const SETTINGS: [&str; 4] =
    ["listen_addresses=", "max_connections=600", "shared_buffers=128MB", "logging_collector=off"];

/// A server, which ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    databases: AtomicU32,
    statements: mpsc::Sender<Statement>,
    _process: Watched,
}

/// One that the server's own connection runs, and who waits for its end, if anybody does.
type Statement = (String, Option<mpsc::Sender<sqlx::Result<()>>>);

/// A database of its own, which is dropped with this.
#[derive(Debug)]
pub struct Database {
    url: String,
    name: String,
    statements: mpsc::Sender<Statement>,
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
        let folder = tempfile::Builder::new().prefix("svc-pg-").tempdir().unwrap().keep();
        let user = User::unprivileged(&["postgres", "nobody"]);
        if let Some(user) = user {
            user.owns(&folder);
        }
        let data = folder.join("data");
        let mut init = Command::new(program("initdb"));
        init.args([
            "--username=svc",
            "--auth=trust",
            "--no-locale",
            "--encoding=UTF8",
            "--no-sync",
        ]);
        init.arg("--pgdata").arg(&data).stdout(Stdio::null());
        if let Some(user) = user {
            user.runs(&mut init);
        }
        assert!(init.current_dir(&folder).status().unwrap().success(), "initdb failed");
        let mut server = Command::new(program("postgres"));
        server.arg("-D").arg(&data).arg("-k").arg(&folder);
        for setting in SETTINGS.iter().chain(settings) {
            server.args(["-c", setting]);
        }
        let process = Watched::start(&server, "QUIT", &folder, user);
        let socket = folder.clone();
        let (statements, sent) = mpsc::channel();
        let server = Self { folder, databases: AtomicU32::new(0), statements, _process: process };
        server.wait();
        std::thread::spawn(move || run(&socket, &sent));
        server
    }

    fn wait(&self) {
        let began = std::time::Instant::now();
        let is_ready = || {
            let mut probe = Command::new(program("pg_isready"));
            probe.arg("-h").arg(&self.folder).stdout(Stdio::null());
            probe.status().unwrap().success()
        };
        while !is_ready() {
            assert!(began.elapsed() < PATIENCE, "PostgreSQL did not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The URL of the database of this name.
    pub fn url(&self, database: &str) -> String {
        url(&self.folder, database)
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
        let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY");
        let (done, end) = mpsc::channel();
        self.statements.send((create, Some(done))).unwrap();
        end.recv().unwrap().unwrap();
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
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let _ = self.statements.send((drop, None));
    }
}

/// Runs statements about databases, one after the other, on a thread of its own: tests may create databases
/// wherever they are.
fn run(socket: &Path, statements: &mpsc::Receiver<Statement>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let connect = PgConnection::connect(&url(socket, "postgres"));
    let mut connection = runtime.block_on(connect).unwrap();
    while let Ok((statement, waiting)) = statements.recv() {
        let done = runtime.block_on(connection.execute(AssertSqlSafe(statement)));
        if let Some(waiting) = waiting {
            let _ = waiting.send(done.map(|_| ()));
        }
    }
}

/// A statement for SQLite as PostgreSQL wants it: with its own way to write bytes, such as `x'7b7d'`, and to leave out
/// foreign keys.
pub fn translated(statement: &str) -> String {
    let bytes = statement.replace(" x'", " '\\x").replace("(x'", "('\\x");
    let bytes = bytes.replace("zeroblob(90)", "decode(repeat('00', 90), 'hex')");
    bytes.replace("PRAGMA foreign_keys = OFF", "SET session_replication_role = replica")
}

fn url(socket: &Path, database: &str) -> String {
    let socket = socket.to_str().unwrap().replace('/', "%2F");
    format!("postgres://svc@{socket}/{database}")
}

/// The newest version that Debian has installed, or the one on the PATH.
fn program(name: &str) -> PathBuf {
    let versions = fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let number = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.map(|entry| entry.path()).max_by_key(number);
    let installed = newest.map(|folder| folder.join("bin").join(name));
    installed.filter(|program| program.exists()).unwrap_or_else(|| name.into())
}
