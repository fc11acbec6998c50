//! What the dispatcher has leased: looking for work, and writing results and leases down in rounds.

use std::{collections::HashMap, sync::atomic::Ordering, time::Duration};

use store::{self, Held, Look, Round, RoundDone};

use super::{
    Dispatcher, IDLE, LEASE, LOOK_EVERY, LOOK_SHARE, LOOK_WHILE_LISTENING, RENEWED, REST,
    lane::Lane,
};
use crate::url;

impl Dispatcher {
    pub(super) async fn look(&mut self) -> store::Result<Look> {
        let began = self.clock.elapsed();
        let look = self.store.deliveries().look(self.owner).await?;
        self.tally.looks.fetch_add(1, Ordering::Relaxed);
        let ended = self.clock.elapsed();
        let pause = match (look.is_anybody_there, self.store.is_listening()) {
            (false, _) => REST,
            (true, true) => LOOK_WHILE_LISTENING,
            (true, false) => LOOK_EVERY,
        };
        self.looked_at = ended;
        self.next_look = ended + pause_after_look(ended - began, pause);
        if look.history != self.history {
            self.forget();
            self.history = look.history;
        }
        self.newest = look.newest;
        // What somebody else has taken over, or what was deleted, is theirs.
        let held: HashMap<i64, &Held> = look.held.iter().map(|held| (held.seq, held)).collect();
        self.lanes.retain(|seq, lane| {
            let Some(held) = held.get(seq) else { return false };
            lane.is_active = held.is_active;
            lane.is_due = held.is_due;
            true
        });
        Ok(look)
    }

    /// Drops all that is known of a history that was rewound. What is under way ends unnoticed.
    fn forget(&mut self) {
        self.lanes.clear();
        self.ended.clear();
        self.pages.clear();
        self.newest = 0;
        self.next_look = Duration::ZERO;
    }

    /// After a change that was announced: however many there are, looks take a part of the time.
    pub(super) fn look_soon(&mut self) {
        self.next_look = self.next_look.min(self.looked_at + LOOK_EVERY);
    }

    /// Takes what is to be written now.
    pub(super) fn take_round(&mut self, look: Option<&Look>) -> Round {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        let mut round = Round {
            owner: self.owner,
            history: self.history,
            lease: LEASE,
            ended: std::mem::take(&mut self.ended),
            ..Round::default()
        };
        let is_ending = |lane: &Lane| lane.until - now < RENEWED;
        round.renew = look.is_some() && self.lanes.values().any(is_ending);
        for (seq, lane) in &mut self.lanes {
            let is_done = look.is_some() && lane.is_done(self.newest, now, elapsed, IDLE);
            if is_done {
                round.release.push(*seq);
            }
            if is_done || lane.is_dirty || (round.renew && lane.has_moved()) {
                round.checkpoints.push(lane.checkpoint());
            }
        }
        if let Some(look) = look {
            let forgotten = look.held.iter().filter(|held| !self.lanes.contains_key(&held.seq));
            round.release.extend(forgotten.map(|held| held.seq));
            round.take.clone_from(&look.free);
        }
        round
    }

    pub(super) async fn write(&mut self, round: Round) -> store::Result<()> {
        // By this clock: the database may have another one.
        let until = self.clock.now() + LEASE;
        let written = match self.store.deliveries().dispatch_round(&round).await {
            Ok(written) => written,
            Err(error) => {
                // What was not written is written with the next round.
                self.ended = round.ended;
                self.lanes.values_mut().for_each(|lane| lane.is_dirty = true);
                return Err(error);
            }
        };
        let RoundDone { is_outdated, taken, kept, disabled } = written;
        if is_outdated {
            self.forget();
            return Ok(());
        }
        for (subscription, reason) in disabled {
            let of = self.lanes.values().map(Lane::leased).find(|of| of.id == subscription);
            let (partner, host) = of.map(|of| (&*of.partner, url::host(&of.url))).unzip();
            tracing::warn!(
                subscription,
                partner,
                host,
                reason,
                "a webhook subscription was disabled"
            );
        }
        for seq in &round.release {
            self.lanes.remove(seq);
        }
        if let Some(kept) = kept {
            self.lanes.retain(|seq, _| kept.contains(seq));
            self.lanes.values_mut().for_each(|lane| lane.until = until);
        }
        for leased in taken {
            let after = leased.cursor.max(leased.replayed_up_to);
            let skip = self.store.deliveries().delivered_after(leased.seq, after).await?;
            self.lanes_made += 1;
            let unfinished = self.store.deliveries().unfinished(leased.seq).await?;
            let lane = Lane::new(self.lanes_made, leased, skip, unfinished, until);
            self.lanes.insert(lane.leased().seq, lane);
        }
        Ok(())
    }

    /// Takes over what was changed of leased subscriptions. All results are written by now.
    pub(super) async fn reload_changed(&mut self, look: &Look) -> store::Result<()> {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        for held in &look.held {
            let Some(lane) = self.lanes.get_mut(&held.seq) else { continue };
            if !lane.is_outdated(held.revision, now, elapsed) {
                continue;
            }
            let Some(leased) = self.store.deliveries().leased_anew(held.seq).await? else {
                continue;
            };
            if lane.is_rewound(&leased) {
                let after = leased.cursor.max(leased.replayed_up_to);
                let skip = self.store.deliveries().delivered_after(leased.seq, after).await?;
                lane.rewind(leased.cursor, skip);
            }
            lane.change(leased);
        }
        Ok(())
    }
}

/// How long after a look that has taken so long the next one begins. However long that was, leases must not
/// end meanwhile.
fn pause_after_look(took: Duration, pause: Duration) -> Duration {
    pause.max(took * LOOK_SHARE).min(REST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_take_a_small_part_of_the_time_and_are_never_rare() {
        for (took, expected) in [(0, 25), (1, 25), (10, 200), (50, 1_000), (60_000, 1_000)] {
            let pause = pause_after_look(Duration::from_millis(took), LOOK_EVERY);
            assert_eq!(pause, Duration::from_millis(expected), "{took}");
        }
        assert_eq!(pause_after_look(Duration::ZERO, REST), REST);
    }
}
