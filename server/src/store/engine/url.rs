//! Database URLs.

use std::path::PathBuf;

use super::access;
use crate::store::error::{Error, Result};

pub(super) fn sqlite_path(url: &str) -> Result<PathBuf> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
    // The mode that other tools want to be told is what this one does anyway.
    let path = path.map(|path| path.strip_suffix("?mode=rwc").unwrap_or(path));
    match path {
        Some(path) if !path.is_empty() && path != ":memory:" && !path.contains('?') => {
            Ok(PathBuf::from(path))
        }
        _ => Err(Error::UnknownScheme(without_password(url))),
    }
}

/// The absolute path of the database that `url` names, if it can be one.
#[must_use]
pub fn file_of(url: &str) -> Option<PathBuf> {
    access::absolute(&sqlite_path(url).ok()?).ok()
}

/// The URL as it may be shown in a message.
fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => format!("{}://…{}", &url[..scheme], &url[at..]),
        _ => url.to_owned(),
    }
}
