//! PostgreSQL URLs. Several servers in one URL are parsed like libpq does:
//! <https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS>. sqlx parses the rest, once for
//! each server.

use sqlx::postgres::PgConnectOptions;
use url::form_urlencoded::{self, Serializer};

/// Servers of one database, some of which may be replicas.
#[derive(Debug)]
pub(in crate::engine) struct ServersUrl {
    /// In the order of the URL; never empty.
    pub servers: Vec<PgConnectOptions>,
    pub wanted: TargetSessionAttrs,
    /// Whether there is a pooler, which may give each transaction another connection to the server.
    pub is_pooled: bool,
}

/// Wanted kind of server: `target_session_attrs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum TargetSessionAttrs {
    Any,
    ReadWrite,
    ReadOnly,
    Primary,
    Standby,
    PreferStandby,
}

impl TargetSessionAttrs {
    fn parse(name: &str) -> Result<Self, String> {
        Ok(match name {
            "any" => Self::Any,
            "read-write" => Self::ReadWrite,
            "read-only" => Self::ReadOnly,
            "primary" => Self::Primary,
            "standby" => Self::Standby,
            "prefer-standby" => Self::PreferStandby,
            _ => {
                return Err(format!(
                    "target_session_attrs is {name:?}, but can only be any, read-write, read-only, primary, \
                     standby or prefer-standby"
                ));
            }
        })
    }
}

/// Parameters that sqlx supports. It ignores all others, so a typo in `sslmode` would turn TLS off. The last one is the
/// prefix of parameters such as `options[search_path]`.
const OF_SQLX: [&str; 16] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "options[",
];
/// Parameters that are parsed here.
const READ_HERE: [&str; 5] = ["host", "hostaddr", "port", "target_session_attrs", "pgbouncer"];

/// Parameters in the query part of the URL.
#[derive(Default)]
struct Parameters {
    hosts: Option<String>,
    ports: Option<String>,
    wanted: Option<TargetSessionAttrs>,
    is_pooled: bool,
    others: Vec<(String, String)>,
}

impl Parameters {
    fn parse(query: &str) -> Result<Self, String> {
        let mut parameters = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
            match name.as_str() {
                "host" | "hostaddr" => parameters.hosts = Some(value),
                "port" => parameters.ports = Some(value),
                "target_session_attrs" => {
                    parameters.wanted = Some(TargetSessionAttrs::parse(&value)?)
                }
                "pgbouncer" => parameters.is_pooled = value == "true",
                _ if !is_known(&name) => return Err(unknown(&name)),
                _ => {
                    parameters.is_pooled |= name == "statement-cache-capacity" && value == "0";
                    parameters.others.push((name, value));
                }
            }
        }
        Ok(parameters)
    }
}

fn is_known(name: &str) -> bool {
    OF_SQLX.contains(&name) || name.starts_with("options[") && name.ends_with(']')
}

/// Message about an unknown parameter, with the most similar known one.
fn unknown(name: &str) -> String {
    let known = READ_HERE.into_iter().chain(OF_SQLX);
    let nearest = known
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .max_by(|(one, _), (other, _)| one.total_cmp(other));
    let hint = nearest.map_or_else(String::new, |(_, known)| format!("; the nearest is {known}"));
    format!("there is no parameter {name:?}{hint}")
}

