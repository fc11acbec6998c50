//! Uploaded files that wait to be imported, on the disk of this node.
//!
//! The files have no names, so the system deletes them when the process ends, however it ends. A file is deleted an hour
//! after it was sent, when it has been imported, or when its sender has sent several others.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use base::{clock::Clock, random::Random};
use chrono::{DateTime, TimeDelta, Utc};
use import::Section;
use store::Store;

/// Time during which a file waits.
const KEPT_FOR: TimeDelta = TimeDelta::hours(1);
/// Maximum number of files of one person.
const MAX_OF_PERSON: usize = 4;
/// Maximum number of files of all people.
const MAX_FILES: usize = 40;
/// Maximum number of bytes of all files.
const MAX_BYTES: u64 = 8 << 30;
/// Length of an id, in characters.
const ID_LENGTH: usize = 20;

/// All files of this node.
#[derive(Debug)]
pub(crate) struct Uploads {
    folder: PathBuf,
    clock: Clock,
    random: Random,
    /// Oldest first.
    kept: Mutex<VecDeque<Upload>>,
}

/// An uploaded file.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    pub(crate) id: String,
    /// Name of the file, if it has one.
    pub(crate) name: Option<String>,
    holder: String,
    file: Arc<File>,
    bytes: u64,
    kept_until: DateTime<Utc>,
}

impl Upload {
    /// The content, from its beginning.
    pub(crate) fn content(&self) -> Section {
        Section::new(self.file.clone(), 0, self.bytes)
    }
}

/// A file that is arriving.
#[derive(Debug)]
pub(crate) struct Arriving {
    file: File,
    bytes: u64,
}

impl Uploads {
    /// Keeps files beside the database, or in the system's folder if the database is on a server.
    pub(crate) fn new(store: &Store, clock: Clock, random: Random) -> Self {
        let beside = store.file().and_then(Path::parent).map(|folder| match folder.as_os_str() {
            name if name.is_empty() => PathBuf::from("."),
            _ => folder.to_owned(),
        });
        let folder = beside.unwrap_or_else(std::env::temp_dir);
        Self { folder, clock, random, kept: Mutex::default() }
    }

    /// Begins a file.
    pub(crate) fn begin(&self) -> io::Result<Arriving> {
        self.sweep();
        Ok(Arriving { file: tempfile::tempfile_in(&self.folder)?, bytes: 0 })
    }

    /// Keeps a file that has arrived for a person. Returns its id.
    pub(crate) fn end(&self, arrived: Arriving, name: Option<String>, holder: &str) -> String {
        let Arriving { file, bytes } = arrived;
        let id = self.random.base62(ID_LENGTH);
        self.keep(Upload {
            id: id.clone(),
            name,
            holder: holder.to_owned(),
            file: Arc::new(file),
            bytes,
            kept_until: self.clock.now() + KEPT_FOR,
        });
        id
    }

    /// The file with this id, if this person has sent it.
    pub(crate) fn find(&self, id: &str, holder: &str) -> Option<Upload> {
        self.sweep();
        self.kept().iter().find(|upload| upload.id == id && upload.holder == holder).cloned()
    }

    /// Takes the file with this id, so that it is imported only once.
    pub(crate) fn take(&self, id: &str, holder: &str) -> Option<Upload> {
        self.sweep();
        let mut kept = self.kept();
        let place = kept.iter().position(|upload| upload.id == id && upload.holder == holder)?;
        kept.remove(place)
    }

    /// Keeps a file, and deletes the oldest ones beyond the limits.
    pub(crate) fn keep(&self, upload: Upload) {
        let mut kept = self.kept();
        let holder = upload.holder.clone();
        kept.push_back(upload);
        let is_own = |upload: &Upload| upload.holder == holder;
        while kept.iter().filter(|upload| is_own(upload)).count() > MAX_OF_PERSON {
            let oldest = kept.iter().position(is_own).unwrap_or_default();
            kept.remove(oldest);
        }
        while kept.len() > MAX_FILES {
            kept.pop_front();
        }
    }

    /// Deletes files that have waited for too long.
    pub(crate) fn sweep(&self) {
        let now = self.clock.now();
        self.kept().retain(|upload| upload.kept_until > now);
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, VecDeque<Upload>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bytes(&self) -> u64 {
        self.kept().iter().map(|upload| upload.bytes).sum()
    }
}

impl Arriving {
    /// Adds a piece.
    ///
    /// # Errors
    /// The disk is full, or the limit of all files is reached.
    pub(crate) fn add(&mut self, uploads: &Uploads, piece: &[u8]) -> io::Result<()> {
        self.bytes += piece.len() as u64;
        if self.bytes + uploads.bytes() > MAX_BYTES {
            return Err(io::Error::other(
                "the files that wait to be imported have 8 GiB; import it with svc reports import",
            ));
        }
        self.file.write_all(piece)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use base::time::parse_instant;

    use super::*;

    fn uploads() -> Uploads {
        Uploads {
            folder: std::env::temp_dir(),
            clock: Clock::stepped(parse_instant("2026-03-01T12:00:00.000Z").unwrap()),
            random: Random::system(),
            kept: Mutex::default(),
        }
    }

    fn send(uploads: &Uploads, content: &str, holder: &str) -> String {
        let mut arriving = uploads.begin().unwrap();
        arriving.add(uploads, content.as_bytes()).unwrap();
        uploads.end(arriving, None, holder)
    }

    #[test]
    fn the_oldest_files_of_a_person_make_room_for_new_ones() {
        let uploads = uploads();
        let other = send(&uploads, "x", "Ben");
        let ids: Vec<String> =
            (0..6).map(|number| send(&uploads, &format!("file {number}"), "Maria")).collect();
        let contents: Vec<Option<String>> = ids
            .iter()
            .map(|id| {
                let mut content = String::new();
                uploads.find(id, "Maria")?.content().read_to_string(&mut content).unwrap();
                Some(content)
            })
            .collect();
        let kept = ["file 2", "file 3", "file 4", "file 5"].map(|content| Some(content.to_owned()));
        assert_eq!(contents, [&[None, None][..], &kept].concat());
        assert!(uploads.find(&other, "Ben").is_some());
    }

    #[test]
    fn a_file_is_taken_once_and_only_by_its_sender() {
        let uploads = uploads();
        let id = send(&uploads, "x", "Maria");
        assert!(uploads.take(&id, "Ben").is_none());
        assert!(uploads.take(&id, "Maria").is_some());
        assert!(uploads.take(&id, "Maria").is_none());
    }
}
