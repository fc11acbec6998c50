//! Content negotiation by the `Accept` and `Accept-Encoding` headers (RFC 9110, 12.5).

use http::{HeaderMap, HeaderName, header};

/// Maximum number of elements that are read from a header. Browsers send fewer than ten.
const ELEMENTS: usize = 32;

/// Compression of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Brotli,
    Gzip,
    Identity,
}

/// Coding that the client prefers; of equally preferred codings, the smallest. Without a preference, the server may
/// choose, so an uncompressed body needs a higher weight than the others.
///
/// A client that refuses everything, with `identity;q=0`, gets an uncompressed body: RFC 9110, 12.5.3, leaves that to
/// the server, and an error response would be uncompressed as well.
pub fn coding(headers: &HeaderMap) -> Coding {
    let Codings { brotli, gzip, identity } = Codings::of(headers);
    match brotli.max(gzip) {
        0 => Coding::Identity,
        best if best < identity => Coding::Identity,
        best if best == brotli => Coding::Brotli,
        _ => Coding::Gzip,
    }
}

/// Whether the client accepts gzip, alone or among others.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    Codings::of(headers).gzip > 0
}

/// Weights that the client gives each coding, in thousandths.
struct Codings {
    brotli: u16,
    gzip: u16,
    identity: u16,
}

impl Codings {
    fn of(headers: &HeaderMap) -> Self {
        let (mut brotli, mut gzip, mut identity, mut rest) = (None, None, None, 0);
        for (name, quality) in elements(headers, header::ACCEPT_ENCODING) {
            match name {
                "*" => rest = quality,
                _ if name.eq_ignore_ascii_case("br") => brotli = Some(quality),
                _ if name.eq_ignore_ascii_case("identity") => identity = Some(quality),
                _ if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => {
                    gzip = Some(quality);
                }
                _ => {}
            }
        }
        let [brotli, gzip, identity] = [brotli, gzip, identity].map(|named| named.unwrap_or(rest));
        Self { brotli, gzip, identity }
    }
}

/// Whether the client prefers HTML to JSON. Browsers do; programs that accept anything, or send no `Accept`, do not.
pub fn prefers_html(headers: &HeaderMap) -> bool {
    let json = ["json", "problem+json"].map(|subtype| quality(headers, "application", subtype));
    quality(headers, "text", "html").0 > json.into_iter().max().unwrap_or_default().0
}

/// Whether the client prefers JSON to HTML, by weight or by a more specific media range. Programs that are written
/// for JSON do; programs that accept anything, or send no `Accept`, do not.
pub fn prefers_json(headers: &HeaderMap) -> bool {
    quality(headers, "application", "json") > quality(headers, "text", "html")
}

/// Weight of a media type, and specificity of the media range that matches it. The most specific range decides.
fn quality(headers: &HeaderMap, kind: &str, subtype: &str) -> (u16, u8) {
    let ranges = elements(headers, header::ACCEPT);
    let named = ranges.map(|(range, quality)| (closeness(range, kind, subtype), quality));
    let closest = named.filter(|(closeness, _)| *closeness > 0).max();
    let liked = closest.filter(|(_, quality)| *quality > 0);
    liked.map_or((0, 0), |(closeness, quality)| (quality, closeness))
}

/// Specificity with which a media range matches a type: 0 for no match, 1 for `*/*`, 2 for `kind/*`, 3 for an exact
/// match.
fn closeness(range: &str, kind: &str, subtype: &str) -> u8 {
    let Some(range) = range.split_once('/') else { return 0 };
    match range {
        ("*", "*") => 1,
        (own, _) if !own.eq_ignore_ascii_case(kind) => 0,
        (_, "*") => 2,
        (_, own) if own.eq_ignore_ascii_case(subtype) => 3,
        _ => 0,
    }
}

/// Elements of a list header, with their weights in thousandths.
fn elements(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = (&str, u16)> {
    let lines = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).take(ELEMENTS).map(|element| {
        let mut parts = element.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let weight = parts.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| thousandths(value.trim()))
        });
        (name, weight.unwrap_or(1_000))
    })
}

/// Parses a weight. If it is malformed, the weight is 0: the element counts as refused rather than preferred.
fn thousandths(weight: &str) -> u16 {
    match weight.parse::<f32>() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => (weight * 1_000.0).round() as u16,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(name: HeaderName, values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    fn prefers(values: &[&'static str]) -> bool {
        prefers_html(&headers(header::ACCEPT, values))
    }

    #[test]
    fn a_body_is_compressed_as_the_client_likes_best() {
        for (values, expected) in [
            (&["gzip, deflate, br, zstd"][..], Coding::Brotli),
            (&["br"], Coding::Brotli),
            (&["BR ; Q=0.5"], Coding::Brotli),
            (&["gzip"], Coding::Gzip),
            (&["x-gzip"], Coding::Gzip),
            (&["br;q=0, gzip"], Coding::Gzip),
            (&["br;q=0.5, gzip;q=0.8"], Coding::Gzip),
            (&["br;q=0.8", "gzip;q=0.5"], Coding::Brotli),
            (&["identity, br;q=0.1"], Coding::Identity),
            (&["identity;q=0.5, gzip;q=0.4, br;q=0.3"], Coding::Identity),
            (&["*;q=0.5, br;q=0.1, gzip;q=0.1"], Coding::Identity),
            (&["identity;q=0.5, *;q=0.6"], Coding::Brotli),
            (&["identity, br"], Coding::Brotli),
            (&["identity"], Coding::Identity),
            (&["*"], Coding::Brotli),
            (&["*, br;q=0"], Coding::Gzip),
            (&["*;q=0"], Coding::Identity),
            (&["br;q=nonsense"], Coding::Identity),
            (&["deflate, zstd"], Coding::Identity),
            (&["identity;q=0"], Coding::Identity),
            (&["identity;q=0, gzip"], Coding::Gzip),
            (&[""], Coding::Identity),
            (&[], Coding::Identity),
        ] {
            assert_eq!(coding(&headers(header::ACCEPT_ENCODING, values)), expected, "{values:?}");
        }
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
    fn programs_that_want_json_name_it() {
        let prefers = |accept| prefers_json(&headers(header::ACCEPT, &[accept]));
        for accept in [
            "application/json",
            "application/json, text/plain, */*",
            "application/json, text/html;q=0.9",
            "application/*, text/*;q=0.9",
            "text/html;q=0, */*",
        ] {
            assert!(prefers(accept), "{accept}");
        }
        for accept in [
            "",
            "*/*",
            "application/json;q=0, */*",
            "application/json;q=0",
            "application/json;q=0.1, */*",
            "application/json, text/html",
            "text/html, application/json;q=0.9",
            "application/problem+json",
        ] {
            assert!(!prefers(accept), "{accept}");
        }
        assert!(!prefers_json(&HeaderMap::new()));
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
