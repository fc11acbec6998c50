//! Settings. The environment is read only here: every variable is defined beside its flag.

mod branding;
mod draining;
pub mod file;
mod intake;
mod mail;
mod open_data;
mod tracing;

use std::{
    env,
    ffi::OsString,
    net::{SocketAddr, ToSocketAddrs},
    path::PathBuf,
};

use clap::{
    Args, Command, FromArgMatches, ValueEnum,
    builder::{OsStringValueParser, TypedValueParser},
};
use domain::{actor::Actor, reason::Reason};
use edge::tls;
use limits::{RedisUrl, TrustedProxies};
use store::secrets::{self, Keyring};
use tracing_subscriber::filter::Targets;

use crate::base_url::PublicUrl;

pub use branding::Branding;
pub use draining::Draining;
pub use intake::{Intake, Switch};
pub use mail::Mail;
pub use open_data::OpenData;
pub use tracing::Tracing;
pub use webhooks::targets::WebhookTargets;

/// Returns the command line. `cargo leptos watch` starts a debug build without arguments, which then serves the demo,
/// and does not wait for open streams when the next build is ready.
pub fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    if cfg!(debug_assertions) && arguments.len() == 1 && env::var_os("LEPTOS_WATCH").is_some() {
        arguments.extend(["serve", "--demo", "--drain-spread=0"].map(OsString::from));
    }
    webhooks::targets::keep_ids(arguments)
}

/// Returns the user of the command line. With `sudo`, that is the user who ran it.
pub fn operator() -> Actor {
    let named = |variable: &&str| env::var(variable).ok().filter(|name| !name.is_empty());
    let user = ["SUDO_USER", "USER", "LOGNAME"].iter().find_map(named);
    let user = user.unwrap_or_else(|| format!("user {}", rustix::process::getuid().as_raw()));
    let machine = rustix::system::uname();
    Actor::of_command_line(&user, &machine.nodename().to_string_lossy())
}

/// Returns the folders in which running services announce their databases: first this user's, then the system's.
pub fn run_folders() -> Vec<PathBuf> {
    let own = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
    own.map(|path| path.join("svc")).into_iter().chain([PathBuf::from("/run/svc")]).collect()
}

/// The file with settings that have no flag and no variable; all commands have it.
#[derive(Args, Clone, Debug)]
pub struct ConfigFile {
    /// Settings file, with the flags of serve without their dashes as names, such as `addr = "[::]:80"`; flags and
    /// variables override it [default: svc.toml in the working directory, or else /etc/svc/svc.toml, if there is one]
    #[arg(
        long,
        env = "SVC_CONFIG",
        value_name = "FILE",
        global = true,
        // An empty value, which the parser of paths refuses, means no file.
        value_parser = OsStringValueParser::new().map(PathBuf::from)
    )]
    pub config: Option<PathBuf>,
}

/// The database; all commands have it.
#[derive(Args, Clone, Debug)]
pub struct Database {
    /// URL of the database: sqlite://PATH or postgres://USER@HOST/DATABASE
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/svc.db",
        value_name = "URL",
        hide_env_values = true,
        global = true
    )]
    pub database_url: String,
}

/// The key of webhook secrets.
#[derive(Args, Clone, Debug, Default)]
pub struct SecretKeys {
    /// File with the key that encrypts webhook secrets; only its owner may have access to it. The variable
    /// SVC_SECRET_KEY may contain the key itself instead [default: beside the database, such as data/svc.key; created
    /// when the first secret is stored]
    #[arg(long, env = "SVC_SECRET_KEY_FILE", value_name = "FILE")]
    pub secret_key_file: Option<PathBuf>,
}

impl SecretKeys {
    /// Returns the keys from flags and variables; `None` if there are none.
    ///
    /// # Errors
    /// SVC_SECRET_KEY does not contain a key, or there is a file as well.
    pub fn keyring(&self) -> secrets::Result<Option<Keyring>> {
        match (Self::variable(), &self.secret_key_file) {
            (None, file) => Ok(file.clone().map(Keyring::of_file)),
            (Some(_), Some(_)) => Err(secrets::Error::Twice),
            (Some(text), None) => {
                let text = text.to_str().ok_or(secrets::Error::MalformedVariable)?;
                Keyring::of_text(text).map(Some)
            }
        }
    }

