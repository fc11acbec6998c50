//! Test fixtures: a service on a free port with a fresh database and a clock that the test steps, and the `svc` binary.

mod engine;

use std::{
    io::Write,
    net::Ipv4Addr,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use base::{
    clock::Clock,
    random::Random,
    time::{parse_date, parse_instant},
};
use chrono::{DateTime, Utc};
use domain::report::Step;
use domain::{report::NewReport, report_id::ReportId, tier::Tier};
use model::ReportType;
use reqwest::{Response, header::HeaderMap};
use serde_json::Value;
use store::{self, KeySettings, Missing, Mode, NewKey, Store};

use svc::{
    config::{self, Intake, Switch},
    keys::ApiKey,
    service::Service,
};

use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use self::engine::Home;
pub(crate) use self::engine::{Engine, Held};

/// Number of cases of a property test: `PROPTEST_CASES` or `usual`. PostgreSQL gets a quarter, because a case takes
/// several times as long there. The engines differ only in SQL and isolation, which a few cases exercise.
pub(crate) fn property_cases(usual: u32) -> u32 {
    let set = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    set.unwrap_or(match engine::under_test() {
        Engine::Sqlite => usual,
        Engine::Postgres => usual / 4,
    })
}

/// Start time of every test that sets no other.
pub(crate) const START: &str = "2026-03-01T12:00:00.000Z";

pub(crate) fn instant(text: &str) -> DateTime<Utc> {
    parse_instant(text).unwrap()
}

/// Separate database of the engine under test. Dropping the value deletes it.
pub(crate) struct Database {
    pub store: Store,
    clock: Clock,
    home: Home,
}

impl Database {
    /// Creates a database whose clock stays at [`START`].
    pub(crate) async fn new() -> Self {
        Self::timed_by(Clock::stepped(instant(START))).await
    }

    /// Creates a SQLite file, independent of the engine under test, for behaviour that only SQLite has.
    pub(crate) async fn of_file() -> Self {
        Self::at_home(Home::file(), Clock::stepped(instant(START))).await
    }

    pub(crate) async fn timed_by(clock: Clock) -> Self {
        Self::at_home(Home::migrated(), clock).await
    }

    async fn at_home(home: Home, clock: Clock) -> Self {
        let store = home.open(Missing::Create).await;
        Self { store: store.with_clock(clock.clone()), clock, home }
    }

    /// Store of the same database with its clock at `now`.
    pub(crate) fn at(&self, now: DateTime<Utc>) -> Store {
        self.store.clone().with_clock(Clock::stepped(now))
    }

    pub(crate) fn url(&self) -> String {
        self.home.url()
    }

    /// A file beside the database.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.folder().join(name)
    }

    /// Restores a backup file from the folder of the database.
    pub(crate) async fn restore(&mut self, name: &str) {
        self.store.close().await;
        let backup = self.path(name);
        store::restore(&self.url(), &backup, self.clock.now()).await.unwrap();
        self.store = self.elsewhere().await;
    }

    /// Opens a separate connection, as another process would.
    pub(crate) async fn elsewhere(&self) -> Store {
        let store = self.home.open(Missing::Refuse).await;
        store.with_clock(self.clock.clone())
    }

    /// Runs a statement as the operator could with another tool.
    pub(crate) async fn tamper(&self, sql: &'static str) {
        engine::execute(&self.url(), sql).await;
    }

    /// Runs a statement that the database may refuse.
    pub(crate) async fn attempt(&self, sql: &str) -> Result<(), String> {
        let done = engine::attempt(&self.url(), sql.to_owned()).await;
        done.map_err(|error| error.to_string())
    }

    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        engine::count(&self.url(), sql).await
    }

    /// Makes every change of this kind fail, for example `UPDATE ON reports`, until [`Database::permit`].
    pub(crate) async fn refuse(&self, change: &str) {
        engine::set_trigger(&self.url(), &format!("BEFORE {change}"), None).await;
    }

    pub(crate) async fn permit(&self, table: &str) {
        engine::drop_trigger(&self.url(), table).await;
    }

    /// Runs a statement after every change of this kind.
    pub(crate) async fn also(&self, change: &str, statement: &str) {
        engine::set_trigger(&self.url(), &format!("AFTER {change}"), Some(statement)).await;
    }

    /// Blocks all other publishers, as a slow change does.
    pub(crate) async fn hold(&self) -> Held {
        Held::hold(&self.url()).await
    }

    pub(crate) fn engine(&self) -> Engine {
        self.home.engine()
    }
}

