//! Countries by code or name.
//!
//! `server/geo/data/countries.tsv` holds one line a country: alpha-2, alpha-3, usual English name, and
//! the further keys (already folded) that mean it, separated by `|`. It is made from Unicode CLDR
//! by `scripts/data/make-countries.py`. A name that means more than one country was settled there.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold;

static DATA: &str = include_str!("../../data/countries.tsv");

/// By code, in the order of the codes.
static COUNTRIES: LazyLock<Vec<Country>> =
    LazyLock::new(|| DATA.lines().filter_map(parse).collect());

/// Every key that means a country, with the country's code.
static BY_KEY: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut by_key = HashMap::with_capacity(16_384);
    for country in COUNTRIES.iter() {
        let own =
            [country.code, country.alpha3, country.name].map(|name| fold(name).leak() as &str);
        by_key.extend(own.into_iter().chain(country.keys()).map(|key| (key, country.code)));
    }
    by_key
});

struct Country {
    code: &'static str,
    alpha3: &'static str,
    name: &'static str,
    keys: &'static str,
}

impl Country {
    fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.keys.split('|').filter(|key| !key.is_empty())
    }
}

fn parse(line: &'static str) -> Option<Country> {
    let mut columns = line.split('\t');
    Some(Country {
        code: columns.next()?,
        alpha3: columns.next()?,
        name: columns.next()?,
        keys: columns.next()?,
    })
}

/// The key of a country: its upper-case ISO 3166-1 alpha-2 code where the text is a code (alpha-2 or
/// alpha-3) or a name of it in one of many languages, else the folded text. A folded text is
/// lower-case, so it is never taken for a code.
///
/// Kosovo, which ISO 3166-1 leaves to its users, is `XK`. The nations of the United Kingdom are `GB`.
pub fn country_key(text: &str) -> String {
    let key = fold(text);
    code_of(&key).map_or(key, str::to_owned)
}

/// The usual English name of the country with this upper-case alpha-2 code.
pub fn country_name(code: &str) -> Option<&'static str> {
    let index = COUNTRIES.binary_search_by_key(&code, |country| country.code).ok()?;
    Some(COUNTRIES[index].name)
}

/// The upper-case alpha-2 codes of all countries.
pub fn country_codes() -> impl Iterator<Item = &'static str> {
    COUNTRIES.iter().map(|country| country.code)
}

/// The folded names and codes of all countries.
pub fn country_spellings() -> impl Iterator<Item = &'static str> {
    BY_KEY.keys().copied()
}

/// The code for a folded text: as it is, else without the article and the dots ("The U.S.A.").
fn code_of(key: &str) -> Option<&'static str> {
    if let Some(code) = BY_KEY.get(key) {
        return Some(code);
    }
    let bare = key.strip_prefix("the ").unwrap_or(key);
    if !bare.contains('.') {
        return BY_KEY.get(bare).copied();
    }
    // "U.S.A." has its dots for nothing, "St.Lucia" for a space.
    let candidates = [bare.replace('.', ""), fold(&bare.replace('.', " "))];
    candidates.iter().find_map(|key| BY_KEY.get(key.as_str()).copied())
}

#[cfg(test)]
mod tests;
