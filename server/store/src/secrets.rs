//! Webhook secrets at rest: encrypted, so that nobody who has the database or a backup can sign webhooks.
//!
//! How it works. A secret is encrypted with a [master key](master_key) by XChaCha20-Poly1305, and bound to the
//! id of its subscription, so that a ciphertext that is copied to another row does not decrypt. The short id
//! of the key is stored with it. The [`keyring`] has the keys: from a [file](key_file) beside the database,
//! which is made when the first secret is stored, or from the environment. It may have several, the newest
//! first; that one encrypts, all decrypt.
//!
//! To change the key, `svc keys rotate-master` puts a new one before the others, encrypts secret after secret
//! with it, and removes the others when no secret uses them any more. A running service reads the file again
//! when it meets the id of a key that it does not know, and before it encrypts. The file only changes
//! inside a write transaction, in which the database has one process at a time: so no two processes change
//! it at once, and no key is removed while another process encrypts with it.

mod error;
mod key_file;
mod keyring;
mod master_key;
mod place;

pub use self::{
    error::{Error, Result},
    keyring::Keyring,
    master_key::{KeyId, Sealed},
    place::Place,
};
