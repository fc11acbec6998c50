use super::super::Client;

/// The keys in Redis. Addresses and ids are what they are made of.
#[derive(Debug)]
pub(super) struct Names {
    prefix: String,
    pub(super) nodes: String,
}

impl Names {
    pub(super) fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), nodes: format!("{prefix}:nodes") }
    }

    /// Of a client's log.
    pub(super) fn log(&self, client: Client) -> String {
        self.of("log", client)
    }

    /// Of a client's open streams.
    pub(super) fn streams(&self, client: Client) -> String {
        self.of("streams", client)
    }

    fn of(&self, what: &str, client: Client) -> String {
        let prefix = &self.prefix;
        match client {
            Client::Network(network) => format!("{prefix}:{what}:network:{network}"),
            Client::Key(id) => format!("{prefix}:{what}:key:{id}"),
        }
    }
}
