use std::borrow::Cow;

use base::time::format_instant;

use super::{Entry, Feed};

pub(super) const CONTENT_TYPE: &str = "application/atom+xml; charset=utf-8";

/// Writes an Atom feed (RFC 4287).
pub(super) fn written(feed: &Feed) -> Vec<u8> {
    let Feed { id, title, lang, author, base_url, url, hub, updated, entries, .. } = feed;
    let (id, title, author) = (escaped(id), escaped(title), escaped(author));
    let (base, url, updated) = (escaped(base_url.as_str()), escaped(url), format_instant(*updated));
    let tag = lang.tag();
    let hub = hub.as_ref().map(|hub| format!("  <link rel=\"hub\" href=\"{}\"/>\n", escaped(hub)));
    let hub = hub.unwrap_or_default();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{tag}\">\n  \
           <id>{id}</id>\n  \
           <title>{title}</title>\n  \
           <updated>{updated}</updated>\n  \
           <author><name>{author}</name></author>\n  \
           <link rel=\"self\" type=\"application/atom+xml\" href=\"{url}\"/>\n  \
           <link rel=\"alternate\" type=\"text/html\" href=\"{base}/\"/>\n{hub}"
    );
    entries.iter().for_each(|entry| write(entry, &mut xml));
    xml.push_str("</feed>\n");
    xml.into_bytes()
}

fn write(entry: &Entry, xml: &mut String) {
    let Entry { id, url, title, text, label, published, report } = entry;
    let (id, url, title) = (escaped(id), escaped(url), escaped(title));
    let (text, label, at) = (escaped(text), escaped(label), format_instant(*published));
    let kind = report.kind.as_str();
    xml.push_str(&format!(
        "  <entry>\n    \
             <id>{id}</id>\n    \
             <title>{title}</title>\n    \
             <published>{at}</published>\n    \
             <updated>{at}</updated>\n    \
             <link rel=\"alternate\" type=\"application/json\" href=\"{url}\"/>\n    \
             <category term=\"{kind}\" label=\"{label}\"/>\n    \
             <content type=\"text\">{text}</content>\n  \
           </entry>\n"
    ));
}

/// Escapes a text for an element or an attribute, without the characters that XML 1.0 cannot contain.
fn escaped(text: &str) -> Cow<'_, str> {
    let is_allowed = |char: char| {
        (!char.is_control() || matches!(char, '\t' | '\n' | '\r'))
            && !matches!(char, '\u{FFFE}' | '\u{FFFF}')
    };
    if text.chars().all(|char| is_allowed(char) && !matches!(char, '&' | '<' | '>' | '"')) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for char in text.chars().filter(|char| is_allowed(*char)) {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe.into()
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn markup_is_text_and_what_xml_cannot_contain_is_left_out() {
        assert_eq!(escaped("São Paulo's"), "São Paulo's");
        assert_eq!(escaped("<a b=\"c\">&\u{0}\u{1b}]]>"), "&lt;a b=&quot;c&quot;&gt;&amp;]]&gt;");
        assert_eq!(escaped("\u{FFFF}x\t"), "x\t");
    }
}
