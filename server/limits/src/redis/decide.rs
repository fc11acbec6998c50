use std::{sync::atomic::Ordering, time::Duration};

use redis::{Script, ScriptInvocation};

use super::{
    super::{Client, WINDOW, quota::Verdict},
    RedisLimits, micros,
};

/// Reply of the log scripts: accepted, remaining, microseconds until the reset.
type Reply = (bool, u32, u64);

impl RedisLimits {
    /// Decides a request and counts it if it is accepted.
    pub(crate) async fn take(&self, client: Client, limit: u32) -> Verdict {
        self.take_many(client, limit, 1).await
    }

    /// Decides on `count` requests together, and counts them if they are accepted.
    pub(crate) async fn take_many(&self, client: Client, limit: u32, count: u32) -> Verdict {
        let shared = &self.0;
        let arguments = [u64::from(limit), micros(WINDOW), u64::from(count)];
        match self.ask(&self.about_log(&shared.scripts.take, client, arguments)).await {
            Some(reply) => {
                let verdict = verdict(reply);
                if verdict.accepted {
                    (0..count).for_each(|_| shared.own.note(client, &shared.clock));
                }
                verdict
            }
            None => self.take_alone(client, limit, count),
        }
    }

    /// Decides a request if nothing has to be waited for.
    pub(crate) fn take_now(&self, client: Client, limit: u32) -> Option<Verdict> {
        (!self.is_up()).then(|| self.take_alone(client, limit, 1))
    }

    /// Decision on a request, without counting it.
    pub(crate) async fn peek(&self, client: Client, limit: u32) -> Verdict {
        let shared = &self.0;
        let arguments = [u64::from(limit), micros(WINDOW)];
        match self.ask(&self.about_log(&shared.scripts.peek, client, arguments)).await {
            Some(reply) => verdict(reply),
            None => shared.own.peek(client, shared.share(limit), &shared.clock),
        }
    }

    fn take_alone(&self, client: Client, limit: u32, count: u32) -> Verdict {
        let shared = &self.0;
        shared.alone.fetch_add(1, Ordering::Relaxed);
        let at = shared.clock.elapsed();
        let verdict = shared.own.take_many(client, shared.share(limit), count, &shared.clock);
        if verdict.accepted {
            (0..count).for_each(|_| shared.unreported.push(client, at));
        }
        verdict
    }

    /// Invocation of a script about a client's log. Under a stepped test clock, the current time is an argument.
    pub(super) fn about_log<'a>(
        &self,
        script: &'a Script,
        client: Client,
        arguments: impl IntoIterator<Item = u64>,
    ) -> ScriptInvocation<'a> {
        let clock = &self.0.clock;
        let mut invocation = script.key(self.0.key("log", client));
        let present = clock.is_stepped().then(|| micros(clock.elapsed()));
        for argument in arguments.into_iter().chain(present) {
            invocation.arg(argument);
        }
        invocation
    }
}

fn verdict((accepted, remaining, reset): Reply) -> Verdict {
    Verdict { accepted, remaining, reset: Duration::from_micros(reset) }
}
