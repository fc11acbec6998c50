//! Parser for `--redis-url`.

use std::{collections::HashMap, convert::Infallible, fmt, fs, io, str::FromStr, time::Duration};

use redis::{ClientTlsConfig, ConnectionInfo, IntoConnectionInfo, TlsCertificates};
use url::{Url, form_urlencoded};

use super::{TIMEOUT, connection};

/// Parameters that are not Redis's own.
const PARAMETERS: &str =
    "prefix, timeout_ms, cacert, cert and key; db, user and pass after unix://";

/// URL as given by the operator. It may contain a password, so it is never shown.
#[derive(Clone)]
pub struct RedisUrl(String);

impl FromStr for RedisUrl {
    type Err = Infallible;

    /// Accepts any text: errors are reported at the start, without showing the URL.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedisUrl(…)")
    }
}

/// Error of a URL.
#[derive(Debug, thiserror::Error)]
pub enum UrlError {
    #[error(
        "--redis-url is not a URL such as redis://HOST:6379, rediss://HOST:6380 (TLS), \
         redis+cluster://HOST1:6379,HOST2:6379 or unix:///PATH; in names and passwords, write special \
         characters as in any URL, such as %40 for @ and %2F for /"
    )]
    NotAUrl,
    #[error(
        "the scheme of --redis-url is unknown: use redis, redis+cluster, with TLS rediss or \
         rediss+cluster, or unix for a socket"
    )]
    Scheme,
    #[error(
        "--redis-url names several hosts: if they are nodes of a cluster, begin it with \
         redis+cluster:// or rediss+cluster://, else name one"
    )]
    SeveralHosts,
    #[error("the database in --redis-url is not a number: write it after the host, such as /1")]
    Database,
    #[error(
        "--redis-url selects a database of a cluster, which only has database 0: leave it out, and use prefix=NAME to \
            separate installations"
    )]
    ClusterDatabase,
    #[error(
        "--redis-url has a #: parameters are written as ?name=value, and TLS is always verified"
    )]
    Fragment,
    #[error("--redis-url has a parameter that is unknown or given twice; there are {PARAMETERS}")]
    Parameter,
    #[error(
        "prefix in --redis-url is not one: use up to 32 letters, digits, hyphens, dots and underscores"
    )]
    Prefix,
    #[error("timeout_ms in --redis-url is not one: write a number of milliseconds from 1 to 10000")]
    Timeout,
    #[error("--redis-url names certificates but no TLS: use rediss or rediss+cluster")]
    NoTls,
    #[error("--redis-url names only one of cert and key: give both, or none")]
    HalfCertificate,
    #[error("the file that {parameter} in --redis-url names cannot be read: {source}")]
    File { parameter: &'static str, source: io::Error },
    #[error("the certificates or the key that --redis-url names are not valid PEM")]
    Certificates,
}

/// Address of Redis and settings for its use.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The server, or the seed nodes of a cluster.
    pub(super) nodes: Vec<ConnectionInfo>,
    pub(super) is_cluster: bool,
    /// Contents of the certificate files.
    pub(super) certificates: Option<TlsCertificates>,
    /// Prefix of all keys.
    pub(super) prefix: String,
    /// Maximum wait of a request for Redis.
    pub(super) timeout: Duration,
    /// Hosts without secrets, for logs.
    pub(super) shown: String,
}

impl RedisUrl {
    /// Whether the URL is empty, as an environment variable may be.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Parses the URL and reads the certificates that it names.
    pub(super) fn target(&self) -> Result<Target, UrlError> {
        let (scheme, rest) = self.0.split_once("://").ok_or(UrlError::NotAUrl)?;
        let (kind, is_cluster) = match scheme.split_once('+') {
            Some((kind, "cluster")) => (kind, true),
            _ => (scheme, false),
        };
        let secure = match kind {
            "redis" | "valkey" => false,
            "rediss" | "valkeys" => true,
            "unix" if !is_cluster => false,
            _ => return Err(UrlError::Scheme),
        };
        if rest.contains('#') {
            return Err(UrlError::Fragment);
        }
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parameters = Parameters::parse(query, kind == "unix")?;
        let nodes = match kind {
            "unix" => vec![socket(rest, &parameters)?],
            _ => hosts(kind, place)?,
        };
        if nodes.len() > 1 && !is_cluster {
            return Err(UrlError::SeveralHosts);
        }
        if is_cluster && nodes.iter().any(|node| node.redis_settings().db() != 0) {
            return Err(UrlError::ClusterDatabase);
        }
        let shown: Vec<String> = nodes.iter().map(|node| node.addr().to_string()).collect();
        let target = Target {
            nodes,
            is_cluster,
            certificates: parameters.certificates(secure)?,
            prefix: parameters.prefix()?,
            timeout: parameters.timeout()?,
            shown: shown.join(","),
        };
        connection::check(&target).map_err(|_| UrlError::Certificates)?;
        Ok(target)
    }
}

