use std::{sync::atomic::Ordering, time::Duration};

use super::{
    super::{Client, WINDOW, quota::Verdict},
    Sharing,
    ask::{Asked, Pending, Question},
    line::Phase,
    scripts::{Argument, Script},
};

pub(super) const WINDOW_MICROS: u64 = WINDOW.as_secs() * 1_000_000;

/// What scripts about logs return: accepted, remaining, microseconds until the reset.
type Reply = (u8, u32, u64);

impl Sharing {
    /// Decides a request.
    pub(crate) async fn take(&self, client: Client, limit: u32) -> Verdict {
        match self.0.line.phase() {
            Phase::Shared => self.take_shared(client, limit).await,
            Phase::Settling => self.take_settling(client, limit).await,
            Phase::Suspect | Phase::Away => self.take_alone(client, limit),
        }
    }

    /// The same, if nothing has to be waited for.
    pub(crate) fn take_now(&self, client: Client, limit: u32) -> Option<Verdict> {
        (!self.0.line.phase().is_up()).then(|| self.take_alone(client, limit))
    }

    /// What would be decided.
    pub(crate) async fn look(&self, client: Client, limit: u32) -> Verdict {
        let phase = self.0.line.phase();
        if phase.is_up()
            && let Asked::Answered(reply) = self.ask(self.about(client, limit, Script::Look)).await
        {
            let found = verdict(reply);
            return match phase {
                Phase::Settling => stricter(found, self.look_alone(client, limit)),
                _ => found,
            };
        }
        self.look_alone(client, limit)
    }

    async fn take_shared(&self, client: Client, limit: u32) -> Verdict {
        match self.ask(self.about(client, limit, Script::Take)).await {
            Asked::Answered(reply) => {
                let verdict = verdict(reply);
                if verdict.accepted {
                    self.0.own.note(client, &self.0.clock);
                }
                verdict
            }
            Asked::Failed => self.take_alone(client, limit),
            Asked::Late(reply) => {
                self.count_alone();
                let (verdict, at) = self.take_share(client, limit);
                self.follow_up(client, verdict, at, reply);
                verdict
            }
        }
    }

    /// The share first: it asks nobody, and what it refuses must not be counted in Redis.
    async fn take_settling(&self, client: Client, limit: u32) -> Verdict {
        let (own, at) = self.take_share(client, limit);
        if !own.accepted {
            return own;
        }
        match self.ask(self.about(client, limit, Script::Take)).await {
            Asked::Answered(reply) => {
                let verdict = verdict(reply);
                if !verdict.accepted {
                    self.0.own.take_back(client);
                }
                stricter(verdict, own)
            }
            Asked::Failed => {
                self.count_alone();
                self.0.unreported.push(client, at);
                own
            }
            Asked::Late(reply) => {
                self.count_alone();
                self.follow_up(client, own, at, reply);
                own
            }
        }
    }

    fn take_alone(&self, client: Client, limit: u32) -> Verdict {
        self.count_alone();
        let (verdict, at) = self.take_share(client, limit);
        if verdict.accepted {
            self.0.unreported.push(client, at);
        }
        verdict
    }

    /// Decides by the share; returns when that was, too.
    fn take_share(&self, client: Client, limit: u32) -> (Verdict, Duration) {
        let shared = &self.0;
        let at = shared.clock.elapsed();
        (shared.own.take(client, shared.line.share(limit), &shared.clock), at)
    }

    fn look_alone(&self, client: Client, limit: u32) -> Verdict {
        self.0.own.look(client, self.0.line.share(limit), &self.0.clock)
    }

    pub(super) fn count_alone(&self) {
        self.0.line.tally.alone.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits for a late reply, to report what this node accepted and Redis did not count.
    fn follow_up(&self, client: Client, own: Verdict, at: Duration, reply: Pending<Reply>) {
        let sharing = self.clone();
        tokio::spawn(async move {
            let is_counted = matches!(reply.await, Ok((1, ..)));
            if own.accepted && !is_counted {
                sharing.0.unreported.push(client, at);
            }
        });
    }

    fn about(&self, client: Client, limit: u32, script: Script) -> Question {
        let mut arguments = Vec::with_capacity(3);
        arguments.extend([u64::from(limit), WINDOW_MICROS].map(Argument::Number));
        arguments.extend(self.present());
        Question { script, key: self.0.names.log(client), arguments }
    }

    /// What scripts about logs are given of the time: nothing, unless a test steps it.
    pub(super) fn present(&self) -> Option<Argument> {
        let clock = &self.0.clock;
        clock.is_stepped().then(|| Argument::Number(micros(clock.elapsed())))
    }
}

fn verdict((accepted, remaining, reset): Reply) -> Verdict {
    Verdict { accepted: accepted == 1, remaining, reset: Duration::from_micros(reset) }
}

/// Of two that must both accept.
fn stricter(one: Verdict, other: Verdict) -> Verdict {
    let key = |verdict: &Verdict| {
        (!verdict.accepted, std::cmp::Reverse(verdict.remaining), verdict.reset)
    };
    std::cmp::max_by_key(one, other, key)
}

pub(super) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
