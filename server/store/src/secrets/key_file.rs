//! Key file: one key per line, in base64 or hexadecimal, newest first. Lines that begin with `#` are comments.
//!
//! The file is replaced as a whole by a file that is already on the disk, so that after a crash, either the old or the new
//! one is there. Only the holder of the database's write lock may replace it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, fchown},
    path::{Path, PathBuf},
};

use zeroize::Zeroizing;

use super::{
    error::{Error, Result},
    master_key::MasterKey,
};

const EXPLANATION: &str = "\
# What svc encrypts webhook secrets with; the newest key is the first. Keep a copy of this file apart from
# backups of the database: without it, nothing can be sent to webhooks any more.
";

/// Permission bits of everybody but the owner.
const OTHERS: u32 = 0o077;

/// Keys in a file; `None` if the file does not exist.
pub(super) fn read(file: &Path) -> Result<Option<Vec<MasterKey>>> {
    let Some(text) = text(file)? else { return Ok(None) };
    let mut keys = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let malformed = || Error::Malformed { file: file.to_owned(), line: line + 1 };
        keys.push(MasterKey::parse(text).ok_or_else(malformed)?);
    }
    if keys.is_empty() { Err(Error::Empty(file.to_owned())) } else { Ok(Some(keys)) }
}

fn text(file: &Path) -> Result<Option<Zeroizing<String>>> {
    let unreadable =
        |error: io::Error| Error::Unreadable { file: file.to_owned(), reason: reason(&error) };
    let mut opened = match File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(unreadable)?,
    };
    let mode = opened.metadata().map_err(unreadable)?.mode();
    if mode & OTHERS != 0 {
        return Err(Error::Exposed { file: file.to_owned(), mode: mode & 0o7777 });
    }
    let mut text = Zeroizing::new(String::new());
    opened.read_to_string(&mut text).map_err(unreadable)?;
    Ok(Some(text))
}

/// Writes the keys to `file`, which is then on the disk. It gets the owner of the file that it replaces or, if there
/// was none, of `beside`: a command run by root must not lock the service out.
pub(super) fn write(file: &Path, keys: &[MasterKey], beside: Option<&Path>) -> Result<()> {
    // A symbolic link is kept.
    let target = &fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let mut text = Zeroizing::new(EXPLANATION.to_owned());
    for key in keys {
        text.push_str(&key.to_text());
        text.push('\n');
    }
    replace(target, &text, beside)
        .map_err(|error| Error::NotWritten { file: file.to_owned(), reason: reason(&error) })
}

fn replace(target: &Path, text: &str, beside: Option<&Path>) -> io::Result<()> {
    let new = new_name(target);
    match fs::remove_file(&new) {
        // A killed process may have left the file.
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    let owner =
        [Some(target), beside].into_iter().flatten().find_map(|file| fs::metadata(file).ok());
    if let Some(owner) = owner {
        // Only root may change a file's owner.
        let _ = fchown(&written, Some(owner.uid()), Some(owner.gid()));
    }
    written.write_all(text.as_bytes())?;
    written.sync_all()?;
    fs::rename(&new, target)?;
    File::open(folder(target))?.sync_all()
}

/// Name of the new file. Always the same, so that copies of old keys do not accumulate.
fn new_name(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "let the user that svc runs as read and write it and its folder".to_owned()
        }
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::InvalidData => "it is not text".to_owned(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full: free some space".to_owned()
        }
        io::ErrorKind::ReadOnlyFilesystem => "its file system is mounted read-only".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use base::random::Random;

    use super::*;

    fn file_with(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("svc.key");
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
        (folder, file)
    }

    fn keys(count: u64) -> Vec<MasterKey> {
        (0..count).map(|seed| MasterKey::generate(&Random::seeded(seed))).collect()
    }

    fn ids(keys: &[MasterKey]) -> Vec<&str> {
        keys.iter().map(|key| key.id().as_str()).collect()
    }

    #[test]
    fn keys_come_back_in_their_order_from_a_file_that_only_its_owner_may_use() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("svc.key");
        assert!(read(&file).unwrap().is_none());
        for count in [1, 3, 2] {
            write(&file, &keys(count), Some(folder.path())).unwrap();
            assert_eq!(ids(&read(&file).unwrap().unwrap()), ids(&keys(count)));
            assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o600);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_a_killed_process_left_is_written_over() {
        let (folder, file) = file_with("");
        fs::write(folder.path().join("svc.key.new"), "half a k").unwrap();
        write(&file, &keys(1), Some(folder.path())).unwrap();
        assert_eq!(ids(&read(&file).unwrap().unwrap()), ids(&keys(1)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_to_the_file_stays() {
        let (folder, file) = file_with("");
        let link = folder.path().join("link.key");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, &keys(1), Some(folder.path())).unwrap();
        assert!(link.is_symlink());
        assert_eq!(ids(&read(&file).unwrap().unwrap()), ids(&keys(1)));
    }

    #[test]
    fn a_file_that_others_may_use_is_refused() {
        let key = keys(1)[0].to_text();
        let (_folder, file) = file_with(&key);
        for mode in [0o640, 0o604, 0o660, 0o644] {
            fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
            let name = file.display();
            assert_eq!(
                read(&file).unwrap_err().to_string(),
                format!(
                    "others than its owner may use the key file {name} (mode {mode:04o}): run \
                     `chmod 600 {name}`"
                )
            );
        }
    }

    #[test]
    fn a_file_without_keys_is_refused_and_its_lines_are_not_shown() {
        let key = keys(1)[0].to_text();
        for (text, said) in [
            (String::new(), "the key file FILE has no key in it: put back your copy of it"),
            (
                "# a key\n\n".to_owned(),
                "the key file FILE has no key in it: put back your copy of it",
            ),
            (
                format!("# keys\n{}\n{}\n", key.as_str(), &key[1..]),
                "line 3 of the key file FILE is not a key: each is base64 or hexadecimal of 32 bytes",
            ),
        ] {
            let (_folder, file) = file_with(&text);
            let said = said.replace("FILE", &file.display().to_string());
            assert_eq!(read(&file).unwrap_err().to_string(), said);
        }
    }
}
