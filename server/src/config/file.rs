//! The settings file, `svc.toml`: `flag = value`, named as on the command line without the dashes.

use std::{
    fs::{self, Metadata},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use base::redaction::without_passwords;
use toml::de::{DeTable, DeValue};

/// Default paths; the first existing file is used.
pub const DEFAULT_PATHS: [&str; 2] = ["svc.toml", "/etc/svc/svc.toml"];

/// Maximum size, much larger than a file with all settings.
const MAX_BYTES: u64 = 1 << 20;

/// Contents of a settings file. The command line checks whether they are settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsFile {
    pub path: PathBuf,
    pub entries: Vec<Entry>,
}

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The flag without its dashes, such as `public-url`.
    pub name: String,
    pub value: Value,
    /// Line number, from 1.
    pub line: usize,
}

/// Value of a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text, or a number as it is written.
    Text(String),
    Switch(bool),
    List(Vec<String>),
}

/// Reasons why a settings file cannot be used. Messages begin with its path.
#[derive(Debug, thiserror::Error)]
pub enum ConfigFileError {
    #[error("{path}: the settings cannot be read: {reason}{}", advice(reason))]
    Unreadable { path: PathBuf, reason: io::Error },
    #[error("{path}: this is too large for a settings file: at most {MAX_BYTES} bytes are read")]
    TooLarge { path: PathBuf },
    #[error("{path}:{line}: {reason}")]
    Malformed { path: PathBuf, line: usize, reason: String },
    #[error(
        "{path}:{line}: the URL in {name} has a password, and every user of this machine may read the \
         file: take that away with chmod o-rwx {path}"
    )]
    Exposed { path: PathBuf, line: usize, name: String },
    #[error(
        "{path}: this file belongs to user {owner}, and not to you or root: if you trust it, name it with \
         --config {path}"
    )]
    Foreign { path: PathBuf, owner: u32 },
    #[error(
        "{path}: every user of this machine may write to this file: take that away with chmod o-w {path}"
    )]
    Writable { path: PathBuf },
}

impl SettingsFile {
    /// Reads the named file, or else the first existing [default file](DEFAULT_PATHS).
    ///
    /// # Errors
    /// See [`ConfigFileError`].
    pub fn find(named: Option<&Path>) -> Result<Option<Self>, ConfigFileError> {
        if let Some(path) = named {
            return Self::read(path, |_| Ok(())).map(Some);
        }
        let user = rustix::process::geteuid().as_raw();
        for path in DEFAULT_PATHS.map(Path::new) {
            let check = |about: &Metadata| match path.is_relative() {
                true => check_owner(path, about.uid(), about.mode(), user),
                false => Ok(()),
            };
            match Self::read(path, check) {
                Err(ConfigFileError::Unreadable { reason, .. })
                    if reason.kind() == io::ErrorKind::NotFound => {}
                read => return read.map(Some),
            }
        }
        Ok(None)
    }

    fn read(
        path: &Path,
        check: impl Fn(&Metadata) -> Result<(), ConfigFileError>,
    ) -> Result<Self, ConfigFileError> {
        let unreadable = |reason| ConfigFileError::Unreadable { path: path.to_owned(), reason };
        let file = fs::File::open(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        check(&about)?;
        if about.len() > MAX_BYTES {
            return Err(ConfigFileError::TooLarge { path: path.to_owned() });
        }
        let text = io::read_to_string(file).map_err(unreadable)?;
        let read = Self { path: path.to_owned(), entries: parse(path, &text)? };
        if about.mode() & 0o007 != 0
            && let Some(entry) = read.entries.iter().find(|entry| entry.has_password())
        {
            let (line, name) = (entry.line, entry.name.clone());
            return Err(ConfigFileError::Exposed { path: read.path, line, name });
        }
        Ok(read)
    }

    /// Returns a problem with one of the entries.
    pub fn problem(&self, entry: &Entry, reason: impl Into<String>) -> ConfigFileError {
        let (path, line) = (self.path.clone(), entry.line);
        ConfigFileError::Malformed { path, line, reason: reason.into() }
    }
}

/// Checks that only this user and root can have written a file in the working directory that no flag names. In a folder
/// that others may write to, such a file could make this user's commands use another database.
fn check_owner(path: &Path, owner: u32, mode: u32, user: u32) -> Result<(), ConfigFileError> {
    let path = path.to_owned();
    if owner != user && owner != 0 {
        return Err(ConfigFileError::Foreign { path, owner });
    }
    if mode & 0o002 != 0 {
        return Err(ConfigFileError::Writable { path });
    }
    Ok(())
}

impl Entry {
    fn has_password(&self) -> bool {
        let texts = match &self.value {
            Value::Text(text) => std::slice::from_ref(text),
            Value::List(texts) => texts,
            Value::Switch(_) => &[],
        };
        texts.iter().any(|text| without_passwords(text) != *text)
    }
}

/// Returns advice for a file that cannot be read.
fn advice(reason: &io::Error) -> &'static str {
    match reason.kind() {
        io::ErrorKind::PermissionDenied => {
            "; run this as root or as the user of the service, such as sudo -u svc svc …"
        }
        _ => "",
    }
}

/// Parses the text of a file.
///
/// # Errors
/// The text is not TOML, or has a value that no setting accepts.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Vec<Entry>, ConfigFileError> {
    let line_of = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    let malformed = |at, reason| ConfigFileError::Malformed {
        path: path.to_owned(),
        line: line_of(at),
        reason,
    };
    let table = DeTable::parse(text).map_err(|error| {
        let reason = format!("this is not TOML: {}", error.message());
        malformed(error.span().map_or(0, |span| span.start), reason)
    })?;
    let mut entries = Vec::new();
    for (name, value) in table.into_inner() {
        let at = name.span().start;
        let name = name.into_inner().into_owned();
        let value = Value::of(value.into_inner()).ok_or_else(|| {
            let reason = match name.as_str() {
                name if name.contains(char::is_control) => "write NAME = VALUE".to_owned(),
                name => {
                    format!("write {name} = VALUE, with a text, a number, true, false or a list")
                }
            };
            malformed(at, reason)
        })?;
        entries.push(Entry { name, value, line: line_of(at) });
    }
    entries.sort_by_key(|entry| entry.line);
    Ok(entries)
}

impl Value {
    fn of(value: DeValue<'_>) -> Option<Self> {
        match value {
            DeValue::Boolean(switch) => Some(Self::Switch(switch)),
            DeValue::Array(list) => list
                .into_iter()
                .map(|item| text(item.into_inner()))
                .collect::<Option<_>>()
                .map(Self::List),
            value => text(value).map(Self::Text),
        }
    }
}

/// Returns a text, or a number as digits.
fn text(value: DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.into_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
