use super::{Client, Sharing, Slot, Slots};

/// How many streams each client has open: on this node, or on all that share their limits. Clones count
/// together.
#[derive(Clone, Debug, Default)]
pub struct OpenStreams {
    /// All of them, if nothing is shared; else those without a limit.
    here: Slots<Client>,
    sharing: Option<Sharing>,
}

impl OpenStreams {
    /// Those of nodes that share.
    pub fn shared(sharing: Sharing) -> Self {
        Self { here: Slots::default(), sharing: Some(sharing) }
    }

    /// Counts one more, if the client has fewer than `most` and nothing has to be waited for.
    pub fn take_now(&self, client: Client, most: Option<u32>) -> Option<Slot> {
        match (&self.sharing, most) {
            (Some(sharing), Some(most)) => sharing.open_now(client, most),
            _ => self.here.take(client, most),
        }
    }

    /// Counts one more; `None` if the client has `most` already.
    pub async fn take(&self, client: Client, most: Option<u32>) -> Option<Slot> {
        match (&self.sharing, most) {
            (Some(sharing), Some(most)) => sharing.open(client, most).await,
            _ => self.here.take(client, most),
        }
    }

    /// How many are open on this node.
    pub fn count(&self) -> u64 {
        self.here.count() + self.sharing.as_ref().map_or(0, Sharing::open_streams)
    }
}
