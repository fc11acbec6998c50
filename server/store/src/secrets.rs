//! Webhook secrets at rest: encrypted, so that nobody can sign webhooks with only the database or a backup of it.
//!
//! A secret is encrypted with a [master key](master_key) by XChaCha20-Poly1305, and bound to the id of its
//! subscription, so that a ciphertext copied to another row does not decrypt. The short id of the key is stored with
//! it. The [`keyring`] has the keys, either from a [file](key_file) beside the database, which is created when the
//! first secret is stored, or from the environment. There may be several keys, newest first: the newest encrypts, all
//! decrypt.
//!
//! To change the key, `svc keys rotate-master` puts a new one before the others, re-encrypts each secret with it, and
//! removes the others when no secret uses them any more. A running service reads the file again when it finds an
//! unknown key id, and before it encrypts. The file only changes inside a write transaction, of which the database
//! allows one at a time. So no two processes change it at once, and no key is removed while another process encrypts
//! with it.

mod error;
mod key_file;
mod keyring;
mod location;
mod master_key;

pub use self::{
    error::{Error, Result},
    keyring::Keyring,
    location::KeyLocation,
    master_key::{KeyId, Sealed},
};
