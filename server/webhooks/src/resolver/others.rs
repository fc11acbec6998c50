//! Names that were looked up before. Whether others resolve tells a name whose own servers fail from a machine whose name
//! servers do.

use std::{
    collections::VecDeque,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, PoisonError},
};

/// The last names that resolved, each once: of two, one is another than the one that does not.
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

    /// A name below one that resolved and is not `host`. Nobody can have an answer for it in a cache: that it exists, or
    /// that it does not, has to come from the name servers that know.
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
