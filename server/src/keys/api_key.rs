use std::fmt;

use sha2::{Digest, Sha256};

use crate::random::{BASE62, Random};

const MARK: &str = "svc_";
const SECRET_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;
/// The characters by which people name a key: its mark and eight of its secret.
pub const PREFIX_LENGTH: usize = 12;

/// A key that is well-formed: its mark and its checksum are right. Never logged: `Debug` shows the
/// prefix alone.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A new key with 190 bits of randomness.
    pub fn generate(random: &Random) -> Self {
        let secret = random.base62(SECRET_LENGTH);
        let checksum = checksum(secret.as_bytes());
        Self(format!("{MARK}{secret}{checksum}"))
    }

    /// The key in `text`, or nothing where mark, length, characters or checksum are wrong: a typing
    /// error is then known without a look-up.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(MARK)?.as_bytes();
        if rest.len() != SECRET_LENGTH + CHECKSUM_LENGTH
            || !rest.iter().all(u8::is_ascii_alphanumeric)
        {
            return None;
        }
        let (secret, given) = rest.split_at(SECRET_LENGTH);
        (checksum(secret).as_bytes() == given).then(|| Self(text.to_owned()))
    }

    /// The whole key, to be shown once.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What people call it.
    pub fn prefix(&self) -> &str {
        &self.0[..PREFIX_LENGTH]
    }

    /// What is stored. A plain hash is enough where the secret has 190 random bits: there is nothing
    /// to guess.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({}…)", self.prefix())
    }
}

/// CRC-32 of the secret's characters as six base62 digits, highest first.
fn checksum(secret: &[u8]) -> String {
    let mut rest = crc32fast::hash(secret);
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_mark_secret_and_checksum() {
        let key = ApiKey::generate(&Random::seeded(1));
        assert_eq!(key.as_str().len(), 42);
        assert_eq!(ApiKey::parse(key.as_str()), Some(key.clone()));
        assert_eq!(format!("{key:?}"), format!("ApiKey({}…)", &key.as_str()[..12]));
        assert_ne!(key, ApiKey::generate(&Random::seeded(2)));
    }

    #[test]
    fn the_checksum_is_that_of_crc_32() {
        // From Python's zlib.crc32(b"0" * 32) and its base62 digits.
        assert_eq!(checksum(&[b'0'; 32]), "2wjyrI");
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
