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
    /// Whether the source was changed after the copy read it.
    pub source_has_changed: bool,
    pub secrets: CopiedSecrets,
}

/// Copied table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct CopiedTable {
    pub table: String,
    /// Number of rows on either side.
    pub rows: u64,
}

/// Keys of webhook secrets. They are stored in no database, and a service on the copy needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedSecrets {
    /// Ids of the keys that secrets in the copy are encrypted with.
    pub keys: Vec<KeyId>,
    /// Key file beside the source, if it has these keys.
    pub source: Option<PathBuf>,
    /// Key file that a service on the copy reads, unless its settings name another. `None` for a database on a server.
    pub target: Option<PathBuf>,
    /// Whether that file lacks any of them.
    pub missing: bool,
}

impl CopiedSecrets {
    pub(super) async fn between(source: &Store, target: &Store) -> Result<Self> {
        let keys = keys_in_use(&target.readers).await?;
        let has_all = |store: &Store| {
            // An unreadable file counts as one without keys.
            let known = store.keyring().ids().unwrap_or_default();
            keys.iter().all(|key| known.contains(key))
        };
        let (source_has_all, missing) = (has_all(source), !has_all(target));
        let file = |store: &Store| store.keyring().place().file().map(Path::to_owned);
        let (source, target) = (file(source).filter(|_| source_has_all), file(target));
        Ok(Self { keys, source, target, missing })
    }
}
