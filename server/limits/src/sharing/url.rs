//! `--redis-url`, and what it says.

use std::{convert::Infallible, fmt, fs, io, str::FromStr, time::Duration};

use redis::{ClientTlsConfig, ConnectionInfo, IntoConnectionInfo, TlsCertificates};
use url::{Url, form_urlencoded};

use super::{PATIENCE, connection};

/// The parameters that are not Redis's own.
const PARAMETERS: &str =
    "prefix, timeout_ms, cacert, cert and key; db, user and pass after unix://";

/// A URL as the operator gave it. It may have a password, so nothing shows it.
#[derive(Clone)]
pub struct RedisUrl(String);

impl FromStr for RedisUrl {
    type Err = Infallible;

    /// Takes everything: what is wrong with it is said at the start, without showing it.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedisUrl(…)")
    }
}

/// What is wrong with a URL.
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
        "--redis-url names a database of a cluster, which has none but 0: leave it out, and use \
         prefix=NAME to tell installations apart"
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

/// Where Redis is, and how it is used.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) first: ConnectionInfo,
    /// Of a cluster: where else its nodes are asked for.
    pub(super) others: Vec<ConnectionInfo>,
    pub(super) is_cluster: bool,
    /// Files that were named.
    pub(super) certificates: Option<TlsCertificates>,
    /// What all keys begin with.
    pub(super) prefix: String,
    /// How long a request waits.
    pub(super) patience: Duration,
    /// The hosts, without secrets.
    pub(super) shown: String,
}

impl RedisUrl {
    /// Whether it says nothing, as a variable may that is set to nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What it says; reads the certificates that it names.
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
        let infos = match kind {
            "unix" => vec![socket(place, &parameters.of_redis)?],
            _ => hosts(kind, place)?,
        };
        if infos.len() > 1 && !is_cluster {
            return Err(UrlError::SeveralHosts);
        }
        if is_cluster && infos.iter().any(|info| info.redis_settings().db() != 0) {
            return Err(UrlError::ClusterDatabase);
        }
        let shown = infos.iter().map(|info| info.addr().to_string()).collect::<Vec<_>>().join(",");
        let mut infos = infos.into_iter();
        let target = Target {
            first: infos.next().ok_or(UrlError::NotAUrl)?,
            others: infos.collect(),
            is_cluster,
            certificates: parameters.certificates(secure)?,
            prefix: parameters.prefix()?,
            patience: parameters.patience()?,
            shown,
        };
        connection::check(&target).map_err(|_| UrlError::Certificates)?;
        Ok(target)
    }
}

/// `[user][:password]@host[:port],…[/database]`, as one URL for each host.
fn hosts(kind: &str, place: &str) -> Result<Vec<ConnectionInfo>, UrlError> {
    let (authority, path) = match place.split_once('/') {
        Some((authority, path)) => (authority, path),
        None => (place, ""),
    };
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (format!("{user}@"), hosts),
        None => (String::new(), authority),
    };
    let path = path.trim_end_matches('/');
    if !path.is_empty() && path.parse::<u32>().is_err() {
        return Err(UrlError::Database);
    }
    let one = |host: &str| {
        let url = Url::parse(&format!("{kind}://{user}{host}/{path}")).ok();
        url.filter(|url| url.host_str().is_some_and(|host| !host.is_empty()))
            .and_then(|url| url.into_connection_info().ok())
            .ok_or(UrlError::NotAUrl)
    };
    hosts.split(',').map(one).collect()
}

fn socket(path: &str, parameters: &[(String, String)]) -> Result<ConnectionInfo, UrlError> {
    let mut url = Url::parse(&format!("unix://{path}")).map_err(|_| UrlError::NotAUrl)?;
    if !parameters.is_empty() {
        url.query_pairs_mut().extend_pairs(parameters);
    }
    if parameters.iter().any(|(name, value)| name == "db" && value.parse::<u32>().is_err()) {
        return Err(UrlError::Database);
    }
    if url.has_host() || url.path().len() < 2 {
        return Err(UrlError::NotAUrl);
    }
    url.into_connection_info().map_err(|_| UrlError::NotAUrl)
}

#[derive(Default)]
struct Parameters {
    prefix: Option<String>,
    timeout_ms: Option<String>,
    cacert: Option<String>,
    cert: Option<String>,
    key: Option<String>,
    /// Those of sockets, which have no other place for them.
    of_redis: Vec<(String, String)>,
}

impl Parameters {
    fn parse(query: &str, of_socket: bool) -> Result<Self, UrlError> {
        let mut parameters = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let field = match &*name {
                "prefix" => &mut parameters.prefix,
                "timeout_ms" => &mut parameters.timeout_ms,
                "cacert" => &mut parameters.cacert,
                "cert" => &mut parameters.cert,
                "key" => &mut parameters.key,
                "db" | "user" | "pass" if of_socket => {
                    parameters.of_redis.push((name.into_owned(), value.into_owned()));
                    continue;
                }
                _ => return Err(UrlError::Parameter),
            };
            if field.replace(value.into_owned()).is_some() {
                return Err(UrlError::Parameter);
            }
        }
        Ok(parameters)
    }

    fn prefix(&self) -> Result<String, UrlError> {
        let prefix = self.prefix.as_deref().unwrap_or("svc");
        // No braces: by those, a cluster finds the node of a key.
        let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        if prefix.is_empty() || prefix.len() > 32 || !prefix.chars().all(is_fine) {
            return Err(UrlError::Prefix);
        }
        Ok(prefix.to_owned())
    }

    fn patience(&self) -> Result<Duration, UrlError> {
        let Some(text) = &self.timeout_ms else { return Ok(PATIENCE) };
        match text.parse() {
            Ok(millis @ 1..=10_000) => Ok(Duration::from_millis(millis)),
            _ => Err(UrlError::Timeout),
        }
    }

    fn certificates(&self, secure: bool) -> Result<Option<TlsCertificates>, UrlError> {
        let client_tls = match (&self.cert, &self.key) {
            (None, None) => None,
            (Some(cert), Some(key)) => Some(ClientTlsConfig {
                client_cert: read("cert", cert)?,
                client_key: read("key", key)?,
            }),
            _ => return Err(UrlError::HalfCertificate),
        };
        let root_cert = self.cacert.as_ref().map(|file| read("cacert", file)).transpose()?;
        match (client_tls, root_cert) {
            (None, None) => Ok(None),
            _ if !secure => Err(UrlError::NoTls),
            (client_tls, root_cert) => Ok(Some(TlsCertificates { client_tls, root_cert })),
        }
    }
}

fn read(parameter: &'static str, file: &str) -> Result<Vec<u8>, UrlError> {
    fs::read(file).map_err(|source| UrlError::File { parameter, source })
}

#[cfg(test)]
mod tests;
