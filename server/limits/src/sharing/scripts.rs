//! The scripts that Redis runs, each with one key, so that a cluster can run them too.

use std::sync::Arc;

use redis::{Cmd, ErrorKind, FromRedisValue, RedisResult, ServerErrorKind, cmd};

use super::connection::Connection;

/// The present by Redis's own clock, the same for all nodes.
const OF_REDIS: &str = "local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
";

/// The present as the last argument: by the clock of a test, which it steps.
const OF_CALLER: &str = "local now = tonumber(table.remove(ARGV))
";

const LOG: &str = include_str!("scripts/log.lua");
const STREAMS: &str = include_str!("scripts/streams.lua");

/// All of them.
#[derive(Debug)]
pub(super) struct Scripts {
    take: Source,
    look: Source,
    report: Source,
    beat: Source,
    open: Source,
    count: Source,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Script {
    Take,
    Look,
    Report,
    Beat,
    Open,
    Count,
}

impl Scripts {
    /// Those about logs get the present from their callers if `stepped`.
    pub(super) fn new(stepped: bool) -> Self {
        let present = if stepped { OF_CALLER } else { OF_REDIS };
        let log = |body| Source::new(&[present, LOG, body]);
        let streams = |body| Source::new(&[OF_REDIS, STREAMS, body]);
        Self {
            take: log(include_str!("scripts/take.lua")),
            look: log(include_str!("scripts/look.lua")),
            report: log(include_str!("scripts/report.lua")),
            beat: Source::new(&[OF_REDIS, include_str!("scripts/beat.lua")]),
            open: streams(include_str!("scripts/open.lua")),
            count: streams(include_str!("scripts/count.lua")),
        }
    }

    pub(super) fn get(&self, script: Script) -> &Source {
        match script {
            Script::Take => &self.take,
            Script::Look => &self.look,
            Script::Report => &self.report,
            Script::Beat => &self.beat,
            Script::Open => &self.open,
            Script::Count => &self.count,
        }
    }
}

/// The text of a script, and its hash.
#[derive(Debug)]
pub(super) struct Source {
    text: String,
    hashed: redis::Script,
}

impl Source {
    fn new(parts: &[&str]) -> Self {
        let text = parts.concat();
        Self { hashed: redis::Script::new(&text), text }
    }

    /// Runs it by its hash, and with its text if Redis has forgotten it, which makes Redis remember it.
    pub(super) async fn run<T: FromRedisValue>(
        &self,
        connection: &mut Connection,
        key: &str,
        node: &str,
        arguments: &[Argument],
    ) -> RedisResult<T> {
        let by_hash = call("EVALSHA", self.hashed.get_hash(), key, node, arguments);
        match connection.query(&by_hash).await {
            Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
                connection.query(&call("EVAL", &self.text, key, node, arguments)).await
            }
            result => result,
        }
    }
}

/// What a script is given.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Number(u64),
    /// Which node asks.
    Node,
    /// Another node.
    Other(Arc<str>),
}

fn call(command: &str, script: &str, key: &str, node: &str, arguments: &[Argument]) -> Cmd {
    let mut call = cmd(command);
    call.arg(script).arg(1).arg(key);
    for argument in arguments {
        match argument {
            Argument::Number(number) => call.arg(number),
            Argument::Node => call.arg(node),
            Argument::Other(other) => call.arg(&**other),
        };
    }
    call
}