impl ServersUrl {
    /// # Errors
    /// Reason why this is not a database URL.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        let (scheme, rest) = url.split_once("://").ok_or("it has no scheme")?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (format!("{user}@"), hosts),
            None => (String::new(), authority),
        };
        let parameters = Parameters::parse(query)?;
        let addresses = addresses(hosts, &parameters)?;
        let named = !hosts.is_empty() || addresses.iter().any(|(host, _)| host.is_some());
        // The query takes precedence. If there is no host at all, sqlx chooses one.
        let host = if named { "localhost" } else { "" };
        let servers = addresses.iter().map(|(host_there, port)| {
            let mut query = Serializer::new(String::new());
            query.extend_pairs(&parameters.others);
            query.extend_pairs(host_there.as_ref().map(|host| ("host", host)));
            query.extend_pairs(port.as_ref().map(|port| ("port", port)));
            let url = format!("{scheme}://{user}{host}/{database}?{}", query.finish());
            url.parse().map_err(|error: sqlx::Error| match error {
                sqlx::Error::Configuration(reason) => reason.to_string(),
                other => other.to_string(),
            })
        });
        let servers: Vec<PgConnectOptions> = servers.collect::<Result<_, String>>()?;
        let otherwise =
            if servers.len() > 1 { TargetSessionAttrs::ReadWrite } else { TargetSessionAttrs::Any };
        let wanted = parameters.wanted.unwrap_or(otherwise);
        Ok(Self { servers, wanted, is_pooled: parameters.is_pooled })
    }

    /// Name of the database in messages: its URL without user, password and settings.
    pub(in crate::engine) fn name(&self) -> String {
        let database = self
            .servers
            .first()
            .map_or("", |server| server.get_database().unwrap_or_else(|| server.get_username()));
        let sockets = self.servers.iter().any(|server| server.get_socket().is_some());
        let hosts: Vec<String> =
            self.servers.iter().map(|server| address(server, sockets)).collect();
        let hosts = hosts.join(",");
        match sockets {
            true => format!("postgres:///{database}?host={hosts}"),
            false => format!("postgres://{hosts}/{database}"),
        }
    }
}

/// Name of a server in messages. If any server is reached by a socket, ports are omitted.
pub(in crate::engine) fn address(server: &PgConnectOptions, sockets: bool) -> String {
    match server.get_socket() {
        Some(socket) => socket.display().to_string(),
        None if sockets => server.get_host().to_owned(),
        None => format!("{}:{}", server.get_host(), server.get_port()),
    }
}

/// Host and port, if given.
type Address = (Option<String>, Option<String>);

/// Addresses of each server.
fn addresses(hosts: &str, parameters: &Parameters) -> Result<Vec<Address>, String> {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut addresses: Vec<Address> = hosts
        .split(',')
        .map(|host| {
            let (host, port) = match host.rsplit_once(':') {
                // The colons of an IPv6 address are in brackets.
                Some((host, port)) if !port.contains(']') => (host, port),
                _ => (host, ""),
            };
            let host =
                host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
            (given(&decoded(host)), given(port))
        })
        .collect();
    if let Some(hosts) = &parameters.hosts {
        let ports: Vec<Option<String>> = addresses.into_iter().map(|(_, port)| port).collect();
        let port_of = |index: usize| ports.get(index).or(ports.first()).cloned().flatten();
        let hosts = hosts.split(',').enumerate();
        addresses = hosts.map(|(index, host)| (given(host), port_of(index))).collect();
    }
    if let Some(ports) = &parameters.ports {
        let ports: Vec<&str> = ports.split(',').collect();
        if ports.len() != 1 && ports.len() != addresses.len() {
            return Err(format!("it has {} hosts, but {} ports", addresses.len(), ports.len()));
        }
        for (index, address) in addresses.iter_mut().enumerate() {
            address.1 = ports.get(index).or(ports.first()).and_then(|port| given(port));
        }
    }
    Ok(addresses)
}

