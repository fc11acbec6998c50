use std::path::PathBuf;

use app::brand::{Brand, Label, Logo, Name};
use clap::Args;
use url::Url;

/// Name of the service, and labels of the types, for pages, widgets, pictures and the API documents. Names in the API,
/// such as `spirit`, stay the same.
#[derive(Args, Clone, Debug, Default)]
pub struct Branding {
    /// Name of the site, in titles, links and pictures [default: made of its types, such as "Spirit and water"]
    #[arg(long, env = "SVC_SITE_NAME", value_name = "TEXT")]
    pub site_name: Option<Name>,

    /// URL of your own site, which the home page and descriptions for programs link to, such as https://example.org
    #[arg(long, env = "SVC_SITE_URL", value_name = "URL", value_parser = parse_site_url)]
    pub site_url: Option<Url>,

    /// SVG or PNG file with your logo, shown at the top of pages and as their icon [default: flame and drop]
    #[arg(long, env = "SVC_SITE_LOGO", value_name = "FILE")]
    pub site_logo: Option<PathBuf>,

    /// Label of the event type spirit; other languages can follow: "Wells; de=Brunnen; fr=Puits" [default: Spirit]
    #[arg(long, env = "SVC_LABEL_SPIRIT", value_name = "TEXT")]
    pub label_spirit: Option<Label>,

    /// Label of the event type water [default: Water]
    #[arg(long, env = "SVC_LABEL_WATER", value_name = "TEXT")]
    pub label_water: Option<Label>,

    /// Label of the event type both [default: Both]
    #[arg(long, env = "SVC_LABEL_BOTH", value_name = "TEXT")]
    pub label_both: Option<Label>,
}

impl Branding {
    /// Returns the brand with the logo as it is served.
    pub fn with_logo(&self, logo: Option<Logo>) -> Brand {
        Brand {
            name: self.site_name.clone(),
            url: self.site_url.as_ref().map(|url| url.as_str().trim_end_matches('/').to_owned()),
            logo,
            labels: [&self.label_spirit, &self.label_water, &self.label_both].map(Clone::clone),
        }
    }
}

fn parse_site_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
    let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
    url.ok_or_else(|| "write a URL, such as https://example.org".to_owned())
}
