use super::{Client, Sharing, Slot, Slots};

/// Number of open streams of each client, on this node or on all nodes that share their limits. Clones share their
/// counts.
#[derive(Clone, Debug, Default)]
pub struct OpenStreams {
    /// All streams if nothing is shared; otherwise those without a limit.
    here: Slots<Client>,
    sharing: Option<Sharing>,
}

impl OpenStreams {
    /// Streams of nodes that share their limits.
    pub fn shared(sharing: Sharing) -> Self {
        Self { here: Slots::default(), sharing: Some(sharing) }
    }

    /// Counts one more stream, if the client has fewer than `most` and nothing has to be waited for.
    pub fn take_now(&self, client: Client, most: Option<u32>) -> Option<Slot> {
        match (&self.sharing, most) {
            (Some(sharing), Some(most)) => sharing.open_now(client, most),
            _ => self.here.take(client, most),
        }
    }

    /// Counts one more stream; `None` if the client already has `most`.
    pub async fn take(&self, client: Client, most: Option<u32>) -> Option<Slot> {
        match (&self.sharing, most) {
            (Some(sharing), Some(most)) => sharing.open(client, most).await,
            _ => self.here.take(client, most),
        }
    }

    /// Number of open streams on this node.
    pub fn count(&self) -> u64 {
        self.here.count() + self.sharing.as_ref().map_or(0, Sharing::open_streams)
    }
}
