//! The views that one stream carries.

/// Maximum number of views per stream, as on the server.
pub(super) const MAX_VIEWS: usize = 16;

/// The views, each with its latest data.
#[derive(Default)]
pub(super) struct StreamViews(Vec<(String, String)>);

/// Result of [`StreamViews::add`].
pub(super) enum Added<'a> {
    /// The view is new.
    New,
    /// The view was there before, with these latest data. Empty if none have arrived.
    Before(&'a str),
    /// There is no room for the view.
    Full,
}

impl StreamViews {
    /// Drops all views but the first, and its data.
    pub(super) fn reset(&mut self) {
        self.0.truncate(1);
        if let Some((_, last)) = self.0.first_mut() {
            last.clear();
        }
    }

    pub(super) fn add(&mut self, view: &str) -> Added<'_> {
        match self.0.iter().position(|(wanted, _)| wanted == view) {
            Some(index) => Added::Before(&self.0[index].1),
            None if self.0.len() == MAX_VIEWS => Added::Full,
            None => {
                self.0.push((view.to_owned(), String::new()));
                Added::New
            }
        }
    }

    /// Stores data as the latest of their view.
    pub(super) fn keep(&mut self, data: &str) {
        for (view, last) in &mut self.0 {
            if is_of(data, view) {
                data.clone_into(last);
            }
        }
    }

    /// Whether data of the first view have arrived.
    pub(super) fn has_first(&self) -> bool {
        self.0.first().is_some_and(|(_, last)| !last.is_empty())
    }

    /// The query `view=…&view=…`.
    pub(super) fn query(&self) -> String {
        let mut query = String::new();
        for (view, _) in &self.0 {
            query.push_str(if query.is_empty() { "view=" } else { "&view=" });
            encode(view, &mut query);
        }
        query
    }
}

/// Appends a value of a query, with all but letters and digits encoded.
fn encode(value: &str, query: &mut String) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() {
            query.push(char::from(byte));
        } else {
            query.push('%');
            for digit in [byte >> 4, byte & 15] {
                query.push(char::from(digit + if digit < 10 { b'0' } else { b'A' - 10 }));
            }
        }
    }
}

/// Whether data belong to a view. A view is a query, which needs no escaping in JSON.
pub(super) fn is_of(data: &str, view: &str) -> bool {
    let view = data.strip_prefix(r#"{"view":""#).and_then(|rest| rest.strip_prefix(view));
    view.is_some_and(|rest| rest.starts_with('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_of_one_view_only() {
        let data = r#"{"view":"country=BR&lang=en","metrics":{},"reports":[]}"#;
        assert!(is_of(data, "country=BR&lang=en"));
        for view in ["", "country=BR", "country=BR&lang=en&limit=5", "lang=en"] {
            assert!(!is_of(data, view), "{view}");
        }
    }

    #[test]
    fn a_view_is_wanted_once_and_has_its_last_data() {
        let mut wanted = StreamViews::default();
        assert!(matches!(wanted.add("a"), Added::New));
        assert!(matches!(wanted.add("b"), Added::New));
        assert!(matches!(wanted.add("b"), Added::Before(last) if last.is_empty()));
        wanted.keep(r#"{"view":"b","metrics":1}"#);
        wanted.keep(r#"{"view":"b","metrics":2}"#);
        wanted.keep(r#"{"view":"c"}"#);
        assert!(!wanted.has_first());
        wanted.keep(r#"{"view":"a"}"#);
        assert!(wanted.has_first());
        assert!(
            matches!(wanted.add("b"), Added::Before(last) if last == r#"{"view":"b","metrics":2}"#)
        );
        wanted.reset();
        assert!(!wanted.has_first());
        assert!(matches!(wanted.add("a"), Added::Before("")));
        assert!(matches!(wanted.add("b"), Added::New));
    }

    #[test]
    fn there_is_an_end_to_what_is_wanted() {
        let mut wanted = StreamViews::default();
        for view in 0..MAX_VIEWS {
            assert!(matches!(wanted.add(&view.to_string()), Added::New));
        }
        assert!(matches!(wanted.add("one more"), Added::Full));
        assert!(matches!(wanted.add("3"), Added::Before(_)));
    }

    #[test]
    fn a_query_has_each_view_as_one_value() {
        let mut wanted = StreamViews::default();
        wanted.add("city=São+Paulo&lang=pt");
        wanted.add("");
        assert_eq!(wanted.query(), "view=city%3DS%C3%A3o%2BPaulo%26lang%3Dpt&view=");
    }
}
