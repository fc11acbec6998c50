//! Sets of numbers, stored as roaring bitmaps in their portable serialisation.

use std::io;

use roaring::RoaringBitmap;

use super::error::{Error, Result};

/// Serialises `set`. `what` names its content in errors, such as cities.
pub(super) fn encode(set: &RoaringBitmap, what: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(set.serialized_size());
    set.serialize_into(&mut bytes).map_err(|error| damaged(what, &error))?;
    Ok(bytes)
}

/// Reads a set from the beginning of `bytes`, and advances `bytes` past it.
pub(super) fn decode(bytes: &mut &[u8], what: &str) -> Result<RoaringBitmap> {
    RoaringBitmap::deserialize_from(bytes).map_err(|error| damaged(what, &error))
}

fn damaged(what: &str, error: &io::Error) -> Error {
    Error::Damaged(format!("a set of {what} ({error})"))
}
