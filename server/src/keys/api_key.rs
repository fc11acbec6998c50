use std::fmt;

use base::random::{BASE62, Random};
use sha2::{Digest, Sha256};

const MARK: &str = "svc_";
const SECRET_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;
const LENGTH: usize = MARK.len() + SECRET_LENGTH + CHECKSUM_LENGTH;
/// Length of the part that identifies a key to people: its mark and eight characters of its secret.
pub const PREFIX_LENGTH: usize = 12;

/// A well-formed key: its mark and its checksum are right. Never logged: `Debug` shows only the prefix. An array,
/// because every request with a key parses one: this allocates nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ApiKey([u8; LENGTH]);

impl ApiKey {
    /// Makes a new key with 190 bits of randomness.
    pub fn generate(random: &Random) -> Self {
        Self::with_secret(random.base62(SECRET_LENGTH).as_bytes())
    }

    /// Parses a key. Returns `None` if the mark, length, characters or checksum are wrong: this detects a typing error
    /// without a query.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(MARK)?.as_bytes();
        if rest.len() != SECRET_LENGTH + CHECKSUM_LENGTH
            || !rest.iter().all(u8::is_ascii_alphanumeric)
        {
            return None;
        }
        let key = Self::with_secret(&rest[..SECRET_LENGTH]);
        (key.0 == text.as_bytes()).then_some(key)
    }

    fn with_secret(secret: &[u8]) -> Self {
        let mut key = [0; LENGTH];
        let (mark, rest) = key.split_at_mut(MARK.len());
        mark.copy_from_slice(MARK.as_bytes());
        let (body, sum) = rest.split_at_mut(SECRET_LENGTH);
        body.copy_from_slice(secret);
        sum.copy_from_slice(&checksum(secret));
        Self(key)
    }

    /// The whole key, which is shown once.
    pub fn as_str(&self) -> &str {
        text(&self.0)
    }

    /// The part that identifies the key to people.
    pub fn prefix(&self) -> &str {
        text(&self.0[..PREFIX_LENGTH])
    }

    /// The stored hash. A plain hash is enough: a secret with 190 random bits can't be guessed.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({}…)", self.prefix())
    }
}

/// Returns the prefix for `given`, which is a prefix or a whole key; `None` if the text is neither.
pub fn prefix_of(given: &str) -> Option<&str> {
    match given.len() {
        PREFIX_LENGTH | LENGTH => given.get(..PREFIX_LENGTH),
        _ => None,
    }
}

/// Converts a part of a key, which is ASCII.
fn text(part: &[u8]) -> &str {
    std::str::from_utf8(part).unwrap_or_default()
}

/// CRC-32 of the secret's characters as six base62 digits, highest first.
fn checksum(secret: &[u8]) -> [u8; CHECKSUM_LENGTH] {
    let mut rest = crc32fast::hash(secret);
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_mark_secret_and_checksum() {
        let key = ApiKey::generate(&Random::seeded(1));
        assert_eq!(key.as_str().len(), 42);
        assert_eq!(ApiKey::parse(key.as_str()), Some(key));
        assert_eq!(format!("{key:?}"), format!("ApiKey({}…)", &key.as_str()[..12]));
        assert_ne!(key, ApiKey::generate(&Random::seeded(2)));
    }

    #[test]
    fn the_checksum_is_that_of_crc_32() {
        // From Python's zlib.crc32(b"0" * 32) and its base62 digits.
        assert_eq!(&checksum(&[b'0'; 32]), b"2wjyrI");
    }

    #[test]
    fn one_wrong_character_is_noticed_anywhere() {
        let key = ApiKey::generate(&Random::seeded(3)).as_str().to_owned();
        for at in 0..key.len() {
            let mut bytes = key.clone().into_bytes();
            bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
            assert_eq!(ApiKey::parse(std::str::from_utf8(&bytes).unwrap()), None, "at {at}");
        }
        for wrong in ["", "svc_", &key[..41], &format!("{key}0"), &key.replace("svc_", "SVC_")] {
            assert_eq!(ApiKey::parse(wrong), None, "{wrong}");
        }
        let umlaut = format!("svc_ä{}", &key[6..]);
        assert_eq!((umlaut.len(), ApiKey::parse(&umlaut)), (42, None));
    }
}
