use std::{
    fs,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use hickory_resolver::{
    TokioResolver,
    config::{ResolverConfig, ResolverOpts},
    net::runtime::TokioRuntimeProvider,
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
    /// When the files were last looked at and what was in them; `None`: they never are.
    read: Option<(Instant, Files)>,
}

/// The configuration's files, byte for byte.
type Files = [Option<Vec<u8>>; 2];

impl Names {
    pub(super) fn of_system() -> Self {
        let files = files();
        let resolver = read().or_else(|| build(ResolverConfig::default(), ResolverOpts::default()));
        Self(Mutex::new(Current { resolver, read: Some((Instant::now(), files)) }))
    }

    /// These and no others, for tests with a name server of their own.
    #[cfg(test)]
    pub(super) fn fixed(config: ResolverConfig, options: ResolverOpts) -> Self {
        Self(Mutex::new(Current { resolver: build(config, options), read: None }))
    }

    /// The name servers of this moment.
    pub(super) fn current(&self) -> Option<TokioResolver> {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, before)) = &mut current.read
            && at.elapsed() >= REREAD
        {
            *at = Instant::now();
            let now = files();
            if *before != now {
                *before = now;
                // What cannot be read is no reason to forget what could.
                if let Some(resolver) = read() {
                    current.resolver = Some(resolver);
                }
            }
        }
        current.resolver.clone()
    }
}

fn files() -> Files {
    CONFIGURATION.map(|path| fs::read(path).ok())
}

/// The name servers that the system names; `None`, and a line in the log, if it names none.
fn read() -> Option<TokioResolver> {
    match read_system_conf() {
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
