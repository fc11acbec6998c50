//! Countries by code or name.
//!
//! Each line of `server/geo/data/countries.tsv` is a country: alpha-2 code, alpha-3 code, usual English name, and
//! further keys for it (already folded), separated by `|`. `scripts/data/make-countries.py` makes it from Unicode CLDR,
//! and assigns each ambiguous name to one country.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold;

static DATA: &str = include_str!("../../data/countries.tsv");

/// Countries in the order of their codes.
static COUNTRIES: LazyLock<Vec<Country>> =
    LazyLock::new(|| DATA.lines().filter_map(parse).collect());

/// Codes of countries, by every key of each country.
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

/// Returns the key of a country: its upper-case ISO 3166-1 alpha-2 code if the text is its code (alpha-2 or alpha-3) or
/// its name in one of many languages, otherwise the folded text. Folded text is lower-case, so it never equals a code.
///
/// Kosovo has no code in ISO 3166-1; here it is `XK`, which the standard leaves for private use. The nations of the
/// United Kingdom are `GB`.
pub fn country_key(text: &str) -> String {
    let key = fold(text);
    code_of(&key).map_or(key, str::to_owned)
}

/// Returns the usual English name of the country with this upper-case alpha-2 code.
pub fn country_name(code: &str) -> Option<&'static str> {
    let index = COUNTRIES.binary_search_by_key(&code, |country| country.code).ok()?;
    Some(COUNTRIES[index].name)
}

/// Returns the upper-case alpha-2 codes of all countries.
pub fn country_codes() -> impl Iterator<Item = &'static str> {
    COUNTRIES.iter().map(|country| country.code)
}

/// Returns the folded names and codes of all countries.
pub fn country_spellings() -> impl Iterator<Item = &'static str> {
    BY_KEY.keys().copied()
}

/// Returns the code for a folded text. If there is none, tries again without the article and the dots ("The U.S.A.").
fn code_of(key: &str) -> Option<&'static str> {
    if let Some(code) = BY_KEY.get(key) {
        return Some(code);
    }
    let bare = key.strip_prefix("the ").unwrap_or(key);
    if !bare.contains('.') {
        return BY_KEY.get(bare).copied();
    }
    // The dots of "U.S.A." are removed; the dot of "St.Lucia" becomes a space.
    let candidates = [bare.replace('.', ""), fold(&bare.replace('.', " "))];
    candidates.iter().find_map(|key| BY_KEY.get(key.as_str()).copied())
}

#[cfg(test)]
mod tests;
