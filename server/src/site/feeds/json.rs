use base::time::format_instant;
use edge::representation::to_json;
use serde_json::{Value, json};

use super::{Entry, Feed};

pub(super) const CONTENT_TYPE: &str = "application/feed+json";

/// Writes a JSON Feed (version 1.1). Its own members begin with an underscore.
pub(super) fn written(feed: &Feed) -> Vec<u8> {
    let Feed { title, lang, author, base_url, url, hub, entries, .. } = feed;
    let item = |Entry { id, url, title, text, published, report, .. }: &Entry| {
        json!({
            "id": id,
            "url": url,
            "title": title,
            "content_text": text,
            "date_published": format_instant(*published),
            "tags": [report.kind.as_str()],
            "_report": report,
        })
    };
    let mut written = json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": title,
        "home_page_url": format!("{base_url}/"),
        "feed_url": url,
        "language": lang.tag(),
        "authors": [{ "name": author, "url": format!("{base_url}/") }],
        "items": entries.iter().map(item).collect::<Vec<Value>>(),
    });
    if let Some(hub) = hub {
        written["hubs"] = json!([{ "type": "WebSub", "url": hub }]);
    }
    to_json(&written)
}
