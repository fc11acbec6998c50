//! Warnings about accepted requests that may be mistakes.

use serde::Serialize;

/// A remark beside a successful result: the `warnings` of a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// The JSON pointer (RFC 6901) to the member that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<&'static str>,
    pub detail: String,
}
