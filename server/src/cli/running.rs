//! The services that run on this machine and the databases they use, for commands: a command on another database than
//! that of the service it is meant for would succeed and change nothing that anybody sees.
//!
//! Each service keeps a small file with the name of its database, and locks it. The lock ends with the process, however
//! that ends, so a file without a lock is a leftover. A service and a command belong together if they read the same
//! settings file, or, without one, work in the same folder. So several services with settings of their own don't meet.

use std::{
    fs::{self, File, Permissions, TryLockError},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use anyhow::bail;
use serde::{Deserialize, Serialize};

use super::invocation::Setting;

/// The suffix of complete files.
const SUFFIX: &str = ".running";
/// The setting that decides.
pub(super) const SETTING: &str = "database-url";

/// The place that settings come from: the settings file, or the working directory without one.
fn home(settings_file: Option<&Path>) -> io::Result<PathBuf> {
    fs::canonicalize(settings_file.unwrap_or(Path::new(".")))
}

/// The contents of a file.
#[derive(Debug, Serialize, Deserialize)]
struct Announced {
    /// As messages name it: without a password.
    database: String,
    process: u32,
    home: PathBuf,
}

/// The announcement of a service; ends when it is dropped, or with the process.
#[derive(Debug)]
pub(super) struct Announcement {
    path: PathBuf,
    _locked: File,
}

impl Announcement {
    /// Announces that this process serves `database`, in the first of the folders that it may write to; removes what
    /// services left behind that were killed.
    ///
    /// # Errors
    /// No folder can be written to.
    pub(super) fn of(
        database: String,
        settings_file: Option<&Path>,
        folders: &[PathBuf],
    ) -> io::Result<Self> {
        let home = home(settings_file)?;
        let announced = Announced { database, process: std::process::id(), home };
        let text = serde_json::to_vec(&announced)?;
        let mut refused = io::Error::from(io::ErrorKind::NotFound);
        for folder in folders {
            match write(folder, &text) {
                Ok(announcement) => return Ok(announcement),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }
}

fn write(folder: &Path, text: &[u8]) -> io::Result<Announcement> {
    if !folder.is_dir() {
        fs::create_dir(folder)?;
        fs::set_permissions(folder, Permissions::from_mode(0o755))?;
    }
    for path in announcements(folder) {
        if is_left_behind(&path) {
            // Another service that starts may be faster.
            _ = fs::remove_file(path);
        }
    }
    // Under its name only when it is complete and locked.
    let process = std::process::id();
    let [incomplete, path] =
        [format!(".{process}"), format!("{process}{SUFFIX}")].map(|name| folder.join(name));
    let mut file = File::create(&incomplete)?;
    file.set_permissions(Permissions::from_mode(0o644))?;
    file.lock()?;
    file.write_all(text)?;
    fs::rename(incomplete, &path)?;
    Ok(Announcement { path, _locked: file })
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // If it stays, it is a leftover like that of a service that was killed.
        _ = fs::remove_file(&self.path);
    }
}

/// The complete files of a folder; none if it cannot be read.
fn announcements(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.to_string_lossy().ends_with(SUFFIX)).collect()
}

fn is_left_behind(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock_shared().is_ok())
}

/// What a running service announces; nothing that was left behind, or that is no announcement.
fn running(path: &Path) -> Option<Announced> {
    let file = File::open(path).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => serde_json::from_reader(file).ok(),
        _ => None,
    }
}

/// Checks that the database of a command is that of the running service it belongs to, if one runs.
///
/// # Errors
/// Services run, and all of them use another database.
pub(super) fn check(
    database: &str,
    settings: &[Setting],
    settings_file: Option<&Path>,
    folders: &[PathBuf],
) -> anyhow::Result<()> {
    let Ok(home) = home(settings_file) else { return Ok(()) };
    let paths = folders.iter().flat_map(|folder| announcements(folder));
    let services = paths.filter_map(|path| running(&path)).filter(|found| found.home == home);
    let services: Vec<Announced> = services.collect();
    let Some(Announced { database: served, process, .. }) = services.first() else {
        return Ok(());
    };
    if services.iter().any(|service| are_same(&service.database, database)) {
        return Ok(());
    }
    let from = settings.iter().find(|setting| setting.name == SETTING);
    let from = from.map(|setting| format!(" ({SETTING}: {})", setting.from)).unwrap_or_default();
    bail!(
        "the running service (process {process}) uses the database {served}, but this command would use \
         {database}{from}. If the settings have changed, restart the service; to use this database \
         nevertheless, name it with --database-url"
    )
}

/// Whether two names are of one database: paths may differ by links.
fn are_same(one: &str, other: &str) -> bool {
    let file = |name: &str| fs::canonicalize(name).ok();
    one == other || file(one).is_some_and(|path| file(other) == Some(path))
}
