use http::Uri;

/// Path prefix of the service, such as `/counters`; empty if the service has the host for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath(String);

impl BasePath {
    /// Base path of a text, which is empty or begins with a slash and does not end with one.
    pub fn new(path: &str) -> Self {
        Self(path.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Removes the prefix from a request's URI, for proxies that keep it. A URI without the prefix stays unchanged:
    /// the proxy has removed it already.
    pub(crate) fn strip(&self, uri: &mut Uri) {
        let own = self.as_str();
        let rest = uri.path_and_query().and_then(|whole| whole.as_str().strip_prefix(own));
        let Some(rest) = rest.filter(|rest| !own.is_empty() && rest.starts_with('/')) else {
            return;
        };
        let mut parts = uri.clone().into_parts();
        // After a whole segment, the rest of a valid path is valid, too.
        parts.path_and_query = rest.parse().ok();
        if let Ok(stripped) = Uri::from_parts(parts) {
            *uri = stripped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_taken_off_once() {
        let below = BasePath::new("/a");
        for (uri, stripped) in [
            ("/a/docs?x=/a/", "/docs?x=/a/"),
            ("/a/", "/"),
            ("/a/a/b", "/a/b"),
            ("/a//b", "//b"),
            ("http://h/a/docs", "http://h/docs"),
            ("/a", "/a"),
            ("/a?x", "/a?x"),
            ("/ab/docs", "/ab/docs"),
            ("/docs", "/docs"),
            ("*", "*"),
        ] {
            let mut seen: Uri = uri.parse().unwrap();
            below.strip(&mut seen);
            assert_eq!(seen.to_string(), stripped, "{uri}");
        }
        let mut seen: Uri = "/docs".parse().unwrap();
        BasePath::default().strip(&mut seen);
        assert_eq!(seen, "/docs");
    }
}
