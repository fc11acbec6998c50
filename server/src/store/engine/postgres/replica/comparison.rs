//! How far a replica is behind its primary, by what both said at each look.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use crate::store::version::LastChange;

/// How far behind it may be and still answer.
const LAG: Duration = Duration::from_secs(1);
/// How many versions of the primary are remembered. While the replica gets none of them, the first one counts.
const REMEMBERED: usize = 1_000;

/// What a replica is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing is known yet.
    New,
    Fresh,
    Behind,
    /// It has what the primary never had, or lost.
    Foreign,
    /// It does not answer, or the primary does not.
    Away,
}

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Comparison {
    pub standing: Standing,
    era: u64,
    /// The primary's versions that the replica lacked at the last look, and when each was seen first.
    missing: VecDeque<(i64, Instant)>,
    /// When the replica answered last.
    answered: Instant,
}

impl Comparison {
    pub(super) fn new(now: Instant) -> Self {
        Self { standing: Standing::New, era: 0, missing: VecDeque::new(), answered: now }
    }

    /// What follows from what the primary and the replica said.
    pub(super) fn look(
        &mut self,
        now: Instant,
        primary: Result<LastChange, String>,
        replica: Result<LastChange, String>,
    ) -> Standing {
        self.standing = match (primary, replica) {
            (Ok(primary), Ok(replica)) => {
                self.answered = now;
                self.compared(now, primary, replica)
            }
            (_, Err(error)) | (Err(error), _) => {
                tracing::debug!(error, "the read replica cannot be compared");
                Standing::Away
            }
        };
        self.standing
    }

    fn compared(&mut self, now: Instant, primary: LastChange, replica: LastChange) -> Standing {
        if primary.era != self.era {
            self.missing.clear();
            self.era = primary.era;
        }
        let same = (primary.revision, primary.at) == (replica.revision, replica.at);
        if replica.version > primary.version || replica.version == primary.version && !same {
            return Standing::Foreign;
        }
        let last = self.missing.back().map_or(replica.version, |(version, _)| *version);
        if primary.version > last && self.missing.len() < REMEMBERED {
            self.missing.push_back((primary.version, now));
        }
        self.missing.retain(|(version, _)| *version > replica.version);
        let since = self.missing.front().map_or(now, |(_, since)| *since);
        if now - since > LAG { Standing::Behind } else { Standing::Fresh }
    }

    /// How long the replica has lacked what the primary has; since it answered last, if it does not answer.
    pub(super) fn behind(&self, now: Instant) -> Duration {
        let since = match (&self.standing, self.missing.front()) {
            (_, Some((_, since))) => *since,
            (Standing::Fresh, None) => return Duration::ZERO,
            (_, None) => self.answered,
        };
        now.saturating_duration_since(since)
    }
}

impl Standing {
    /// Logs what is new.
    pub(super) fn announce(self, name: &str) {
        match self {
            Self::New => {}
            Self::Fresh => {
                tracing::info!("the read replica {name} is up to date: it answers reads")
            }
            Self::Behind => tracing::warn!(
                "the read replica {name} is more than a second behind: the primary answers until it has caught up"
            ),
            Self::Foreign => tracing::warn!(
                "the read replica {name} has other changes than the primary: the primary answers. A replica that \
                 was ahead of the primary has to be made anew"
            ),
            Self::Away => tracing::warn!(
                "the read replica {name} cannot be compared with the primary, because one of them does not answer: \
                 only the primary is asked"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn change(era: u64, version: i64) -> Result<LastChange, String> {
        let at = DateTime::from_timestamp_millis(version * 10).unwrap();
        Ok(LastChange { version, revision: 0, at, era })
    }

    #[test]
    fn a_replica_is_behind_when_it_lacks_for_over_a_second_what_the_primary_has() {
        let began = Instant::now();
        let mut comparison = Comparison::new(began);
        let mut look = |millis, primary, replica| {
            let now = began + Duration::from_millis(millis);
            let standing = comparison.look(now, change(0, primary), change(0, replica));
            (standing, comparison.behind(now).as_millis())
        };
        assert_eq!(look(0, 5, 5), (Standing::Fresh, 0));
        // However much is published meanwhile, the oldest that is missing counts.
        assert_eq!(look(250, 6, 5), (Standing::Fresh, 0));
        assert_eq!(look(1_250, 9, 5), (Standing::Fresh, 1_000));
        assert_eq!(look(1_251, 9, 5), (Standing::Behind, 1_001));
        // It has caught up with what was first seen at 250, not with what was seen at 1,250.
        assert_eq!(look(1_500, 9, 6), (Standing::Fresh, 250));
        assert_eq!(look(1_750, 9, 9), (Standing::Fresh, 0));
    }

    #[test]
    fn a_replica_with_other_changes_is_not_one_of_this_primary() {
        let now = Instant::now();
        let mut comparison = Comparison::new(now);
        assert_eq!(comparison.look(now, change(1, 5), change(0, 6)), Standing::Foreign);
        let LastChange { at, .. } = change(0, 4).unwrap();
        let other = LastChange { at, ..change(0, 5).unwrap() };
        assert_eq!(comparison.look(now, change(1, 5), Ok(other)), Standing::Foreign);
        assert_eq!(comparison.look(now, change(1, 5), change(0, 5)), Standing::Fresh);
        let away = Err("gone".to_owned());
        assert_eq!(comparison.look(now, change(1, 5), away.clone()), Standing::Away);
        assert_eq!(comparison.look(now, away, change(0, 5)), Standing::Away);
        assert_eq!(comparison.behind(now + Duration::from_secs(7)), Duration::from_secs(7));
    }
}
