use std::{
    array, fs,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use hickory_resolver::{
    Hosts, TokioResolver,
    config::{ResolverConfig, ResolverOpts},
    net::runtime::TokioRuntimeProvider,
    system_conf::parse_resolv_conf,
};

use super::system::SLOTS;

/// Interval at which the system's configuration is read again.
const REREAD: Duration = Duration::from_secs(30);

/// Timeout of one query to a name server. Short enough for a second query.
const QUESTION_TIMEOUT: Duration = Duration::from_millis(1_500);

const CONFIGURATION: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];

/// The system's name servers and hosts file. They are read repeatedly, because a machine may start before its
/// network.
#[derive(Debug)]
pub(super) struct Names {
    /// Paths of the files in [`CONFIGURATION`].
    paths: [PathBuf; 2],
    reread: Duration,
    current: Mutex<Current>,
}

#[derive(Debug)]
struct Current {
    resolver: Option<TokioResolver>,
    /// Contents of the files.
    contents: [Option<Vec<u8>>; 2],
    read_at: Instant,
}

impl Names {
    pub(super) fn of_system() -> Self {
        Self::of(CONFIGURATION.map(PathBuf::from), REREAD)
    }

    fn of(paths: [PathBuf; 2], reread: Duration) -> Self {
        let contents = contents(&paths);
        // Without name servers, the resolver has `localhost` and the hosts file.
        let resolver = configured(&contents)
            .or_else(|| build(ResolverConfig::default(), ResolverOpts::default(), &contents[1]));
        let current = Current { resolver, contents, read_at: Instant::now() };
        Self { paths, reread, current: Mutex::new(current) }
    }

    /// Fixed name servers, for tests with their own name server.
    #[cfg(test)]
    pub(super) fn fixed(config: ResolverConfig, options: ResolverOpts) -> Self {
        let names = Self::of(Default::default(), Duration::MAX);
        names.lock().resolver = build(config, options, &None);
        names
    }

    /// Current name servers.
    pub(super) fn current(&self) -> Option<TokioResolver> {
        let mut current = self.lock();
        if current.read_at.elapsed() >= self.reread {
            current.read_at = Instant::now();
            let contents = contents(&self.paths);
            if contents != current.contents {
                // If the files name no server, the previous resolver stays in use.
                current.resolver = configured(&contents).or(current.resolver.take());
                current.contents = contents;
            }
        }
        current.resolver.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn contents(paths: &[PathBuf; 2]) -> [Option<Vec<u8>>; 2] {
    array::from_fn(|index| fs::read(&paths[index]).ok())
}

/// Resolver with the name servers in the files; `None`, and a log line, if there are none.
fn configured([servers, hosts]: &[Option<Vec<u8>>; 2]) -> Option<TokioResolver> {
    match parse_resolv_conf(servers.as_deref().unwrap_or_default()) {
        Ok((config, options)) => build(config, options, hosts),
        Err(error) => {
            tracing::warn!(
                %error,
                "the system names no name server: until it does, webhooks reach only addresses, \
                 localhost and what the hosts file names"
            );
            None
        }
    }
}

/// Builds a resolver. Never `None`: only TLS, which is not used here, could be misconfigured.
fn build(
    config: ResolverConfig,
    mut options: ResolverOpts,
    hosts_file: &Option<Vec<u8>>,
) -> Option<TokioResolver> {
    options.timeout = options.timeout.min(QUESTION_TIMEOUT);
    // No cache here: there is one in front of the slots.
    options.cache_size = 0;
    // More than the maximum number of concurrent queries: lookups wait for a slot, not here.
    options.max_active_requests = 4 * SLOTS;
    let provider = TokioRuntimeProvider::default();
    let builder = TokioResolver::builder_with_config(config, provider).with_options(options);
    let mut resolver = builder.build().ok()?;
    let mut hosts = Hosts::default();
    // Malformed lines are skipped.
    let _ = hosts.read_hosts_conf(hosts_file.as_deref().unwrap_or_default());
    resolver.set_hosts(Arc::new(hosts));
    Some(resolver)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// Paths of files in a temporary folder.
    fn files() -> (TempDir, [PathBuf; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["resolv.conf", "hosts"].map(|name| folder.path().join(name));
        (folder, paths)
    }

    /// Writes a server and a number of dots (`ndots`) to the file. The resolver exposes only the latter.
    fn write_server(paths: &[PathBuf; 2], dots: usize) {
        fs::write(&paths[0], format!("nameserver 192.0.2.1\noptions ndots:{dots}\n")).unwrap();
    }

    fn dots(names: &Names) -> usize {
        names.current().unwrap().options().ndots
    }

    #[test]
    fn name_servers_change_with_their_file_and_are_not_forgotten_while_it_names_none() {
        let (_folder, paths) = files();
        // A machine whose network is not up yet.
        let names = Names::of(paths.clone(), Duration::ZERO);
        assert_eq!(dots(&names), 1);
        write_server(&paths, 2);
        assert_eq!(dots(&names), 2);
        write_server(&paths, 3);
        assert_eq!(dots(&names), 3);
        fs::write(&paths[0], "# being written\n").unwrap();
        assert_eq!(dots(&names), 3);
        fs::remove_file(&paths[0]).unwrap();
        assert_eq!(dots(&names), 3);
        write_server(&paths, 4);
        assert_eq!(dots(&names), 4);
    }

    #[test]
    fn the_file_is_not_read_for_each_name() {
        let (_folder, paths) = files();
        write_server(&paths, 2);
        let names = Names::of(paths.clone(), Duration::from_secs(3_600));
        write_server(&paths, 3);
        assert_eq!(dots(&names), 2);
    }

    #[tokio::test]
    async fn the_hosts_file_changes_too() {
        let (_folder, paths) = files();
        write_server(&paths, 2);
        let names = Names::of(paths.clone(), Duration::ZERO);
        for address in ["192.0.2.9", "192.0.2.8"] {
            fs::write(&paths[1], format!("{address} known.example\n")).unwrap();
            let found = names.current().unwrap().ipv4_lookup("known.example.").await.unwrap();
            let found: Vec<_> =
                found.answers().iter().map(|record| record.data.ip_addr()).collect();
            assert_eq!(found, [address.parse().ok()]);
        }
    }
}
