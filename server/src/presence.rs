//! Reports that people at the desk are looking at now, on this node.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Mutex, PoisonError},
};

use ::desk::model::Other;
use base::clock::Clock;
use chrono::{DateTime, TimeDelta, Utc};

/// Time after which a page that sends nothing is considered closed. Open pages send something every
/// two seconds.
const KEPT_FOR: TimeDelta = TimeDelta::seconds(10);

/// The report that each session is looking at.
#[derive(Debug)]
pub(crate) struct Presence {
    clock: Clock,
    /// By the hash of the session's token.
    looking: Mutex<HashMap<[u8; 32], Looking>>,
}

#[derive(Debug)]
struct Looking {
    other: Other,
    at: DateTime<Utc>,
}

impl Presence {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, looking: Mutex::default() }
    }

    /// Notes that a person looks at the report with this id; at none if it is empty.
    pub(crate) fn note(&self, session: [u8; 32], who: &str, id: &str) {
        let now = self.clock.now();
        let mut looking = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        looking.retain(|_, looking| now - looking.at < KEPT_FOR);
        match id {
            "" => _ = looking.remove(&session),
            id => {
                let other = Other { who: who.to_owned(), id: id.to_owned() };
                looking.insert(session, Looking { other, at: now });
            }
        }
    }

    /// Reports that people with other names than `who` are looking at.
    pub(crate) fn others(&self, who: &str) -> Vec<Other> {
        let now = self.clock.now();
        let looking = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let others = looking.values().filter(|one| one.other.who != who && now - one.at < KEPT_FOR);
        let mut others: Vec<Other> = others.map(|one| one.other.clone()).collect();
        others.sort_unstable();
        others.dedup();
        others
    }
}

/// Version of a list together with what others are looking at.
pub(crate) fn version(lists: String, others: &[Other]) -> String {
    if others.is_empty() {
        return lists;
    }
    let mut hasher = DefaultHasher::new();
    others.hash(&mut hasher);
    format!("{lists}-{:x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(who: &str, id: &str) -> Other {
        Other { who: who.to_owned(), id: id.to_owned() }
    }

    #[test]
    fn others_are_shown_while_their_pages_are_open() {
        let clock = Clock::stepped(DateTime::UNIX_EPOCH);
        let presence = Presence::new(clock.clone());
        presence.note([1; 32], "Jo", "r-1");
        presence.note([2; 32], "Maria", "r-2");
        presence.note([3; 32], "Jo", "r-3");
        assert_eq!(presence.others("Maria"), [other("Jo", "r-1"), other("Jo", "r-3")]);
        assert_eq!(presence.others("Jo"), [other("Maria", "r-2")]);
        presence.note([1; 32], "Jo", "");
        clock.advance(std::time::Duration::from_secs(6));
        presence.note([2; 32], "Maria", "r-2");
        clock.advance(std::time::Duration::from_secs(6));
        assert_eq!(presence.others("Maria"), []);
        assert_eq!(presence.others("Jo"), [other("Maria", "r-2")]);
    }

    #[test]
    fn the_version_changes_with_what_others_look_at() {
        let of = |others: &[Other]| version("1-2".to_owned(), others);
        assert_eq!(of(&[]), "1-2");
        assert_ne!(of(&[other("Jo", "r-1")]), of(&[other("Jo", "r-2")]));
        assert_eq!(of(&[other("Jo", "r-1")]), of(&[other("Jo", "r-1")]));
    }
}
