//! Warnings about accepted requests that may be mistakes.

use schemars::JsonSchema;
use serde::Serialize;

/// A possible mistake in a request that was accepted all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    /// JSON pointer (RFC 6901) to the member of the request that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<&'static str>,
    /// The possible mistake, and its effect.
    pub detail: String,
}
