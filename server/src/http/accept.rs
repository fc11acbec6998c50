//! What a client wants to read, by its `Accept` header (RFC 9110, 12.5.1).

use http::{HeaderMap, header};

/// How many ranges of a header are read: browsers send fewer than ten.
const RANGES: usize = 32;

/// Whether HTML is liked better than JSON. Browsers say so; a program that takes anything, or says
/// nothing, does not.
pub(crate) fn prefers_html(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<_> =
        values.flat_map(|value| value.split(',')).take(RANGES).filter_map(Range::parse).collect();
    let json = ["json", "problem+json"].map(|name| quality(&ranges, "application", name));
    quality(&ranges, "text", "html") > json.into_iter().max().unwrap_or(0)
}

/// Media types, and how much they are liked.
struct Range<'a> {
    kind: &'a str,
    /// `*` for all of the kind.
    subtype: &'a str,
    /// In thousandths.
    quality: u16,
}

impl<'a> Range<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let (kind, subtype) = parts.next()?.split_once('/')?;
        let weight = parts.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| thousandths(value.trim()))
        });
        Some(Self { kind, subtype, quality: weight.unwrap_or(1_000) })
    }

    /// How closely it names a type: not at all, as one of all, as one of its kind, or as itself.
    fn closeness(&self, kind: &str, subtype: &str) -> u8 {
        match (self.kind, self.subtype) {
            ("*", "*") => 1,
            (own, _) if !own.eq_ignore_ascii_case(kind) => 0,
            (_, "*") => 2,
            (_, own) if own.eq_ignore_ascii_case(subtype) => 3,
            _ => 0,
        }
    }
}

/// How much a type is liked: what the range says that names it most closely.
fn quality(ranges: &[Range<'_>], kind: &str, subtype: &str) -> u16 {
    let named = ranges.iter().map(|range| (range.closeness(kind, subtype), range.quality));
    named.filter(|(closeness, _)| *closeness > 0).max().map_or(0, |(_, quality)| quality)
}

/// A weight that cannot be read refuses the range rather than liking it best.
fn thousandths(weight: &str) -> u16 {
    match weight.parse::<f32>() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => (weight * 1_000.0).round() as u16,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn prefers(values: &[&'static str]) -> bool {
        let values = values.iter().map(|value| (header::ACCEPT, HeaderValue::from_static(value)));
        prefers_html(&values.collect())
    }

    #[test]
    fn browsers_prefer_html() {
        for accept in [
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,\
             image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
            "text/html",
            "TEXT/HTML ; charset=utf-8 ; Q=0.3",
            "text/*",
            "application/json;q=0.5, text/html;q=0.501",
            "*/*, application/json;q=0.9, application/problem+json;q=0.9",
        ] {
            assert!(prefers(&[accept]), "{accept}");
        }
        assert!(prefers(&["application/json;q=0.1", "text/html"]), "two lines are one list");
    }

    #[test]
    fn programs_do_not() {
        for accept in [
            "*/*",
            "",
            "application/json",
            "application/json, text/plain, */*",
            "application/json, text/html",
            "application/problem+json, text/html;q=0.9",
            "text/html;q=0",
            "text/html;q=x",
            "text/html;q=7",
            "text/html;q=0, text/*",
            "application/*, text/*;q=0.9",
            "texthtml",
            ";;,,/",
        ] {
            assert!(!prefers(&[accept]), "{accept}");
        }
        assert!(!prefers(&[]));
    }
}
