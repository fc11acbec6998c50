/// A page of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PublicPage {
    Overview,
    Api,
    ApiMetrics,
    ApiReports,
    ApiStream,
    ApiWebhooks,
    ApiObjects,
    Data,
    Stream,
    Mirroring,
    Webhooks,
    WebhooksReference,
    Partners,
    Embed,
    Recipes,
    Clients,
    Limits,
    Errors,
}

impl PublicPage {
    /// Whether one of the pages has this path.
    pub(super) fn is_at(path: &str) -> bool {
        PublicPage::ALL.iter().any(|page| page.path() == path)
    }

    /// Whether the page is a part of the API reference.
    pub const fn is_part(self) -> bool {
        matches!(
            self,
            PublicPage::ApiMetrics
                | PublicPage::ApiReports
                | PublicPage::ApiStream
                | PublicPage::ApiWebhooks
                | PublicPage::ApiObjects
        )
    }

    /// Part of the API reference with the operations of a path below `/api/v1`. Those without a part of their own are
    /// beside the objects.
    pub(super) fn of_operations(path: &str) -> Self {
        match path.split(['/', '.']).nth(1).unwrap_or_default() {
            "metrics" | "geo-facets" => PublicPage::ApiMetrics,
            "reports" | "challenge" => PublicPage::ApiReports,
            "stream" => PublicPage::ApiStream,
            "events" | "webhooks" => PublicPage::ApiWebhooks,
            _ => PublicPage::ApiObjects,
        }
    }

    /// All pages, in the order of the index.
    pub const ALL: [PublicPage; 18] = [
        PublicPage::Overview,
        PublicPage::Api,
        PublicPage::ApiMetrics,
        PublicPage::ApiReports,
        PublicPage::ApiStream,
        PublicPage::ApiWebhooks,
        PublicPage::ApiObjects,
        PublicPage::Data,
        PublicPage::Stream,
        PublicPage::Mirroring,
        PublicPage::Webhooks,
        PublicPage::WebhooksReference,
        PublicPage::Partners,
        PublicPage::Embed,
        PublicPage::Recipes,
        PublicPage::Clients,
        PublicPage::Limits,
        PublicPage::Errors,
    ];

    /// The URL's path.
    pub const fn path(self) -> &'static str {
        match self {
            PublicPage::Overview => "/docs",
            PublicPage::Api => "/docs/api",
            PublicPage::ApiMetrics => "/docs/api/metrics",
            PublicPage::ApiReports => "/docs/api/reports",
            PublicPage::ApiStream => "/docs/api/stream",
            PublicPage::ApiWebhooks => "/docs/api/webhooks",
            PublicPage::ApiObjects => "/docs/api/objects",
            PublicPage::Data => "/docs/data",
            PublicPage::Stream => "/docs/stream",
            PublicPage::Mirroring => "/docs/mirroring",
            PublicPage::Webhooks => "/docs/webhooks",
            PublicPage::WebhooksReference => "/docs/webhooks-reference",
            PublicPage::Partners => "/docs/partners",
            PublicPage::Embed => "/docs/embed",
            PublicPage::Recipes => "/docs/recipes",
            PublicPage::Clients => "/docs/clients",
            PublicPage::Limits => "/docs/limits",
            PublicPage::Errors => "/docs/errors",
        }
    }

    /// In the index.
    pub(super) const fn label(self) -> &'static str {
        match self {
            PublicPage::Overview => "Overview",
            PublicPage::Api => "API",
            PublicPage::ApiMetrics => "Metrics",
            PublicPage::ApiReports => "Reports",
            PublicPage::ApiStream => "The stream",
            PublicPage::ApiWebhooks => "Events and webhooks",
            PublicPage::ApiObjects => "Objects",
            PublicPage::Data => "Open data",
            PublicPage::Stream => "Stream",
            PublicPage::Mirroring => "Mirroring",
            PublicPage::Webhooks => "Webhooks",
            PublicPage::WebhooksReference => "Webhooks reference",
            PublicPage::Partners => "Portal",
            PublicPage::Embed => "Embedding",
            PublicPage::Recipes => "Recipes",
            PublicPage::Clients => "Client libraries",
            PublicPage::Limits => "Limits",
            PublicPage::Errors => "Errors",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            PublicPage::Overview => "Documentation",
            PublicPage::Api => "API reference",
            PublicPage::ApiMetrics => "API: metrics",
            PublicPage::ApiReports => "API: reports",
            PublicPage::ApiStream => "API: the stream",
            PublicPage::ApiWebhooks => "API: events and webhooks",
            PublicPage::ApiObjects => "API: objects",
            PublicPage::Data => "Downloads and feeds",
            PublicPage::Stream => "The stream",
            PublicPage::Mirroring => "A copy of all reports",
            PublicPage::Webhooks => "Webhooks",
            PublicPage::WebhooksReference => "Webhooks reference",
            PublicPage::Partners => "The portal",
            PublicPage::Embed => "Embedding",
            PublicPage::Recipes => "Recipes for embedding",
            PublicPage::Clients => "Client libraries",
            PublicPage::Limits => "Keys, limits and caching",
            PublicPage::Errors => "Errors of the API",
        }
    }

    /// The Markdown that the page is, if it is one.
    pub(super) const fn markdown(self) -> Option<&'static str> {
        match self {
            PublicPage::Overview => Some(include_str!("../../../../docs/README.md")),
            PublicPage::Data => Some(include_str!("../../../../docs/data.md")),
            PublicPage::Stream => Some(include_str!("../../../../docs/stream.md")),
            PublicPage::Mirroring => Some(include_str!("../../../../docs/mirroring.md")),
            PublicPage::Webhooks => Some(include_str!("../../../../docs/webhooks.md")),
            PublicPage::WebhooksReference => {
                Some(include_str!("../../../../docs/webhooks-reference.md"))
            }
            PublicPage::Partners => Some(include_str!("../../../../docs/partners.md")),
            PublicPage::Embed => Some(include_str!("../../../../docs/embed.md")),
            PublicPage::Recipes => Some(include_str!("../../../../docs/recipes.md")),
            PublicPage::Clients => Some(include_str!("../../../../docs/clients.md")),
            PublicPage::Limits => Some(include_str!("../../../../docs/limits.md")),
            PublicPage::Errors => Some(include_str!("../../../../docs/errors.md")),
            PublicPage::Api
            | PublicPage::ApiMetrics
            | PublicPage::ApiReports
            | PublicPage::ApiStream
            | PublicPage::ApiWebhooks
            | PublicPage::ApiObjects => None,
        }
    }
}
