//! Result of a copy.

use std::path::{Path, PathBuf};

use crate::{Store, error::Result, events::secrets::keys_in_use, secrets::KeyId};

/// Result of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Names of the databases in messages.
    pub from: String,
    pub to: String,
    pub tables: Vec<CopiedTable>,
    /// Whether the source was changed after the moment that the copy is of.
    pub source_has_changed: bool,
    pub secrets: CopiedSecrets,
}

/// A table of a copy.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct CopiedTable {
    pub table: String,
    /// Number of rows that both sides have.
    pub rows: u64,
}

/// Keys of webhook secrets, which are in no database, and which a service on the copy needs.
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
        let has_all = |store: &Store| {
            // A file that cannot be read is one that does not have them.
            let known = store.keyring().ids().unwrap_or_default();
            keys.iter().all(|key| known.contains(key))
        };
        let (source_has_all, missing) = (has_all(source), !has_all(target));
        let file = |store: &Store| store.keyring().place().file().map(Path::to_owned);
        let (source, target) = (file(source).filter(|_| source_has_all), file(target));
        Ok(Self { keys, source, target, missing })
    }
}
