use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use base::cache::{Cache, Limits};
use hickory_resolver::{
    TokioResolver,
    lookup::Lookup,
    net::{DnsError, NetError},
    proto::rr::Name,
};
use tokio::{sync::Semaphore, time::timeout};

use super::{LookupError, NO_ADDRESSES, names::Names};

/// How many names are looked up at the same time.
pub(super) const SLOTS: usize = 64;

/// How many names' addresses are remembered.
pub(super) const CACHED: u64 = 4_096;

/// How long addresses are remembered at most, however long their owner allows: a receiver that moves
/// is found again soon.
pub(super) const MAX_AGE: Duration = Duration::from_secs(60);

/// How long a lookup may take, the wait for a slot included: less than the client's patience for a
/// connection, so that it is known what took so long.
pub(super) const PATIENCE: Duration = Duration::from_secs(4);

/// Looks names up. What is remembered needs no slot, so that names whose servers hang do not hold
/// up those that are known.
#[derive(Debug)]
pub(super) struct System {
    names: Names,
    slots: Semaphore,
    patience: Duration,
    known: Cache<String, Found>,
}

#[derive(Debug)]
struct Found {
    addresses: Vec<IpAddr>,
    valid_until: Instant,
}

impl System {
    pub(super) fn new(names: Names) -> Self {
        Self::with(names, SLOTS, PATIENCE)
    }

    pub(super) fn with(names: Names, slots: usize, patience: Duration) -> Self {
        let limits = Limits { weight: CACHED, idle: None, age: Some(MAX_AGE) };
        let known = Cache::new(limits, |_, _| 1);
        Self { names, slots: Semaphore::new(slots), patience, known }
    }

    pub(super) async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, LookupError> {
        if let Ok(address) = host.parse() {
            return Ok(vec![address]);
        }
        let known = self.known.get(&host.to_owned()).await;
        if let Some(found) = known.filter(|found| found.valid_until > Instant::now()) {
            return Ok(found.addresses.clone());
        }
        let Ok(found) = timeout(self.patience, self.look_up(host)).await else {
            return Err(LookupError::Unanswered(format!("no answer within {:?}", self.patience)));
        };
        let found = Arc::new(found?);
        self.known.insert(host.to_owned(), found.clone()).await;
        Ok(found.addresses.clone())
    }

    /// Whether the name servers have an answer for a name, be it that there is none. Nothing is remembered of it.
    pub(super) async fn has_answer(&self, name: &str) -> bool {
        let (Ok(mut name), Some(resolver)) = (Name::from_utf8(name), self.names.current()) else {
            return false;
        };
        name.set_fqdn(true);
        match timeout(self.patience / 2, resolver.ipv4_lookup(name)).await {
            Ok(found) => failure(found).is_none_or(|error| !error.is_ours()),
            Err(_) => false,
        }
    }

    async fn look_up(&self, host: &str) -> Result<Found, LookupError> {
        let mut name = Name::from_utf8(host)
            .map_err(|error| LookupError::NotFound(format!("it is not a name in DNS: {error}")))?;
        // Never below this machine's search domains: for everybody else it is a full name, and names that only they
        // complete are of the operator's network.
        name.set_fqdn(true);
        // The semaphore is never closed.
        let _slot = self.slots.acquire().await.ok();
        let Some(resolver) = self.names.current() else {
            return Err(unanswered(&NetError::NoConnections));
        };
        match resolver.lookup_ip(name.clone()).await {
            Ok(found) if found.iter().next().is_some() => {
                Ok(Found { addresses: found.iter().collect(), valid_until: found.valid_until() })
            }
            Ok(_) => Err(confirm_absence(&resolver, name).await),
            Err(error) if error.is_no_records_found() => {
                Err(confirm_absence(&resolver, name).await)
            }
            Err(error) => Err(unanswered(&error)),
        }
    }
}

/// Why a full name has no addresses. That the lookup of one kind of them found nothing is no proof while that of the other
/// got no answer.
async fn confirm_absence(resolver: &TokioResolver, name: Name) -> LookupError {
    for found in [resolver.ipv4_lookup(name.clone()).await, resolver.ipv6_lookup(name).await] {
        if let Some(error) = failure(found) {
            return error;
        }
    }
    LookupError::NotFound(NO_ADDRESSES.to_owned())
}

fn failure(found: Result<Lookup, NetError>) -> Option<LookupError> {
    match found {
        Ok(_) => None,
        Err(error) if error.is_nx_domain() => {
            Some(LookupError::NotFound("there is no such name".to_owned()))
        }
        Err(error) if error.is_no_records_found() => None,
        Err(error) => Some(unanswered(&error)),
    }
}

fn unanswered(error: &NetError) -> LookupError {
    LookupError::Unanswered(match error {
        NetError::Timeout => "the name servers do not answer".to_owned(),
        NetError::NoConnections => "there is no name server".to_owned(),
        // The kind: without the number that the system has for it.
        NetError::Io(error) => format!("no name server can be reached: {}", error.kind()),
        NetError::Dns(DnsError::ResponseCode(code)) => format!("the name server says: {code}"),
        error => error.to_string(),
    })
}

#[cfg(test)]
mod tests;
