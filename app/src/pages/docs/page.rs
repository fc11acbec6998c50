/// A page of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    Overview,
    Api,
    Stream,
    Mirroring,
    Webhooks,
    WebhooksReference,
    Embed,
    Recipes,
    Limits,
    Errors,
}

impl Page {
    /// Whether one of the pages has this path.
    pub(super) fn is_at(path: &str) -> bool {
        Page::ALL.iter().any(|page| page.path() == path)
    }

    /// All pages, in the order of the index.
    pub const ALL: [Page; 10] = [
        Page::Overview,
        Page::Api,
        Page::Stream,
        Page::Mirroring,
        Page::Webhooks,
        Page::WebhooksReference,
        Page::Embed,
        Page::Recipes,
        Page::Limits,
        Page::Errors,
    ];

    /// The URL's path.
    pub const fn path(self) -> &'static str {
        match self {
            Page::Overview => "/docs",
            Page::Api => "/docs/api",
            Page::Stream => "/docs/stream",
            Page::Mirroring => "/docs/mirroring",
            Page::Webhooks => "/docs/webhooks",
            Page::WebhooksReference => "/docs/webhooks-reference",
            Page::Embed => "/docs/embed",
            Page::Recipes => "/docs/recipes",
            Page::Limits => "/docs/limits",
            Page::Errors => "/docs/errors",
        }
    }

    /// In the index.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Page::Overview => "Overview",
            Page::Api => "API",
            Page::Stream => "Stream",
            Page::Mirroring => "Mirroring",
            Page::Webhooks => "Webhooks",
            Page::WebhooksReference => "Webhooks reference",
            Page::Embed => "Embedding",
            Page::Recipes => "Recipes",
            Page::Limits => "Limits",
            Page::Errors => "Errors",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Page::Overview => "Documentation",
            Page::Api => "API reference",
            Page::Stream => "The stream",
            Page::Mirroring => "A copy of all reports",
            Page::Webhooks => "Webhooks",
            Page::WebhooksReference => "Webhooks reference",
            Page::Embed => "Embedding",
            Page::Recipes => "Recipes for embedding",
            Page::Limits => "Keys, limits and caching",
            Page::Errors => "Errors of the API",
        }
    }

    /// The Markdown that the page is, if it is one.
    pub(super) const fn markdown(self) -> Option<&'static str> {
        match self {
            Page::Overview => Some(include_str!("../../../../docs/README.md")),
            Page::Stream => Some(include_str!("../../../../docs/stream.md")),
            Page::Mirroring => Some(include_str!("../../../../docs/mirroring.md")),
            Page::Webhooks => Some(include_str!("../../../../docs/webhooks.md")),
            Page::WebhooksReference => Some(include_str!("../../../../docs/webhooks-reference.md")),
            Page::Embed => Some(include_str!("../../../../docs/embed.md")),
            Page::Recipes => Some(include_str!("../../../../docs/recipes.md")),
            Page::Limits => Some(include_str!("../../../../docs/limits.md")),
            Page::Errors => Some(include_str!("../../../../docs/errors.md")),
            Page::Api => None,
        }
    }
}
