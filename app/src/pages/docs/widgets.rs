use crate::{base_url::BaseUrl, widgets::registry::WIDGETS};
use kit::lang::Lang;

/// HTML of all widgets, live, each in a frame with its name.
pub(super) fn live(base_url: &BaseUrl) -> String {
    let frames = WIDGETS.iter().map(|widget| {
        let (name, height, title) = (widget.name, widget.height, widget.title(Lang::En));
        let src = base_url.link(widget.path());
        format!(
            "<figure class=\"live\"><figcaption><code>{name}</code></figcaption>\
             <iframe src=\"{src}?lang=en\" height=\"{height}\" title=\"{title}\" loading=\"lazy\"></iframe></figure>"
        )
    });
    frames.collect()
}
