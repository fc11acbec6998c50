//! Public base URL of the service.

use std::fmt;

/// Base URL such as `https://example.org` or `https://example.org/counters`, without a trailing
/// slash. Pages link to addresses below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BaseUrl {
    url: String,
    /// Byte offset of the path in `url`.
    path_at: usize,
}

impl BaseUrl {
    /// `path` is empty, or begins with a slash and ends without one.
    pub fn new(origin: &str, path: &str) -> Self {
        Self { url: format!("{origin}{path}"), path_at: origin.len() }
    }

    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Path prefix of the service; empty if the service has the host to itself.
    pub fn path(&self) -> &str {
        &self.url[self.path_at..]
    }

    /// Returns the link to `target`: a path of the service, with an optional query and fragment.
    ///
    /// The link is relative to the root of the host, not to the page, because the page for unknown
    /// addresses is the same at each of them.
    pub fn link(&self, target: impl AsRef<str>) -> String {
        [self.path(), target.as_ref()].concat()
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::BaseUrl;

    #[test]
    fn links_are_below_the_path() {
        for (origin, path, link) in [
            ("https://a.example", "", "/docs#x"),
            ("https://a.example", "/counters", "/counters/docs#x"),
            ("http://a.example:3000", "/a/b", "/a/b/docs#x"),
        ] {
            let base = BaseUrl::new(origin, path);
            assert_eq!(base.link("/docs#x"), link);
            assert_eq!((base.path(), base.to_string()), (path, format!("{origin}{path}")));
        }
    }
}
