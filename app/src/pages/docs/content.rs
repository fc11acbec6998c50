use kit::html::Html;

/// Entry of a page's table of contents.
pub(super) struct Heading {
    pub(super) id: String,
    pub(super) text: String,
}

/// Content of a page.
pub(super) struct Content {
    /// The first paragraph, as HTML.
    pub(super) lead: String,
    pub(super) body: Html,
    pub(super) headings: Vec<Heading>,
}
