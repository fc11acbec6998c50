//! What a service on the copy needs to sign webhooks.

use std::path::{Path, PathBuf};

use crate::{Store, error::Result, events::secrets::keys_in_use, secrets::KeyId};

/// The keys of webhook secrets, which are in no database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedSecrets {
    /// The ids of the keys that secrets in the copy are encrypted with.
    pub keys: Vec<KeyId>,
    /// The file beside the source, if it has these keys.
    pub source: Option<PathBuf>,
    /// The file in which a service on the copy looks for them, unless its settings say otherwise. None of a
    /// database on a server.
    pub target: Option<PathBuf>,
    /// Whether some of them are not in that file.
    pub missing: bool,
}

impl CopiedSecrets {
    pub(super) async fn between(source: &Store, target: &Store) -> Result<Self> {
        let keys = keys_in_use(&target.readers).await?;
        let present = |store: &Store| {
            // A file that cannot be read is one that does not have them.
            let known = store.keyring().ids().unwrap_or_default();
            keys.iter().all(|key| known.contains(key))
        };
        let (source_has, target_has) = (present(source), present(target));
        let file = |store: &Store| store.keyring().place().file().map(Path::to_owned);
        Ok(Self {
            source: file(source).filter(|_| source_has),
            target: file(target),
            missing: !target_has,
            keys,
        })
    }
}
