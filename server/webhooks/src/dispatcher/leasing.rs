//! Leases of the dispatcher: polls for work, and rounds that record results and leases.

use std::{collections::HashMap, sync::atomic::Ordering, time::Duration};

use store::{self, LeasedSubscription, PendingWork, Round, RoundDone};

use super::{
    Dispatcher, IDLE, LEASE, POLL_INTERVAL, POLL_INTERVAL_WHILE_LISTENING, POLL_SHARE, RENEWED,
    REST, delivery_worker::DeliveryWorker,
};
use crate::url;

impl Dispatcher {
    pub(super) async fn find_work(&mut self) -> store::Result<PendingWork> {
        let began = self.clock.elapsed();
        let pending_work = self.store.deliveries().pending_work(self.owner).await?;
        self.tally.polls.fetch_add(1, Ordering::Relaxed);
        let ended = self.clock.elapsed();
        self.store.notice_soon(pending_work.is_anybody_there);
        let pause = match (pending_work.is_anybody_there, self.store.is_listening()) {
            (false, _) => REST,
            (true, true) => POLL_INTERVAL_WHILE_LISTENING,
            (true, false) => POLL_INTERVAL,
        };
        self.looked_at = ended;
        self.next_look = ended + pause_after_look(ended - began, pause);
        if pending_work.history != self.history {
            self.forget();
            self.history = pending_work.history;
        }
        self.newest = pending_work.newest;
        // Drops workers whose subscription was taken over by another dispatcher, or deleted.
        let held: HashMap<i64, &LeasedSubscription> =
            pending_work.held.iter().map(|held| (held.seq, held)).collect();
        self.workers.retain(|seq, worker| {
            let Some(held) = held.get(seq) else { return false };
            worker.is_active = held.is_active;
            worker.is_due = held.is_due;
            true
        });
        Ok(pending_work)
    }

    /// Drops all state of a history that was rewound. Results of requests in flight are ignored.
    fn forget(&mut self) {
        self.workers.clear();
        self.ended.clear();
        self.pages.clear();
        self.newest = 0;
        self.next_look = Duration::ZERO;
    }

    /// Polls soon after an announced change. For any number of changes, polls are limited to a share of the time.
    pub(super) fn poll_soon(&mut self) {
        self.next_look = self.next_look.min(self.looked_at + POLL_INTERVAL);
    }

    /// Takes everything that has to be recorded now.
    pub(super) fn take_round(&mut self, pending_work: Option<&PendingWork>) -> Round {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        let mut round = Round {
            owner: self.owner,
            history: self.history,
            lease: LEASE,
            ended: std::mem::take(&mut self.ended),
            ..Round::default()
        };
        let is_ending = |worker: &DeliveryWorker| worker.until - now < RENEWED;
        round.renew = pending_work.is_some() && self.workers.values().any(is_ending);
        for (seq, worker) in &mut self.workers {
            let is_done = pending_work.is_some() && worker.is_done(self.newest, now, elapsed, IDLE);
            if is_done {
                round.release.push(*seq);
            }
            if is_done || worker.is_dirty || (round.renew && worker.has_moved()) {
                round.checkpoints.push(worker.checkpoint());
            }
        }
        if let Some(pending_work) = pending_work {
            let forgotten =
                pending_work.held.iter().filter(|held| !self.workers.contains_key(&held.seq));
            round.release.extend(forgotten.map(|held| held.seq));
            round.take.clone_from(&pending_work.free);
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
                self.workers.values_mut().for_each(|worker| worker.is_dirty = true);
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
                self.workers.values().map(DeliveryWorker::leased).find(|of| of.id == subscription);
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
            self.workers.remove(seq);
        }
        if let Some(kept) = kept {
            self.workers.retain(|seq, _| kept.contains(seq));
            self.workers.values_mut().for_each(|worker| worker.until = until);
        }
        for leased in taken {
            let after = leased.cursor.max(leased.replayed_up_to);
            let skip = self.store.deliveries().delivered_after(leased.seq, after).await?;
            self.lanes_made += 1;
            let unfinished = self.store.deliveries().unfinished(leased.seq).await?;
            let worker = DeliveryWorker::new(self.lanes_made, leased, skip, unfinished, until);
            self.workers.insert(worker.leased().seq, worker);
        }
        Ok(())
    }

    /// Reloads leased subscriptions that were changed. All results are recorded by then.
    pub(super) async fn reload_changed(&mut self, pending_work: &PendingWork) -> store::Result<()> {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        for held in &pending_work.held {
            let Some(worker) = self.workers.get_mut(&held.seq) else { continue };
            if !worker.is_outdated(held.revision, now, elapsed) {
                continue;
            }
            let Some(leased) = self.store.deliveries().leased_anew(held.seq).await? else {
                continue;
            };
            if worker.is_rewound(&leased) {
                let after = leased.cursor.max(leased.replayed_up_to);
                let skip = self.store.deliveries().delivered_after(leased.seq, after).await?;
                worker.rewind(leased.cursor, skip);
            }
            worker.change(leased);
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
