use std::{
    array, fs,
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use hickory_resolver::{
    TokioResolver,
    config::{ResolverConfig, ResolverOpts},
    net::{NetError, runtime::TokioRuntimeProvider},
    system_conf::read_system_conf,
};

use super::system::{CACHED, MAX_AGE, SLOTS};

/// How often the system's configuration is looked at again.
const REREAD: Duration = Duration::from_secs(30);

/// How long one question to a name server may take, so that there is time for a second.
const MAX_QUESTION: Duration = Duration::from_millis(1_500);

/// How long it is believed that there is no such name: its owner may just be making it.
const MAX_NEGATIVE_AGE: Duration = Duration::from_secs(5);

const CONFIGURATION: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];

/// Who knows the addresses of names: the system's hosts file and name servers. What they are is read
/// again when it changes, as it does on a machine that starts before its network.
#[derive(Debug)]
pub(super) struct Names(Mutex<Current>);

#[derive(Debug)]
struct Current {
    resolver: Option<TokioResolver>,
    /// `None`: what they are never changes.
    configuration: Option<Configuration>,
}

/// The system's list of name servers.
type Servers = Result<(ResolverConfig, ResolverOpts), NetError>;

/// The files that say what they are: that of the name servers, and the hosts file.
#[derive(Debug)]
struct Configuration {
    /// Reads the name servers. Some systems have them in other places as well.
    servers: fn(&[PathBuf; 2]) -> Servers,
    paths: [PathBuf; 2],
    /// What was in them, byte for byte, and when they were last looked at.
    contents: [Option<Vec<u8>>; 2],
    read_at: Instant,
    every: Duration,
}

impl Configuration {
    fn read(paths: [PathBuf; 2], servers: fn(&[PathBuf; 2]) -> Servers, every: Duration) -> Self {
        let contents = contents(&paths);
        Self { servers, paths, contents, read_at: Instant::now(), every }
    }

    /// Looks at the files again if it is time; returns whether they have changed.
    fn reread(&mut self) -> bool {
        if self.read_at.elapsed() < self.every {
            return false;
        }
        self.read_at = Instant::now();
        let contents = contents(&self.paths);
        let has_changed = contents != self.contents;
        self.contents = contents;
        has_changed
    }

    /// The name servers that it names; `None`, and a line in the log, if it names none.
    fn resolver(&self) -> Option<TokioResolver> {
        match (self.servers)(&self.paths) {
            Ok((config, options)) => build(config, options),
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
}

fn contents(paths: &[PathBuf; 2]) -> [Option<Vec<u8>>; 2] {
    array::from_fn(|index| fs::read(&paths[index]).ok())
}

impl Names {
    pub(super) fn of_system() -> Self {
        let paths = CONFIGURATION.map(PathBuf::from);
        Self::of(Configuration::read(paths, |_| read_system_conf(), REREAD))
    }

    fn of(configuration: Configuration) -> Self {
        let resolver = configuration
            .resolver()
            .or_else(|| build(ResolverConfig::default(), ResolverOpts::default()));
        Self(Mutex::new(Current { resolver, configuration: Some(configuration) }))
    }

    /// These and no others, for tests with a name server of their own.
    #[cfg(test)]
    pub(super) fn fixed(config: ResolverConfig, options: ResolverOpts) -> Self {
        Self(Mutex::new(Current { resolver: build(config, options), configuration: None }))
    }

    /// The name servers of this moment.
    pub(super) fn current(&self) -> Option<TokioResolver> {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Current { resolver, configuration } = &mut *current;
        // What cannot be read is no reason to forget what could.
        if let Some(configuration) = configuration
            && configuration.reread()
            && let Some(changed) = configuration.resolver()
        {
            *resolver = Some(changed);
        }
        resolver.clone()
    }
}

/// Without name servers, it knows `localhost` and the hosts file. `None` never happens: only TLS,
/// which is not used here, could be set up wrongly.
fn build(config: ResolverConfig, mut options: ResolverOpts) -> Option<TokioResolver> {
    options.timeout = options.timeout.min(MAX_QUESTION);
    options.positive_max_ttl = Some(MAX_AGE);
    options.negative_max_ttl = Some(MAX_NEGATIVE_AGE);
    options.cache_size = CACHED;
    // More than are ever asked at the same time: what waits, waits for a slot, and not here.
    options.max_active_requests = 4 * SLOTS;
    let provider = TokioRuntimeProvider::default();
    TokioResolver::builder_with_config(config, provider).with_options(options).build().ok()
}

#[cfg(test)]
mod tests {
    use hickory_resolver::system_conf::parse_resolv_conf;
    use tempfile::TempDir;

    use super::*;

    /// Files in a folder of their own.
    fn files() -> (TempDir, [PathBuf; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["resolv.conf", "hosts"].map(|name| folder.path().join(name));
        (folder, paths)
    }

    fn configuration(paths: &[PathBuf; 2], every: Duration) -> Configuration {
        Configuration::read(paths.clone(), |paths| parse_resolv_conf(fs::read(&paths[0])?), every)
    }

    /// Names a server, and how many dots a name has: the resolver tells only of the latter.
    fn write_server(paths: &[PathBuf; 2], dots: usize) {
        fs::write(&paths[0], format!("nameserver 192.0.2.1\noptions ndots:{dots}\n")).unwrap();
    }

    fn dots(names: &Names) -> usize {
        names.current().unwrap().options().ndots
    }

    #[test]
    fn name_servers_change_with_their_file_and_are_not_forgotten_while_it_names_none() {
        let (_folder, paths) = files();
        // A machine whose network is not there yet.
        let names = Names::of(configuration(&paths, Duration::ZERO));
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
        let names = Names::of(configuration(&paths, Duration::from_secs(3_600)));
        write_server(&paths, 3);
        assert_eq!(dots(&names), 2);
    }

    #[test]
    fn a_change_of_the_hosts_file_is_noticed_once() {
        let (_folder, paths) = files();
        write_server(&paths, 2);
        let mut configuration = configuration(&paths, Duration::ZERO);
        assert!(!configuration.reread());
        fs::write(&paths[1], "192.0.2.9 known.example\n").unwrap();
        assert!(configuration.reread());
        assert!(!configuration.reread());
    }
}
