//! Names that were looked up before. If they still resolve while a name does not, then the name's own servers fail,
//! not those of this machine.

use std::{
    collections::VecDeque,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, PoisonError},
};

/// Number of names that are remembered. Two, so that one of them differs from the failing name.
const REMEMBERED: usize = 2;

#[derive(Debug, Default)]
pub(super) struct Others(Mutex<VecDeque<String>>);

impl Others {
    /// Remembers a name that resolved.
    pub(super) fn note(&self, host: &str) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if names.front().is_some_and(|last| last == host) {
            return;
        }
        names.retain(|known| known != host);
        names.push_front(host.to_owned());
        names.truncate(REMEMBERED);
    }

    /// Returns a random name below a remembered name other than `host`. No cache has this name, so the response must
    /// come from its authoritative servers.
    pub(super) fn below_one_but(&self, host: &str) -> Option<String> {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let other = names.iter().find(|name| *name != host)?;
        Some(format!("svc-{:016x}.{other}", RandomState::new().hash_one(())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_below_another_one_that_resolved_and_never_the_same() {
        let others = Others::default();
        assert_eq!(others.below_one_but("a.test"), None);
        others.note("a.test");
        assert_eq!(others.below_one_but("a.test"), None);
        for name in ["b.test", "a.test", "a.test", "c.test"] {
            others.note(name);
        }
        let below = |host| others.below_one_but(host).unwrap();
        assert!(below("c.test").ends_with(".a.test"), "{}", below("c.test"));
        assert!(below("a.test").ends_with(".c.test"), "{}", below("a.test"));
        assert_ne!(below("a.test"), below("a.test"));
    }
}