/// Writes a SQLite database that was made by older rules than those of this binary.
pub(crate) async fn older_database(file: &Path) {
    use sqlx::{ConnectOptions, Connection, sqlite::SqliteConnectOptions};
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    sqlx::migrate!("../migrations/sqlite").run(&mut connection).await.unwrap();
    sqlx::raw_sql(OLDER_RULES).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Statement that marks a database as made by older rules than those of this binary.
pub(crate) const OLDER_RULES: &str = "UPDATE derived SET folding = 0";

/// Changes that a future migration may make and that this binary must tolerate.
pub(crate) const NEWER_MIGRATION: &str = "
    ALTER TABLE reports ADD COLUMN note TEXT;
    ALTER TABLE places ADD COLUMN note TEXT;
    ALTER TABLE events ADD COLUMN note TEXT;
    ALTER TABLE keys ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read';
    ALTER TABLE partners ADD COLUMN note TEXT;
    ALTER TABLE subscriptions ADD COLUMN note TEXT;
    ALTER TABLE data_version ADD COLUMN note TEXT;
    CREATE TABLE notes (id INTEGER PRIMARY KEY, report TEXT);
    CREATE INDEX reports_by_note ON reports (note);
    INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES (9999, 'notes', TRUE, x'00', 0)";

/// HTTP client that follows no redirects and decompresses nothing; tests of compression send the header themselves. It
/// trusts no certificates, because loading the system's costs more than most tests.
pub(crate) fn http() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_gzip().no_brotli().tls_certs_only([]);
    client.redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

/// A running service.
pub(crate) struct Running {
    pub service: Service,
    pub database: Database,
    pub clock: Clock,
    pub http: reqwest::Client,
    /// Counter for the client addresses of requests.
    visitors: AtomicU32,
}

/// Settings of a service that takes the client address from `X-Forwarded-For`.
pub(crate) fn settings() -> config::Serve {
    config::Serve { trusted_proxies: "127.0.0.1".parse().unwrap(), ..config::Serve::default() }
}

/// Settings of a service that takes reports from the public.
pub(crate) fn open() -> config::Serve {
    let intake = Intake { intake: Switch::On, intake_retention_days: 30 };
    config::Serve { intake, ..settings() }
}

/// Settings of a service whose public URL is `public_url`.
pub(crate) fn reached_at(public_url: &str) -> config::Serve {
    config::Serve { public_url: Some(public_url.parse().unwrap()), ..settings() }
}

impl Running {
    pub(crate) async fn new() -> Self {
        Self::with(settings(), START).await
    }

    pub(crate) async fn with(settings: config::Serve, start: &str) -> Self {
        let clock = Clock::stepped(instant(start));
        let database = Database::timed_by(clock.clone()).await;
        let store = database.store.clone();
        let random = Random::seeded(1);
        let service = Service::start(settings, store, clock.clone(), random).await.unwrap();
        let http = http();
        Self { service, database, clock, http, visitors: AtomicU32::new(0) }
    }

    /// Publishes reports now, as another process would, and refreshes the service's snapshots.
    pub(crate) async fn publish(&self, reports: &[NewReport]) {
        self.import(reports, Mode::Approve).await;
    }

    pub(crate) async fn backfill(&self, reports: &[NewReport]) {
        self.import(reports, Mode::Backfill).await;
    }

    pub(crate) async fn withdraw(&self, id: &str) {
        self.database.store.reports().decide(Step::Withdraw, &[id.to_owned()]).await.unwrap();
        self.service.app.snapshots.refresh().await;
    }

    async fn import(&self, reports: &[NewReport], mode: Mode) {
        let elsewhere = self.database.elsewhere().await;
        elsewhere.reports().import(reports, mode).await.unwrap();
        elsewhere.close().await;
        self.service.app.snapshots.refresh().await;
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.service.addr)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[]).await
    }

    /// Sends a GET request. Unless `headers` contain a client address, each request comes from a new one, so that only
    /// tests of rate limits reach them.
    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask(self.http.get(self.url(path)), headers).await
    }

    pub(crate) async fn ask(
        &self,
        request: reqwest::RequestBuilder,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request = request;
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("x-forwarded-for")) {
            let visitor =
                self.visitors.fetch_add(1, Ordering::Relaxed) + u32::from_be_bytes([10, 0, 0, 1]);
            request = request.header("x-forwarded-for", Ipv4Addr::from(visitor).to_string());
        }
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        Answer::of(request.send().await.unwrap()).await
    }

    /// Sends bytes on a new connection and returns everything received until it is closed.
    pub(crate) async fn send(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut stream = TcpStream::connect(self.service.addr).await.unwrap();
        stream.write_all(bytes.as_ref()).await.unwrap();
        let mut received = Vec::new();
        soon("the end of the connection", stream.read_to_end(&mut received)).await.unwrap();
        String::from_utf8(received).unwrap()
    }

    /// Creates a valid key for the partner of this name.
    pub(crate) async fn key(&self, partner: &str, tier: Tier) -> ApiKey {
        self.key_until(partner, tier, None).await
    }

    pub(crate) async fn key_until(
        &self,
        partner: &str,
        tier: Tier,
        expires_at: Option<DateTime<Utc>>,
    ) -> ApiKey {
        let key = ApiKey::generate(&Random::system());
        let new = NewKey {
            prefix: key.prefix().to_owned(),
            hash: key.hash(),
            tier,
            scope: None,
            expires_at,
            settings: KeySettings::default(),
        };
        assert!(self.database.store.keys().create(partner, &new).await.unwrap().is_some());
        key
    }

    /// Body of a response that has to be a success.
    pub(crate) async fn json(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }
}

