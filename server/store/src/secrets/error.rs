use std::path::PathBuf;

use super::{location::KeyLocation, master_key::KeyId};

/// Error about keys or encrypted secrets. The messages are for the operator, and never contain a key.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the key file {} cannot be read: {reason}", file.display())]
    Unreadable { file: PathBuf, reason: String },
    #[error(
        "others than its owner may use the key file {} (mode {mode:04o}): run `chmod 600 {}`",
        file.display(), file.display()
    )]
    Exposed { file: PathBuf, mode: u32 },
    #[error(
        "line {line} of the key file {} is not a key: each is base64 or hexadecimal of 32 bytes",
        file.display()
    )]
    Malformed { file: PathBuf, line: usize },
    #[error("the key file {} has no key in it: put back your copy of it", .0.display())]
    Empty(PathBuf),
    #[error("the key file {} could not be written: {reason}", file.display())]
    NotWritten { file: PathBuf, reason: String },
    #[error(
        "SVC_SECRET_KEY is not a key: give base64 or hexadecimal of 32 bytes, and if there are several, \
         the newest first, with commas between them"
    )]
    MalformedVariable,
    #[error(
        "both SVC_SECRET_KEY and --secret-key-file (SVC_SECRET_KEY_FILE) are set: give the key in one of \
         them"
    )]
    Twice,
    #[error(
        "webhook secrets are encrypted with the key {key}, which is not in {place}: put back the key \
         that belongs to this database"
    )]
    Unknown { key: KeyId, place: KeyLocation },
    #[error(
        "the secret of the subscription {subscription} cannot be decrypted: it was changed in the database \
         or copied from another; the partner has to subscribe again"
    )]
    Damaged { subscription: String },
    #[error("the key {key} is not lost: it is in {place}")]
    NotLost { key: KeyId, place: KeyLocation },
    #[error(
        "the key is the only one in SVC_SECRET_KEY: to change it, put a new one (`openssl rand -base64 32`) \
         and a comma before it, restart the service with that, and run this again with the same"
    )]
    OnlyKey,
    #[error(
        "there is no key to encrypt webhook secrets with: create one (`openssl rand -base64 32`) and give all \
         nodes the same, in SVC_SECRET_KEY or in a file with --secret-key-file"
    )]
    NoKey,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
