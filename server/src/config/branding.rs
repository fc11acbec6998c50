use std::path::PathBuf;

use app::brand::{Brand, Icon, Label, Logo, Name, TypeColour, TypeColours};
use clap::Args;
use url::Url;

/// Name of the service, and labels, colours and icons of the types, for pages, widgets, pictures and the API documents. Names in the API,
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

    /// Colour of the event type spirit, with enough contrast for texts; one for the dark theme can follow: "#166534;
    /// dark=#86efac" [default: orange; dark: derived]
    #[arg(long, env = "SVC_COLOUR_SPIRIT", value_name = "COLOUR")]
    pub colour_spirit: Option<TypeColour>,

    /// Colour of the event type water [default: blue]
    #[arg(long, env = "SVC_COLOUR_WATER", value_name = "COLOUR")]
    pub colour_water: Option<TypeColour>,

    /// Colour of the event type both [default: violet]
    #[arg(long, env = "SVC_COLOUR_BOTH", value_name = "COLOUR")]
    pub colour_both: Option<TypeColour>,

    /// Icon of the event type spirit: the data of an SVG path on a square of 24 pixels [default: a flame]
    #[arg(long, env = "SVC_ICON_SPIRIT", value_name = "PATH")]
    pub icon_spirit: Option<Icon>,

    /// Icon of the event type water [default: a drop]
    #[arg(long, env = "SVC_ICON_WATER", value_name = "PATH")]
    pub icon_water: Option<Icon>,

    /// Icon of the event type both [default: a drop in a flame]
    #[arg(long, env = "SVC_ICON_BOTH", value_name = "PATH")]
    pub icon_both: Option<Icon>,
}

impl Branding {
    /// Returns the brand with the logo as it is served.
    pub fn with_logo(&self, logo: Option<Logo>) -> Brand {
        Brand {
            name: self.site_name.clone(),
            url: self.site_url.as_ref().map(|url| url.as_str().trim_end_matches('/').to_owned()),
            logo,
            labels: [&self.label_spirit, &self.label_water, &self.label_both].map(Clone::clone),
            colours: TypeColours([self.colour_spirit, self.colour_water, self.colour_both]),
            icons: [&self.icon_spirit, &self.icon_water, &self.icon_both].map(Clone::clone),
        }
    }
}

fn parse_site_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
    let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
    url.ok_or_else(|| "write a URL, such as https://example.org".to_owned())
}