/// HTTP response with its complete body.
pub(crate) struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub(crate) async fn of(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, body: response.bytes().await.unwrap().to_vec() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Report of one person in Campinas on the day at which tests start. Tests change the fields that matter.
pub(crate) fn report(id: &str, kind: ReportType) -> NewReport {
    NewReport {
        id: ReportId::stored(id.to_owned()),
        kind,
        city: "Campinas".to_owned(),
        region: "São Paulo".to_owned(),
        country: "Brazil".to_owned(),
        people_count: 1,
        event_date: parse_date("2026-03-01").unwrap(),
        created_at: instant("2026-03-01T10:00:00.000Z"),
        event_date_given: true,
        created_at_given: true,
        position: None,
    }
}

pub(crate) trait But: Sized {
    fn named(self, id: &str) -> Self;
    fn on(self, date: &str) -> Self;
    fn at(self, city: &str, region: &str, country: &str) -> Self;
    fn created(self, instant: &str) -> Self;
}

impl But for NewReport {
    fn named(self, id: &str) -> Self {
        Self { id: ReportId::stored(id.to_owned()), ..self }
    }

    fn on(self, date: &str) -> Self {
        Self { event_date: parse_date(date).unwrap(), ..self }
    }

    fn at(self, city: &str, region: &str, country: &str) -> Self {
        let (city, region, country) = (city.to_owned(), region.to_owned(), country.to_owned());
        Self { city, region, country, ..self }
    }

    fn created(self, at: &str) -> Self {
        Self { created_at: instant(at), ..self }
    }
}

/// The `svc` binary in its own folder, with a database of the engine under test.
pub(crate) struct Svc {
    pub folder: TempDir,
    /// Folder in which services announce their databases: not shared with services of other tests, which remove what
    /// killed services leave behind.
    pub runtime: TempDir,
    home: Home,
}

/// Result of a command.
pub(crate) struct Ran {
    pub code: Option<i32>,
    pub out: String,
    /// Standard error without the line that names the database, and without those about a migration, which only a slow
    /// machine logs.
    pub err: String,
    /// Name of the database in that line.
    pub database: Option<String>,
}

impl Svc {
    pub(crate) fn new() -> Self {
        Self::with_home(|data| Home::empty_in(&data))
    }

    /// Creates a folder with a migrated, empty database at the default path.
    pub(crate) fn migrated() -> Self {
        let svc = Self::new();
        svc.home.migrate();
        svc
    }

    /// Creates a folder for a SQLite file, independent of the engine under test, for behaviour that only SQLite has.
    pub(crate) fn with_file() -> Self {
        Self::with_home(|data| Home::file_in(&data))
    }

    /// Creates a folder with a migrated SQLite file.
    pub(crate) fn with_migrated_file() -> Self {
        let svc = Self::with_file();
        svc.home.migrate();
        svc
    }

    /// Creates a folder and an empty PostgreSQL database, independent of the engine under test.
    pub(crate) fn with_server() -> Self {
        Self::with_home(|_| Home::on_server())
    }

    /// Creates the folders, and a home from the path of the default database's folder.
    fn with_home(home: impl FnOnce(PathBuf) -> Home) -> Self {
        let [folder, runtime] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let home = home(folder.path().join("data"));
        Self { folder, runtime, home }
    }

    /// File from which commands read the key of webhook secrets.
    pub(crate) fn key_file(&self) -> PathBuf {
        self.home.key_file()
    }

    /// URL of the database that commands use.
    pub(crate) fn database_url(&self) -> String {
        self.home.url()
    }

    /// Name of that database in messages.
    pub(crate) fn database_name(&self) -> String {
        store::name_of(&self.database_url()).unwrap()
    }

    /// Opens that database as another process does.
    pub(crate) async fn open(&self, missing: Missing) -> Store {
        self.home.open(missing).await
    }

    /// Message of a command whose database does not exist or is empty.
    pub(crate) fn no_database_yet(&self) -> String {
        match self.engine() {
            Engine::Sqlite => self.no_database("data/svc.db"),
            Engine::Postgres => format!(
                "svc: the database {} is empty: `svc db migrate` creates the tables\n",
                self.database_name()
            ),
        }
    }

    pub(crate) fn engine(&self) -> Engine {
        self.home.engine()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Message of a command whose database does not exist.
    pub(crate) fn no_database(&self, name: &str) -> String {
        format!(
            "svc: there is no database at {}: check --database-url and the folder you are in; \
             `svc db migrate` and `svc serve` make a new database, `svc db restore FILE` restores a \
             backup\n",
            self.path(name).display()
        )
    }

    /// Names of all files in a folder, sorted.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Changes the database that commands use, as an external tool would.
    pub(crate) async fn change(&self, sql: &'static str) {
        engine::execute(&self.database_url(), sql).await;
    }

    /// Changes a SQLite file as an external tool would.
    pub(crate) async fn tamper(&self, database: &str, sql: &'static str) {
        let url = format!("sqlite://{}?mode=rwc", self.path(database).display());
        engine::execute(&url, sql).await;
    }

    /// Pairs of numbers, one per row, from the database that commands use.
    pub(crate) async fn pairs(&self, sql: &'static str) -> Vec<(i64, i64)> {
        engine::pairs(&self.database_url(), sql).await
    }

    /// Result of a `SELECT count(…)` in the database that commands use.
    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        engine::count(&self.database_url(), sql).await
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .envs(self.home.variables())
            .env("XDG_RUNTIME_DIR", self.runtime.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if arguments.first() == Some(&"serve") {
            // Tests search for lines of the text format.
            command.env("SVC_LOG_FORMAT", "text");
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// Runs a command that has to succeed, and returns what it wrote.
    pub(crate) fn out(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.out, ran.err);
        ran.out
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.out(arguments)).unwrap()
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || {
            // The command may stop reading before the end of its input.
            let _ = stdin.write_all(&input);
        });
        let ran = Ran::of(child.wait_with_output().unwrap());
        writer.join().unwrap();
        ran
    }

    /// Imports a text as a CSV file.
    pub(crate) fn import(&self, csv: impl AsRef<[u8]>, flags: &[&str]) -> Ran {
        std::fs::write(self.path("reports.csv"), csv).unwrap();
        self.run(&[&["reports", "import", "reports.csv"], flags].concat())
    }
}

impl Ran {
    /// Summary of an import, without the line with its id.
    pub(crate) fn summary(&self) -> &str {
        let (summary, import) = self.out.split_once("Import: imp_").unwrap_or((&self.out, ""));
        assert_eq!((import.len(), summary.lines().count()), (10, 1), "{}{}", self.out, self.err);
        summary
    }

    /// Id of the import.
    pub(crate) fn import(&self) -> String {
        let (_, import) = self.out.split_once("Import: ").unwrap();
        import.trim_end().to_owned()
    }

    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        let (database, err) =
            match err.strip_prefix("Database: ").and_then(|rest| rest.split_once('\n')) {
                Some((name, rest)) => (Some(name.to_owned()), rest.to_owned()),
                None => (None, err),
            };
        let is_slowness = |line: &&str| line.contains(" INFO store::engine::migrate: ");
        let err = err.split_inclusive('\n').filter(|line| !is_slowness(line)).collect();
        Self { code: output.status.code(), out, err, database }
    }
}

/// Awaits the future, and fails the test after 60 seconds.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(Duration::from_secs(60), future).await {
        Ok(value) => value,
        Err(_) => panic!("{what} did not come"),
    }
}
