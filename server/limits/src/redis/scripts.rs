//! Scripts that Redis runs. Each uses one key, so that a cluster can run them too.

use redis::Script;

/// Current time by Redis's own clock, the same for all nodes.
const OF_REDIS: &str = "local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
";

/// Current time as the last argument, for tests with a stepped clock.
const OF_CALLER: &str = "local now = tonumber(table.remove(ARGV))
";

const LOG: &str = include_str!("scripts/log.lua");

#[derive(Debug)]
pub(super) struct Scripts {
    pub(super) take: Script,
    pub(super) peek: Script,
    pub(super) report: Script,
    pub(super) heartbeat: Script,
    pub(super) leave: Script,
    pub(super) open: Script,
}

impl Scripts {
    /// Scripts about logs take the time as an argument if `stepped`.
    pub(super) fn new(stepped: bool) -> Self {
        let present = if stepped { OF_CALLER } else { OF_REDIS };
        let log = |body| Script::new(&[present, LOG, body].concat());
        Self {
            take: log(include_str!("scripts/take.lua")),
            peek: log(include_str!("scripts/peek.lua")),
            report: log(include_str!("scripts/report.lua")),
            heartbeat: Script::new(&[OF_REDIS, include_str!("scripts/heartbeat.lua")].concat()),
            leave: Script::new("return redis.call('HDEL', KEYS[1], ARGV[1])"),
            open: Script::new(&[OF_REDIS, include_str!("scripts/open.lua")].concat()),
        }
    }
}
