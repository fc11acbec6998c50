use std::{
    fmt,
    path::{Path, PathBuf},
};

/// Location of the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyLocation {
    File(PathBuf),
    Environment,
    /// No location: no file is configured, the variable is not set, and no key file is beside the database.
    Nowhere,
}

impl KeyLocation {
    /// Path of the key file, if keys are in a file, even if it does not exist.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(file),
            Self::Environment | Self::Nowhere => None,
        }
    }
}

impl fmt::Display for KeyLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyLocation::File(file) if file.exists() => write!(f, "{}", file.display()),
            KeyLocation::File(file) => write!(f, "{} (there is no such file)", file.display()),
            KeyLocation::Environment => f.write_str("SVC_SECRET_KEY"),
            KeyLocation::Nowhere => {
                f.write_str("the settings (SVC_SECRET_KEY or --secret-key-file)")
            }
        }
    }
}
