//! Keys in use, and their sources.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use base::random::Random;

use super::{
    error::{Error, Result},
    key_file,
    location::KeyLocation,
    master_key::{KeyId, MasterKey, Sealed},
};

/// Keys for encrypting webhook secrets. Cheap to clone.
///
/// Keys are read when they are first needed. The methods that change the file, [`Keyring::create`], [`Keyring::add`]
/// and [`Keyring::keep_newest`], are only called inside a write transaction, as is [`Keyring::seal`].
#[derive(Clone, Debug)]
pub struct Keyring {
    place: KeyLocation,
    /// Newest first. For a file, the keys it had when it was last read.
    known: Arc<Mutex<Vec<MasterKey>>>,
}

impl Keyring {
    /// Keyring of a file, which is created when a key is needed.
    pub fn of_file(file: PathBuf) -> Self {
        Self { place: KeyLocation::File(file), known: Arc::default() }
    }

    /// Keyring without keys. Those of a database on a server have to be configured, because all nodes need the same.
    pub fn missing() -> Self {
        Self { place: KeyLocation::Nowhere, known: Arc::default() }
    }

    /// Keyring from the text of SVC_SECRET_KEY: newest first, separated by commas.
    pub fn of_text(text: &str) -> Result<Self> {
        let keys: Option<Vec<_>> =
            text.split(',').map(|text| MasterKey::parse(text.trim())).collect();
        let known = Arc::new(Mutex::new(keys.ok_or(Error::MalformedVariable)?));
        Ok(Self { place: KeyLocation::Environment, known })
    }

    /// Keyring of the file beside a database: `svc.key` for `svc.db`.
    pub fn beside(database: &Path) -> Self {
        // Follows links, so that every path to the database leads to the same file.
        let database = std::fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
        let mut file = database.with_extension("key");
        if file == database {
            file.as_mut_os_string().push(".key");
        }
        Self::of_file(file)
    }

    /// Location of the keys.
    pub fn place(&self) -> &KeyLocation {
        &self.place
    }

    /// Current ids of the keys, newest first.
    pub fn ids(&self) -> Result<Vec<KeyId>> {
        self.reread()?;
        Ok(self.known().iter().map(|key| key.id().clone()).collect())
    }

    /// Encrypts the secret of a subscription with the newest key. `None` if there is no key.
    pub fn seal(
        &self,
        secret: &str,
        subscription: &str,
        random: &Random,
    ) -> Result<Option<Sealed>> {
        self.reread()?;
        Ok(self.known().first().map(|key| key.seal(secret, subscription, random)))
    }

    /// Decrypts the secret of a subscription.
    ///
    /// # Errors
    /// [`Error::Unknown`] if its key is not among these, [`Error::Damaged`].
    pub fn open(&self, sealed: &Sealed, subscription: &str) -> Result<String> {
        let open = || {
            let known = self.known();
            let key = known.iter().find(|key| *key.id() == sealed.key)?;
            let damaged = || Error::Damaged { subscription: subscription.to_owned() };
            Some(key.open(&sealed.bytes, subscription).ok_or_else(damaged))
        };
        if let Some(opened) = open() {
            return opened;
        }
        // Perhaps the key is new.
        self.reread()?;
        open().unwrap_or_else(|| {
            Err(Error::Unknown { key: sealed.key.clone(), place: self.place.clone() })
        })
    }

    /// Creates the first key, for a database without encrypted secrets.
    pub fn create(&self, random: &Random, database: Option<&Path>) -> Result<KeyId> {
        let key = self.add(random, database)?;
        tracing::warn!(
            "created the key {key} for encrypting webhook secrets, in {}: keep a copy of this file in a safe place, \
                apart from backups of the database",
            self.place
        );
        Ok(key)
    }

    /// Adds a new key before the others.
    pub fn add(&self, random: &Random, database: Option<&Path>) -> Result<KeyId> {
        let file = match &self.place {
            KeyLocation::File(file) => file,
            KeyLocation::Environment => return Err(Error::OnlyKey),
            KeyLocation::Nowhere => return Err(Error::NoKey),
        };
        let mut keys = key_file::read(file)?.unwrap_or_default();
        let new = MasterKey::generate(random);
        let id = new.id().clone();
        keys.insert(0, new);
        key_file::write(file, &keys, database)?;
        *self.known() = keys;
        Ok(id)
    }

    /// Removes all keys but the newest from the file. Does nothing if the keys are from the environment.
    pub fn keep_newest(&self, database: Option<&Path>) -> Result<()> {
        let KeyLocation::File(file) = &self.place else { return Ok(()) };
        let Some(mut keys) = key_file::read(file)? else { return Ok(()) };
        if keys.len() > 1 {
            keys.truncate(1);
            key_file::write(file, &keys, database)?;
        }
        *self.known() = keys;
        Ok(())
    }

    /// Reads the file again. If the file is gone, the known keys are kept, so that a running service continues to work.
    fn reread(&self) -> Result<()> {
        if let KeyLocation::File(file) = &self.place
            && let Some(keys) = key_file::read(file)?
        {
            *self.known() = keys;
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Vec<MasterKey>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_stands_beside_the_database_and_never_is_it() {
        for (database, file) in [
            ("/nowhere/svc.db", "svc.key"),
            ("/nowhere/svc", "svc.key"),
            ("/nowhere/svc.key", "svc.key.key"),
        ] {
            let place = KeyLocation::File(Path::new("/nowhere").join(file));
            assert_eq!(Keyring::beside(Path::new(database)).place, place);
        }
    }

    #[test]
    fn keys_of_the_environment_decrypt_with_all_and_encrypt_with_the_first() {
        let random = Random::seeded(1);
        let [one, other] = [1, 2].map(|_| MasterKey::generate(&random));
        let both = format!("{}, {}", one.to_text().as_str(), other.to_text().as_str());
        let (both, only) =
            (Keyring::of_text(&both).unwrap(), Keyring::of_text(&other.to_text()).unwrap());
        let new = both.seal("a secret", "sub_A", &random).unwrap().unwrap();
        assert_eq!(new.key, *one.id());
        let old = only.seal("a secret", "sub_A", &random).unwrap().unwrap();
        assert_eq!(both.open(&old, "sub_A").unwrap(), "a secret");
        assert!(matches!(only.open(&new, "sub_A"), Err(Error::Unknown { .. })));
        for wrong in ["", "short", "a,b", &format!("{},", one.to_text().as_str())] {
            assert!(matches!(Keyring::of_text(wrong), Err(Error::MalformedVariable)), "{wrong}");
        }
    }

    #[test]
    fn a_keyring_finds_a_key_that_another_process_has_added() {
        let folder = tempfile::tempdir().unwrap();
        let random = Random::seeded(1);
        let [ours, theirs] = [1, 2].map(|_| Keyring::of_file(folder.path().join("svc.key")));
        assert_eq!(ours.seal("a secret", "sub_A", &random).unwrap(), None);
        ours.create(&random, Some(folder.path())).unwrap();
        let first = ours.seal("a secret", "sub_A", &random).unwrap().unwrap();
        theirs.add(&random, Some(folder.path())).unwrap();
        let second = theirs.seal("a secret", "sub_A", &random).unwrap().unwrap();
        assert_ne!(first.key, second.key);
        for sealed in [&first, &second] {
            assert_eq!(ours.open(sealed, "sub_A").unwrap(), "a secret");
        }
        theirs.keep_newest(Some(folder.path())).unwrap();
        assert_eq!(ours.ids().unwrap(), [second.key]);
        assert!(matches!(ours.open(&first, "sub_A"), Err(Error::Unknown { .. })));
    }
}
