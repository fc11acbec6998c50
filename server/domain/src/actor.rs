use std::sync::Arc;

/// Who changes something, as the audit log names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// A person's name: the one that an operator's key was created for, or the user of a command line.
    pub name: Arc<str>,
    /// The prefix of the key that they used.
    pub key: Option<Arc<str>>,
    /// The address that they came from, or the machine whose command line they used.
    pub origin: Arc<str>,
}

impl Actor {
    /// A user of the command line of the machine `host`.
    pub fn of_command_line(user: &str, host: &str) -> Self {
        let origin = format!("command line of {host}");
        Self { name: user.into(), key: None, origin: origin.into() }
    }
}