    /// Returns the key itself. It has no flag: everybody on the machine can read command lines.
    pub fn variable() -> Option<OsString> {
        env::var_os("SVC_SECRET_KEY").filter(|text| !text.is_empty())
    }
}

/// Output format of a command.
#[derive(Args, Clone, Copy, Debug)]
pub struct Output {
    /// Print JSON, for use by programs
    #[arg(long, global = true)]
    pub json: bool,
}

/// Levels and format of the log.
#[derive(Args, Clone, Debug)]
pub struct Log {
    /// Log filter for standard error: a level, or levels by module, such as info,svc=debug
    #[arg(
        long,
        env = "SVC_LOG",
        // Clients can cause the warnings of these two crates at any rate.
        default_value = "warn,h2=error,rustls=error,svc=info",
        value_name = "FILTER",
        global = true
    )]
    pub log: Targets,

    /// Log format; auto: JSON lines for a service without a terminal, otherwise text
    #[arg(
        long,
        env = "SVC_LOG_FORMAT",
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        global = true
    )]
    pub log_format: LogFormat,
}

/// See [`Log`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    #[default]
    Auto,
    Text,
    Json,
}

/// An address that a service listens on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ListenAddress {
    Public,
    Ops,
}

/// The settings of `svc serve`.
#[derive(Args, Clone, Debug)]
pub struct Serve {
    /// Public address to listen on; port 0 picks a free port
    #[arg(
        long,
        env = "SVC_ADDR",
        default_value = "127.0.0.1:3000",
        value_name = "HOST:PORT",
        value_parser = parse_address,
        help_heading = "Network"
    )]
    pub addr: SocketAddr,

    #[command(flatten, next_help_heading = "Security")]
    pub tls: Option<TlsFiles>,

    /// Public URL of the service, for links and snippets, such as https://svc.example.org or
    /// https://example.org/counters [default: taken from the request and trusted proxies]
    #[arg(long, env = "SVC_PUBLIC_URL", value_name = "URL", help_heading = "Network")]
    pub public_url: Option<PublicUrl>,

    #[command(flatten, next_help_heading = "Branding")]
    pub branding: Branding,

    /// Operator's address to listen on (health, Prometheus); do not expose it to the public [default: 127.0.0.1:3001,
    /// or none if that is taken]
    #[arg(
        long,
        env = "SVC_OPS_ADDR",
        value_name = "HOST:PORT",
        value_parser = parse_address,
        help_heading = "Network"
    )]
    pub ops_addr: Option<SocketAddr>,

    /// Address of the desk and the operator API: the public one, or only the operator's
    #[arg(
        long,
        env = "SVC_OPERATOR_ON",
        value_enum,
        default_value_t = ListenAddress::Ops,
        help_heading = "Network"
    )]
    pub operator_on: ListenAddress,

    /// Reasons for rejecting a report that the desk offers, separated by commas
    #[arg(
        long = "reject-reason",
        env = "SVC_REJECT_REASONS",
        value_delimiter = ',',
        default_value = "Duplicate,Not credible,Test,Wrong place or date,Offensive",
        value_name = "TEXT,…",
        value_parser = parse_reason,
        help_heading = "Desk"
    )]
    pub reject_reasons: Vec<Reason>,

    #[command(flatten, next_help_heading = "Reports from the public")]
    pub intake: Intake,

    #[command(flatten, next_help_heading = "Mail")]
    pub mail: Mail,

    /// Sites that may show the widgets in frames: sources of the CSP directive frame-ancestors
    #[arg(
        long,
        env = "SVC_FRAME_ANCESTORS",
        default_value = "*",
        value_name = "SOURCES",
        value_parser = parse_frame_ancestors,
        help_heading = "Security"
    )]
    pub frame_ancestors: String,

    /// Proxies whose X-Forwarded-For, -Proto, -Host and Forwarded headers are trusted: addresses
    /// and networks, separated by commas, such as 10.0.0.0/8,::1
    #[arg(
        long,
        env = "SVC_TRUSTED_PROXIES",
        value_name = "CIDR,…",
        hide_default_value = true,
        default_value = "",
        help_heading = "Security"
    )]
    pub trusted_proxies: TrustedProxies,

    /// Maximum number of open event streams per address (IPv6: per /64)
    #[arg(
        long,
        env = "SVC_STREAMS_PER_ADDRESS",
        default_value_t = 20,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Network"
    )]
    pub streams_per_address: u32,

    /// Maximum number of open connections per address (IPv6: per /64); trusted proxies are exempt
    #[arg(
        long,
        env = "SVC_CONNECTIONS_PER_ADDRESS",
        default_value_t = 256,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Network"
    )]
    pub connections_per_address: u32,

    #[command(flatten, next_help_heading = "Network")]
    pub draining: Draining,

    #[command(flatten, next_help_heading = "Security")]
    pub secret_keys: SecretKeys,

    #[command(flatten, next_help_heading = "Webhooks")]
    pub endpoints: WebhookTargets,

    /// Number of days that finished webhook deliveries are kept
    #[arg(
        long,
        env = "SVC_WEBHOOK_RETENTION_DAYS",
        default_value_t = 30,
        value_name = "DAYS",
        value_parser = clap::value_parser!(u16).range(1..),
        help_heading = "Webhooks"
    )]
    pub webhook_retention_days: u16,

    #[command(flatten, next_help_heading = "Open data")]
    pub open_data: OpenData,

    /// Redis or Valkey server through which several nodes share their limits, such as redis://127.0.0.1:6379,
    /// rediss://… with TLS, or redis+cluster://HOST1:6379,HOST2:6379; see docs/operate/several-nodes.md
    /// [default: limits in this process's memory]
    #[arg(
        long,
        env = "SVC_REDIS_URL",
        value_name = "URL",
        hide_env_values = true,
        help_heading = "Data"
    )]
    pub redis_url: Option<RedisUrl>,

    #[command(flatten, next_help_heading = "Logs and traces")]
    pub tracing: Tracing,

    /// Fill an empty database with made-up reports of a busy site, then publish a new one every few seconds; at night
    /// (UTC), fewer
    #[arg(long, help_heading = "Demo")]
    pub demo: bool,
}

