use super::common::{APPROVED, PENDING, REJECTED, WITHDRAWN};
use kit::words::Words;

/// A status in words, for use within a sentence: `PENDING` is "pending". Unknown ones are returned
/// as they are.
pub fn status(words: &Words, name: &str) -> String {
    let word = match name {
        "PENDING" => PENDING,
        "APPROVED" => APPROVED,
        "REJECTED" => REJECTED,
        "WITHDRAWN" => WITHDRAWN,
        _ => return name.to_owned(),
    };
    words.text(word).to_owned()
}