fn decoded(host: &str) -> String {
    // The parser decodes plus signs as spaces, but no host name contains one.
    let pairs = form_urlencoded::parse(host.as_bytes());
    pairs.map(|(host, _)| host.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses, user and database of the first server, and wanted kind of server.
    fn read(url: &str) -> Result<(Vec<String>, String, TargetSessionAttrs), String> {
        let url = ServersUrl::parse(url)?;
        let addresses = url.servers.iter().map(|server| match server.get_socket() {
            Some(socket) => format!("{}:{}", socket.display(), server.get_port()),
            None => format!("{}:{}", server.get_host(), server.get_port()),
        });
        let first = &url.servers[0];
        let whom = format!("{} {}", first.get_username(), first.get_database().unwrap_or_default());
        Ok((addresses.collect(), whom, url.wanted))
    }

    #[test]
    fn urls_name_servers_as_libpq_reads_them() {
        for (url, addresses, wanted) in [
            ("postgres://u:p@h/d", &["h:5432"][..], TargetSessionAttrs::Any),
            ("postgres://u:p@h:7,i/d", &["h:7", "i:5432"], TargetSessionAttrs::ReadWrite),
            (
                "postgresql://u@h,i:9/d?target_session_attrs=any",
                &["h:5432", "i:9"],
                TargetSessionAttrs::Any,
            ),
            (
                "postgres://u@h/d?target_session_attrs=standby",
                &["h:5432"],
                TargetSessionAttrs::Standby,
            ),
            ("postgres://u@[::1]:7,[::2]/d", &["::1:7", "::2:5432"], TargetSessionAttrs::ReadWrite),
            (
                "postgres://u@%2Frun%2Fpg:7,i/d",
                &["/run/pg:7", "i:5432"],
                TargetSessionAttrs::ReadWrite,
            ),
            ("postgres:///d?user=u&host=/run/pg", &["/run/pg:5432"], TargetSessionAttrs::Any),
            (
                "postgres:///d?user=u&host=a,b&port=1,2",
                &["a:1", "b:2"],
                TargetSessionAttrs::ReadWrite,
            ),
            (
                "postgres:///d?user=u&host=%2Fa%2Cb&port=7",
                &["/a:7", "b:7"],
                TargetSessionAttrs::ReadWrite,
            ),
            (
                "postgres://u:a%40b%2Fc@h,i/d?sslmode=require&target_session_attrs=prefer-standby\
                 &application_name=x&options[search_path]=y",
                &["h:5432", "i:5432"],
                TargetSessionAttrs::PreferStandby,
            ),
        ] {
            let addresses = addresses.iter().map(|&address| address.to_owned()).collect();
            assert_eq!(read(url), Ok((addresses, "u d".to_owned(), wanted)), "{url}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_url_is_said() {
        for (url, reason) in [
            ("postgres://u@a,b/d?port=1,2,3", "it has 2 hosts, but 3 ports"),
            ("postgres://u@a:b/d", "invalid digit found in string"),
            (
                "postgres://u@h/d?sslmod=verify-full",
                "there is no parameter \"sslmod\"; the nearest is sslmode",
            ),
            (
                "postgres://u@h/d?pgBouncer=true",
                "there is no parameter \"pgBouncer\"; the nearest is pgbouncer",
            ),
            (
                "postgres://u@h/d?options[x=1",
                "there is no parameter \"options[x\"; the nearest is options[",
            ),
            (
                "postgres://u@h/d?target_session_attrs=master",
                "target_session_attrs is \"master\", but can only be any, read-write, read-only, primary, \
                 standby or prefer-standby",
            ),
        ] {
            assert_eq!(read(url).unwrap_err(), reason, "{url}");
        }
    }

    #[test]
    fn names_in_messages_have_all_servers_and_no_secrets() {
        for (url, name) in [
            ("postgres://u:p@h:7,i/d?sslmode=require", "postgres://h:7,i:5432/d"),
            ("postgres://u:p@%2Fa,%2Fb/d", "postgres:///d?host=/a,/b"),
        ] {
            assert_eq!(ServersUrl::parse(url).unwrap().name(), name);
        }
    }

    #[test]
    fn a_pooler_is_announced_by_either_parameter() {
        let is_pooled =
            |query: &str| ServersUrl::parse(&format!("postgres://u@h/d{query}")).unwrap().is_pooled;
        assert!(is_pooled("?pgbouncer=true") && is_pooled("?statement-cache-capacity=0"));
        assert!(!is_pooled("") && !is_pooled("?statement-cache-capacity=50"));
    }
}