/// TLS files of the public side.
#[derive(Args, Clone, Debug)]
pub struct TlsFiles {
    /// Serve HTTPS on the public address, with the certificate chain in this PEM file; reloaded when it changes
    #[arg(
        long = "tls-cert",
        env = "SVC_TLS_CERT",
        value_name = "FILE",
        required = false,
        requires = "key"
    )]
    pub cert: PathBuf,

    /// PEM file with the certificate's private key
    #[arg(
        long = "tls-key",
        env = "SVC_TLS_KEY",
        value_name = "FILE",
        required = false,
        requires = "cert"
    )]
    pub key: PathBuf,
}

impl From<TlsFiles> for tls::Files {
    fn from(TlsFiles { cert, key }: TlsFiles) -> Self {
        Self { cert, key }
    }
}

impl Default for Serve {
    /// The settings without flags and variables, on free ports of this machine.
    fn default() -> Self {
        let free_ports = ["svc", "--addr=127.0.0.1:0", "--ops-addr=127.0.0.1:0"];
        let command = Self::augment_args(Command::new("svc"));
        let command = command.mut_args(|arg| arg.env(None::<&'static str>));
        let matches = command.get_matches_from(free_ports);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// An address, or a name with a port: its first IPv4 address, because that is what most clients of such a
/// name try, or else its first address.
///
/// # Errors
/// Description of the mistake, with a valid form.
pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(addr) = text.parse() {
        return Ok(addr);
    }
    let advice = "write HOST:PORT, such as 127.0.0.1:3000, [::1]:3000 or localhost:3000";
    let found = text.to_socket_addrs().map_err(|error| format!("{error}; {advice}"))?;
    let found: Vec<_> = found.collect();
    let addr = found.iter().find(|addr| addr.is_ipv4()).or(found.first());
    addr.copied().ok_or_else(|| format!("this name has no address; {advice}"))
}

fn parse_reason(text: &str) -> Result<Reason, String> {
    Reason::parse(text)?.ok_or_else(|| "write reasons separated by commas".to_owned())
}

fn parse_frame_ancestors(text: &str) -> Result<String, String> {
    let allowed = |c: char| c.is_ascii_graphic() && !matches!(c, ';' | ',') || c == ' ';
    if text.trim().is_empty() || !text.chars().all(allowed) {
        return Err("write sources separated by spaces, such as \"'self' https://example.org\"; \
                    * for everyone, 'none' for nobody"
            .to_owned());
    }
    Ok(text.trim().to_owned())
}
