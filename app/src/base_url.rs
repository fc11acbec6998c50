//! Where the service is reached from outside.

use std::fmt;

/// A URL such as `https://example.org` or `https://example.org/counters`, without a slash at its
/// end. What a page refers to is below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BaseUrl {
    url: String,
    /// Where the path begins.
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

    /// The path that comes before those of the service; empty where it has the host for itself.
    pub fn path(&self) -> &str {
        &self.url[self.path_at..]
    }

    /// What a page refers to `target` with: a path of the service, perhaps with query and fragment.
    ///
    /// From the root of the host and not relative to the page, because one page is shown at every
    /// address that does not exist.
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
