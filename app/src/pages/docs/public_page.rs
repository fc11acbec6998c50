/// A page of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PublicPage {
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

impl PublicPage {
    /// Whether one of the pages has this path.
    pub(super) fn is_at(path: &str) -> bool {
        PublicPage::ALL.iter().any(|page| page.path() == path)
    }

    /// All pages, in the order of the index.
    pub const ALL: [PublicPage; 10] = [
        PublicPage::Overview,
        PublicPage::Api,
        PublicPage::Stream,
        PublicPage::Mirroring,
        PublicPage::Webhooks,
        PublicPage::WebhooksReference,
        PublicPage::Embed,
        PublicPage::Recipes,
        PublicPage::Limits,
        PublicPage::Errors,
    ];

    /// The URL's path.
    pub const fn path(self) -> &'static str {
        match self {
            PublicPage::Overview => "/docs",
            PublicPage::Api => "/docs/api",
            PublicPage::Stream => "/docs/stream",
            PublicPage::Mirroring => "/docs/mirroring",
            PublicPage::Webhooks => "/docs/webhooks",
            PublicPage::WebhooksReference => "/docs/webhooks-reference",
            PublicPage::Embed => "/docs/embed",
            PublicPage::Recipes => "/docs/recipes",
            PublicPage::Limits => "/docs/limits",
            PublicPage::Errors => "/docs/errors",
        }
    }

    /// In the index.
    pub(super) const fn label(self) -> &'static str {
        match self {
            PublicPage::Overview => "Overview",
            PublicPage::Api => "API",
            PublicPage::Stream => "Stream",
            PublicPage::Mirroring => "Mirroring",
            PublicPage::Webhooks => "Webhooks",
            PublicPage::WebhooksReference => "Webhooks reference",
            PublicPage::Embed => "Embedding",
            PublicPage::Recipes => "Recipes",
            PublicPage::Limits => "Limits",
            PublicPage::Errors => "Errors",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            PublicPage::Overview => "Documentation",
            PublicPage::Api => "API reference",
            PublicPage::Stream => "The stream",
            PublicPage::Mirroring => "A copy of all reports",
            PublicPage::Webhooks => "Webhooks",
            PublicPage::WebhooksReference => "Webhooks reference",
            PublicPage::Embed => "Embedding",
            PublicPage::Recipes => "Recipes for embedding",
            PublicPage::Limits => "Keys, limits and caching",
            PublicPage::Errors => "Errors of the API",
        }
    }

    /// The Markdown that the page is, if it is one.
    pub(super) const fn markdown(self) -> Option<&'static str> {
        match self {
            PublicPage::Overview => Some(include_str!("../../../../docs/README.md")),
            PublicPage::Stream => Some(include_str!("../../../../docs/stream.md")),
            PublicPage::Mirroring => Some(include_str!("../../../../docs/mirroring.md")),
            PublicPage::Webhooks => Some(include_str!("../../../../docs/webhooks.md")),
            PublicPage::WebhooksReference => {
                Some(include_str!("../../../../docs/webhooks-reference.md"))
            }
            PublicPage::Embed => Some(include_str!("../../../../docs/embed.md")),
            PublicPage::Recipes => Some(include_str!("../../../../docs/recipes.md")),
            PublicPage::Limits => Some(include_str!("../../../../docs/limits.md")),
            PublicPage::Errors => Some(include_str!("../../../../docs/errors.md")),
            PublicPage::Api => None,
        }
    }
}
