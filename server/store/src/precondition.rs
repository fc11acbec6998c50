//! Conditions of changes on the state that the client has read (RFC 9110, 13.1.1). They are checked in the transaction of
//! the change, so nothing can change between check and change.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    Store,
    error::{Error, Result},
};

/// Number of bytes of a hash that a tag contains: enough that two states never have the same.
const TAG_BYTES: usize = 12;

/// Identifies the state of those members of a resource that clients can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateTag(String);

impl StateTag {
    pub(crate) fn of(state: &Value) -> Self {
        let hash = Sha256::digest(state.to_string());
        Self(hex::encode(&hash[..TAG_BYTES]))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Condition of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Precondition {
    /// The resource exists.
    #[default]
    Exists,
    /// The state of the resource has one of these tags.
    OneOf(Vec<String>),
}

impl Store {
    /// Returns a handle whose changes of one subscription or report require this condition.
    #[must_use]
    pub fn provided(self, precondition: Precondition) -> Self {
        Self { precondition, ..self }
    }

    /// Checks the condition of this handle. `current` returns the tag of the current state.
    ///
    /// # Errors
    /// [`Error::Outdated`] if the state is another.
    pub(crate) fn check_state(&self, current: impl FnOnce() -> StateTag) -> Result<()> {
        match &self.precondition {
            Precondition::Exists => Ok(()),
            Precondition::OneOf(tags) => match tags.contains(&current().0) {
                true => Ok(()),
                false => Err(Error::Outdated),
            },
        }
    }
}
