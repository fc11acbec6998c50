//! The user that servers run as, because some refuse to run as root.

use std::{fs, os::unix::fs::chown, os::unix::process::CommandExt, path::Path, process::Command};

/// An unprivileged user.
#[derive(Clone, Copy, Debug)]
pub(crate) struct User {
    uid: u32,
    gid: u32,
}

impl User {
    /// The first existing user of `names`, if this process runs as root. `None`: servers run as the
    /// current user.
    pub(crate) fn unprivileged(names: &[&str]) -> Option<Self> {
        let root = fs::metadata("/proc/self").is_ok_and(|own| {
            use std::os::unix::fs::MetadataExt;
            own.uid() == 0
        });
        if !root {
            return None;
        }
        let users = fs::read_to_string("/etc/passwd").unwrap();
        names.iter().find_map(|name| {
            let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
            let mut numbers = line.split(':').skip(2).map(|number| number.parse().ok());
            Some(Self { uid: numbers.next()??, gid: numbers.next()?? })
        })
    }

    pub(crate) fn owns(self, path: &Path) {
        chown(path, Some(self.uid), Some(self.gid)).unwrap();
    }

    pub(crate) fn runs(self, command: &mut Command) {
        command.uid(self.uid).gid(self.gid);
    }
}
