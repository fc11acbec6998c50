use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use base::cache::{Cache, Limits};
use hickory_resolver::{
    lookup::Lookup,
    net::{DnsError, NetError},
    proto::rr::Name,
};
use tokio::{sync::Semaphore, time::timeout};

use super::{LookupError, NO_ADDRESSES, names::Names};

/// Maximum number of concurrent name lookups. Each takes two sockets.
pub(super) const SLOTS: usize = 64;

/// Maximum number of cached addresses.
const MAX_ADDRESSES: u64 = 65_536;

/// Maximum time for which addresses are cached, even with a longer TTL, so that a receiver that moves is found soon.
const MAX_AGE: Duration = Duration::from_secs(60);

/// Maximum time of a lookup, including the wait for a slot. Less than the client's timeout for a connection, so that
/// the error is about the lookup.
const TIMEOUT: Duration = Duration::from_secs(4);

/// Looks up names. Cached names need no slot, so names whose servers hang do not delay them. Concurrent lookups of
/// one name share a slot.
#[derive(Debug)]
pub(super) struct System {
    names: Names,
    slots: Semaphore,
    timeout: Duration,
    known: Cache<String, Found>,
}

#[derive(Debug)]
struct Found {
    addresses: Vec<IpAddr>,
    valid_until: Instant,
}

impl System {
    pub(super) fn new(names: Names) -> Self {
        Self::with(names, SLOTS, TIMEOUT)
    }

    fn with(names: Names, slots: usize, timeout: Duration) -> Self {
        let limits = Limits { weight: MAX_ADDRESSES, idle: None, age: None };
        let known = Cache::new(limits, |_, found: &Found| {
            u32::try_from(found.addresses.len()).unwrap_or(u32::MAX)
        });
        Self { names, slots: Semaphore::new(slots), timeout, known }
    }

    pub(super) async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, LookupError> {
        if let Ok(address) = host.parse() {
            return Ok(vec![address]);
        }
        let host = host.to_owned();
        if let Some(found) = self.known.get(&host).await {
            if found.valid_until > Instant::now() {
                return Ok(found.addresses.clone());
            }
            self.known.remove(&host).await;
        }
        let found = self.known.get_or_try(host.clone(), async {
            match timeout(self.timeout, self.look_up(&host)).await {
                Ok(found) => found.map(Arc::new),
                Err(_) => {
                    Err(LookupError::Unanswered(format!("no response within {:?}", self.timeout)))
                }
            }
        });
        Ok(found.await?.addresses.clone())
    }

    /// Whether the name servers have an answer for a name, even that it does not exist. The result is not cached.
    pub(super) async fn has_answer(&self, name: &str) -> bool {
        let (Ok(mut name), Some(resolver)) = (Name::from_utf8(name), self.names.current()) else {
            return false;
        };
        name.set_fqdn(true);
        match timeout(self.timeout / 2, resolver.ipv4_lookup(name)).await {
            Ok(found) => failure(found).is_none_or(|error| !error.is_ours()),
            Err(_) => false,
        }
    }

    async fn look_up(&self, host: &str) -> Result<Found, LookupError> {
        let mut name = Name::from_utf8(host)
            .map_err(|error| LookupError::NotFound(format!("it is not a name in DNS: {error}")))?;
        // Without this machine's search domains: for all other machines, the host is a full name, and names that need
        // a search domain belong to the operator's network.
        name.set_fqdn(true);
        // The semaphore is never closed.
        let _slot = self.slots.acquire().await.ok();
        let Some(resolver) = self.names.current() else {
            return Err(unanswered(&NetError::NoConnections));
        };
        let (ipv4, ipv6) =
            tokio::join!(resolver.ipv4_lookup(name.clone()), resolver.ipv6_lookup(name));
        let found: Vec<&Lookup> = [&ipv4, &ipv6].into_iter().flatten().collect();
        let records = found.iter().flat_map(|lookup| lookup.answers());
        let addresses: Vec<IpAddr> = records.filter_map(|record| record.data.ip_addr()).collect();
        if let Some(valid_until) = found.iter().map(|lookup| lookup.valid_until()).min()
            && !addresses.is_empty()
        {
            let valid_until = valid_until.min(Instant::now() + MAX_AGE);
            return Ok(Found { addresses, valid_until });
        }
        // Missing addresses of one kind prove nothing if the lookup of the other kind failed.
        let failure = failure(ipv4).or_else(|| failure(ipv6));
        Err(failure.unwrap_or_else(|| LookupError::NotFound(NO_ADDRESSES.to_owned())))
    }
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
        NetError::Timeout => "the name servers do not respond".to_owned(),
        NetError::NoConnections => "there is no name server".to_owned(),
        // Only the kind, without the system's error number.
        NetError::Io(error) => format!("no name server can be reached: {}", error.kind()),
        NetError::Dns(DnsError::ResponseCode(code)) => format!("the name server returned {code}"),
        error => error.to_string(),
    })
}

#[cfg(test)]
mod tests;
