use super::{Client, RedisLimits, Slot, Slots};

/// Number of open streams of each client, on this node or on all nodes that share their limits. Clones share their
/// counts.
#[derive(Clone, Debug, Default)]
pub struct OpenStreams {
    /// All streams if nothing is shared; otherwise those without a limit.
    here: Slots<Client>,
    redis: Option<RedisLimits>,
}

impl OpenStreams {
    /// Streams of nodes that share their limits.
    pub fn shared(redis: RedisLimits) -> Self {
        Self { here: Slots::default(), redis: Some(redis) }
    }

    /// Counts one more stream, if the client has fewer than `most` and nothing has to be waited for.
    pub fn take_now(&self, client: Client, most: Option<u32>) -> Option<Slot> {
        match (&self.redis, most) {
            (Some(redis), Some(most)) => redis.open_now(client, most),
            _ => self.here.take(client, most),
        }
    }

    /// Counts one more stream; `None` if the client already has `most`.
    pub async fn take(&self, client: Client, most: Option<u32>) -> Option<Slot> {
        match (&self.redis, most) {
            (Some(redis), Some(most)) => redis.open(client, most).await,
            _ => self.here.take(client, most),
        }
    }

    /// Number of open streams on this node.
    pub fn count(&self) -> u64 {
        self.here.count() + self.redis.as_ref().map_or(0, RedisLimits::open_streams)
    }
}
