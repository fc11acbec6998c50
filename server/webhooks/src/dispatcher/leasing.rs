//! Leases of the dispatcher: polls for work, and rounds that record results and leases.

use std::{collections::HashMap, sync::atomic::Ordering, time::Duration};

use store::{self, LeasedSubscription, PendingWork, Round, RoundDone};

use super::{
    Dispatcher, IDLE, LEASE, POLL_INTERVAL, POLL_INTERVAL_WHILE_LISTENING, POLL_SHARE, RENEWED,
    REST, lane::DeliveryWorker,
};
use crate::url;

impl Dispatcher {
    pub(super) async fn look(&mut self) -> store::Result<PendingWork> {
        let began = self.clock.elapsed();
        let look = self.store.deliveries().look(self.owner).await?;
        self.tally.looks.fetch_add(1, Ordering::Relaxed);
        let ended = self.clock.elapsed();
        let pause = match (look.is_anybody_there, self.store.is_listening()) {
            (false, _) => REST,
            (true, true) => POLL_INTERVAL_WHILE_LISTENING,
            (true, false) => POLL_INTERVAL,
        };
        self.looked_at = ended;
        self.next_look = ended + pause_after_look(ended - began, pause);
        if look.history != self.history {
            self.forget();
            self.history = look.history;
        }
        self.newest = look.newest;
        // Drops lanes whose subscription was taken over by another dispatcher, or deleted.
        let held: HashMap<i64, &LeasedSubscription> =
            look.held.iter().map(|held| (held.seq, held)).collect();
        self.lanes.retain(|seq, lane| {
            let Some(held) = held.get(seq) else { return false };
            lane.is_active = held.is_active;
            lane.is_due = held.is_due;
            true
        });
        Ok(look)
    }

    /// Drops all state of a history that was rewound. Results of requests in flight are ignored.
    fn forget(&mut self) {
        self.lanes.clear();
        self.ended.clear();
        self.pages.clear();
        self.newest = 0;
        self.next_look = Duration::ZERO;
    }

    /// Polls soon after an announced change. For any number of changes, polls are limited to a share of the time.
    pub(super) fn look_soon(&mut self) {
        self.next_look = self.next_look.min(self.looked_at + POLL_INTERVAL);
    }

    /// Takes everything that has to be recorded now.
    pub(super) fn take_round(&mut self, look: Option<&PendingWork>) -> Round {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        let mut round = Round {
            owner: self.owner,
            history: self.history,
            lease: LEASE,
            ended: std::mem::take(&mut self.ended),
            ..Round::default()
        };
        let is_ending = |lane: &DeliveryWorker| lane.until - now < RENEWED;
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
        // By this clock: the database's may differ.
        let until = self.clock.now() + LEASE;
        let written = match self.store.deliveries().dispatch_round(&round).await {
            Ok(written) => written,
            Err(error) => {
                // Unwritten results are written in the next round.
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
            let of =
                self.lanes.values().map(DeliveryWorker::leased).find(|of| of.id == subscription);
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
            let lane = DeliveryWorker::new(self.lanes_made, leased, skip, unfinished, until);
            self.lanes.insert(lane.leased().seq, lane);
        }
        Ok(())
    }

    /// Reloads leased subscriptions that were changed. All results are recorded by then.
    pub(super) async fn reload_changed(&mut self, look: &PendingWork) -> store::Result<()> {
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

/// Pause after a poll that took this long. Limited for any duration, because leases must not expire during it.
fn pause_after_look(took: Duration, pause: Duration) -> Duration {
    pause.max(took * POLL_SHARE).min(REST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_take_a_small_part_of_the_time_and_are_never_rare() {
        for (took, expected) in [(0, 25), (1, 25), (10, 200), (50, 1_000), (60_000, 1_000)] {
            let pause = pause_after_look(Duration::from_millis(took), POLL_INTERVAL);
            assert_eq!(pause, Duration::from_millis(expected), "{took}");
        }
        assert_eq!(pause_after_look(Duration::ZERO, REST), REST);
    }
}
