//! What the dispatcher has leased: looking for work, and writing results and leases down in rounds.

use std::{collections::HashMap, sync::atomic::Ordering};

use super::{Dispatcher, IDLE, LEASE, LOOK_EVERY, LOOK_SHARE, RENEWED, REST, lane::Lane};
use crate::store::{self, Held, Look, Round, RoundDone};

impl Dispatcher {
    pub(super) async fn look(&mut self) -> store::Result<Look> {
        let began = self.clock.elapsed();
        let look = self.store.look(self.owner).await?;
        self.tally.looks.fetch_add(1, Ordering::Relaxed);
        let ended = self.clock.elapsed();
        let pause = if look.is_anybody_there { LOOK_EVERY } else { REST };
        self.next_look = ended + pause.max((ended - began) * LOOK_SHARE);
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

    /// Takes what is to be written now.
    pub(super) fn take_round(&mut self, look: Option<&Look>) -> Round {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        let mut round = Round {
            owner: self.owner,
            lease: LEASE,
            ended: std::mem::take(&mut self.ended),
            ..Round::default()
        };
        for (seq, lane) in &mut self.lanes {
            let is_done = look.is_some() && lane.is_done(self.newest, now, elapsed, IDLE);
            if is_done {
                round.release.push(*seq);
            }
            if is_done || lane.is_dirty() {
                round.checkpoints.push(lane.checkpoint());
            }
            round.renew |= look.is_some() && !is_done && lane.until - now < RENEWED;
        }
        if let Some(look) = look {
            let forgotten = look.held.iter().filter(|held| !self.lanes.contains_key(&held.seq));
            round.release.extend(forgotten.map(|held| held.seq));
            round.take.clone_from(&look.free);
        }
        round
    }

    pub(super) async fn write(&mut self, round: Round) -> store::Result<()> {
        let written = match self.store.dispatch_round(&round).await {
            Ok(written) => written,
            Err(error) => {
                // What was not written is written with the next round.
                self.ended = round.ended;
                self.lanes.values_mut().for_each(Lane::write_again);
                return Err(error);
            }
        };
        let RoundDone { taken, until, kept, disabled } = written;
        for (subscription, reason) in disabled {
            tracing::warn!(subscription, reason, "a webhook subscription was disabled");
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
            let skip = self.store.delivered_after(leased.seq, after).await?;
            self.lanes_made += 1;
            self.lanes.insert(leased.seq, Lane::new(self.lanes_made, leased, skip, until));
        }
        Ok(())
    }

    /// Takes over what was changed of leased subscriptions. All results are written by now.
    pub(super) async fn reload_changed(&mut self, look: &Look) -> store::Result<()> {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        for held in &look.held {
            let lane = self.lanes.get_mut(&held.seq);
            if !lane.is_some_and(|lane| lane.is_outdated(held.revision, now, elapsed)) {
                continue;
            }
            let Some(leased) = self.store.leased_anew(held.seq).await? else { continue };
            let after = leased.cursor.max(leased.replayed_up_to);
            let skip = self.store.delivered_after(leased.seq, after).await?;
            if let Some(lane) = self.lanes.get_mut(&held.seq) {
                lane.change(leased, skip);
            }
        }
        Ok(())
    }
}
