use std::sync::Arc;

/// Author of a change, for the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Name of a person: the one that an operator's key was created for, or the user of a command line.
    pub name: Arc<str>,
    /// Prefix of the key that was used.
    pub key: Option<Arc<str>>,
    /// Address of the client, or name of the machine whose command line was used.
    pub origin: Arc<str>,
}

impl Actor {
    /// User of the command line on the machine `host`.
    pub fn of_command_line(user: &str, host: &str) -> Self {
        let origin = format!("command line of {host}");
        Self { name: user.into(), key: None, origin: origin.into() }
    }
}
