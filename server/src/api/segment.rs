use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

use crate::problem::{Problem, Result};

/// Id, or prefix of a key, in a path. Refuses values that can't be one.
#[derive(Clone, Debug)]
pub struct Segment(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(id)) if !id.contains(char::is_control) => Ok(Self(id)),
            _ => Err(Problem::not_found(
                "Nothing can have the id in this path: it has a control character, or is not UTF-8.",
            )),
        }
    }
}
