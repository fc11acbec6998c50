//! The views that one stream carries.

use js_sys::encode_uri_component;

/// Maximum number of views per stream, as on the server.
const MAX_VIEWS: usize = 16;

/// The views, each with its latest data.
#[derive(Default)]
pub(super) struct StreamViews(Vec<(String, String)>);

impl StreamViews {
    /// Creates a list of a single view.
    pub(super) fn only(view: &str) -> Self {
        Self(vec![(view.to_owned(), String::new())])
    }

    /// Adds a view, unless the maximum is reached. Returns whether it was added.
    pub(super) fn add(&mut self, view: &str) -> bool {
        let is_missing = self.last(view).is_none() && self.0.len() < MAX_VIEWS;
        if is_missing {
            self.0.push((view.to_owned(), String::new()));
        }
        is_missing
    }

    /// The latest data of a view, empty if there are none yet; `None` if the view is not wanted.
    pub(super) fn last(&self, view: &str) -> Option<&str> {
        self.0.iter().find(|(wanted, _)| wanted == view).map(|(_, data)| &**data)
    }

    /// Stores data as the latest of their view.
    pub(super) fn keep(&mut self, data: &str) {
        for (view, last) in &mut self.0 {
            if is_of(data, view) {
                data.clone_into(last);
            }
        }
    }

    /// The query `view=…&view=…`.
    pub(super) fn query(&self) -> String {
        let mut query = String::new();
        for (view, _) in &self.0 {
            query += if query.is_empty() { "view=" } else { "&view=" };
            query += &String::from(encode_uri_component(view));
        }
        query
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
        let mut wanted = StreamViews::only("a");
        assert!(wanted.add("b"));
        assert!(!wanted.add("a") && !wanted.add("b"));
        wanted.keep(r#"{"view":"b","metrics":1}"#);
        wanted.keep(r#"{"view":"b","metrics":2}"#);
        wanted.keep(r#"{"view":"c"}"#);
        assert_eq!(wanted.last("a"), Some(""));
        assert_eq!(wanted.last("b"), Some(r#"{"view":"b","metrics":2}"#));
        assert_eq!(wanted.last("c"), None);
    }

    #[test]
    fn there_is_an_end_to_what_is_wanted() {
        let mut wanted = StreamViews::only("0");
        let added = (1..=MAX_VIEWS).filter(|view| wanted.add(&view.to_string())).count();
        assert_eq!(added, MAX_VIEWS - 1);
    }
}
