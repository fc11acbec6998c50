use app::licence::Licence;
use clap::Args;
use url::Url;

/// Terms of the published data, and distribution of its feeds.
#[derive(Args, Clone, Debug, Default)]
pub struct OpenData {
    /// Licence of the published data: an SPDX identifier, such as CC-BY-4.0, or the URL of its text; shown at /data
    /// [default: not stated]
    #[arg(long, env = "SVC_DATA_LICENCE", value_name = "LICENCE")]
    pub data_licence: Option<Licence>,

    /// WebSub hub that distributes the feeds, such as https://hub.example.org; with a public URL, it is notified of new
    /// reports [default: none]
    #[arg(long, env = "SVC_WEBSUB_HUB", value_name = "URL", value_parser = parse_hub)]
    pub websub_hub: Option<Url>,
}

fn parse_hub(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
    url.ok_or_else(|| "write a URL, such as https://hub.example.org".to_owned())
}