/// Parses `[user][:password]@host[:port],…[/database]` into one URL per host.
fn hosts(kind: &str, place: &str) -> Result<Vec<ConnectionInfo>, UrlError> {
    let (authority, path) = place.split_once('/').unwrap_or((place, ""));
    // Includes the @.
    let (user, hosts) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let path = path.trim_end_matches('/');
    check_database(Some(path).filter(|path| !path.is_empty()))?;
    let one = |host: &str| {
        let url = Url::parse(&format!("{kind}://{user}{host}/{path}")).ok();
        url.filter(|url| url.host_str().is_some_and(|host| !host.is_empty()))
            .and_then(|url| url.into_connection_info().ok())
            .ok_or(UrlError::NotAUrl)
    };
    hosts.split(',').map(one).collect()
}

fn socket(path_and_query: &str, parameters: &Parameters) -> Result<ConnectionInfo, UrlError> {
    check_database(parameters.get("db"))?;
    let url = Url::parse(&format!("unix://{path_and_query}")).map_err(|_| UrlError::NotAUrl)?;
    if url.has_host() || url.path().len() < 2 {
        return Err(UrlError::NotAUrl);
    }
    url.into_connection_info().map_err(|_| UrlError::NotAUrl)
}

fn check_database(number: Option<&str>) -> Result<(), UrlError> {
    let is_number = number.is_none_or(|number| number.parse::<u32>().is_ok());
    is_number.then_some(()).ok_or(UrlError::Database)
}

struct Parameters(HashMap<String, String>);

impl Parameters {
    fn parse(query: &str, of_socket: bool) -> Result<Self, UrlError> {
        let mut parameters = HashMap::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
            let is_known = match &*name {
                "prefix" | "timeout_ms" | "cacert" | "cert" | "key" => true,
                // Other URLs have another place for these.
                "db" | "user" | "pass" => of_socket,
                _ => false,
            };
            if !is_known || parameters.insert(name, value).is_some() {
                return Err(UrlError::Parameter);
            }
        }
        Ok(Self(parameters))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn prefix(&self) -> Result<String, UrlError> {
        let prefix = self.get("prefix").unwrap_or("svc");
        // No braces: a cluster hashes the part of a key in braces to find its node.
        let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        if prefix.is_empty() || prefix.len() > 32 || !prefix.chars().all(is_fine) {
            return Err(UrlError::Prefix);
        }
        Ok(prefix.to_owned())
    }

    fn timeout(&self) -> Result<Duration, UrlError> {
        match self.get("timeout_ms").map(str::parse) {
            None => Ok(TIMEOUT),
            Some(Ok(millis @ 1..=10_000)) => Ok(Duration::from_millis(millis)),
            Some(_) => Err(UrlError::Timeout),
        }
    }

    fn certificates(&self, secure: bool) -> Result<Option<TlsCertificates>, UrlError> {
        if self.get("cert").is_some() != self.get("key").is_some() {
            return Err(UrlError::HalfCertificate);
        }
        let root_cert = self.read("cacert")?;
        let client_tls = self
            .read("cert")?
            .zip(self.read("key")?)
            .map(|(client_cert, client_key)| ClientTlsConfig { client_cert, client_key });
        if client_tls.is_none() && root_cert.is_none() {
            return Ok(None);
        }
        if !secure {
            return Err(UrlError::NoTls);
        }
        Ok(Some(TlsCertificates { client_tls, root_cert }))
    }

    /// Contents of the file that a parameter names.
    fn read(&self, parameter: &'static str) -> Result<Option<Vec<u8>>, UrlError> {
        let contents = self.get(parameter).map(fs::read).transpose();
        contents.map_err(|source| UrlError::File { parameter, source })
    }
}

#[cfg(test)]
mod tests;
