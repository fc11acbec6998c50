//! Keys that make different spellings of a name equal, within a country.
//!
//! These keys are looser than the keys of places in reports. In reports, "Saint-Denis" and "St. Denis" stay distinct, as they
//! were given; on the map, both are the same dot. The packer of `server/geo/data/gazetteer.bin` calls these functions
//! too, so that both sides use the same keys.

use crate::places::fold;

/// Returns the key of a name: the result of [`fold`] without spaces and punctuation, with usual abbreviations written
/// out, and with Arabic letters merged that are typed for one another.
pub fn key(name: &str) -> String {
    joined(fold(name).split(is_separator))
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut key = String::with_capacity(32);
    for word in words {
        match word {
            "st" | "sankt" => key.push_str("saint"),
            "ste" => key.push_str("sainte"),
            "ft" => key.push_str("fort"),
            "mt" => key.push_str("mount"),
            // The sign "&" counts as punctuation, so its word is removed, too.
            "and" => {}
            _ => key.extend(word.chars().filter_map(plain)),
        }
    }
    // Chinese and Japanese cities are written with and without the word for city.
    if key.ends_with('市') && key.chars().nth(1).is_some() {
        key.pop();
    }
    key
}

fn is_separator(c: char) -> bool {
    c.is_ascii_punctuation() || matches!(c, ' ' | '·' | '・' | '،' | '\u{05BE}' | '«' | '»')
}

/// Maps a letter to its form in the key. `None` for Arabic vowel marks, which are rarely typed.
fn plain(c: char) -> Option<char> {
    match c {
        'آ' | 'أ' | 'إ' | 'ٱ' => Some('ا'),
        'ى' | 'ی' | 'ې' => Some('ي'),
        'ک' => Some('ك'),
        'ة' | 'ە' | 'ہ' | 'ھ' => Some('ه'),
        '\u{0640}' | '\u{064B}'..='\u{0652}' => None,
        _ => Some(c),
    }
}

/// Returns the key of a name without the word for its kind of place ("Province of Lodi", "Lodi Province" → "lodi").
/// `None` if there is no such word, or no other.
pub fn stem(name: &str) -> Option<String> {
    let folded = fold(name);
    let words = || folded.split(is_separator).filter(|word| !word.is_empty());
    let mut rest: Vec<&str> = words().filter(|word| !KINDS.contains(word)).collect();
    let has_kind = rest.len() < words().count();
    if has_kind {
        // "Provincia di", "Département de la", "Province d'".
        let links = rest.iter().take_while(|word| LINKS.contains(word)).count();
        rest.drain(..links);
    }
    let mut stem = joined(rest.into_iter());
    let ending = ENDINGS.iter().find(|ending| stem.ends_with(**ending));
    if let Some(ending) = ending {
        stem.truncate(stem.len() - ending.len());
    }
    ((has_kind || ending.is_some()) && !stem.is_empty()).then_some(stem)
}

/// Words for kinds of places, folded.
const KINDS: &[&str] = &[
    "autonoma",
    "autonome",
    "autonomous",
    "bundesland",
    "canton",
    "cantone",
    "capital",
    "changwat",
    "city",
    "ciudad",
    "comunidad",
    "community",
    "county",
    "departamento",
    "departement",
    "department",
    "district",
    "distrito",
    "division",
    "emirate",
    "estado",
    "etat",
    "federal",
    "fylke",
    "governorate",
    "il",
    "ili",
    "judet",
    "judetul",
    "kanton",
    "krai",
    "kraj",
    "kray",
    "lan",
    "maakunta",
    "megye",
    "metropolitan",
    "municipality",
    "municipio",
    "oblast",
    "parish",
    "prefecture",
    "province",
    "provincia",
    "provincie",
    "provinz",
    "raion",
    "rayon",
    "regency",
    "regiao",
    "region",
    "regione",
    "republic",
    "republika",
    "special",
    "state",
    "stato",
    "territory",
    "tinh",
    "town",
    "viloyati",
    "voivodeship",
    "wilaya",
    "wojewodztwo",
    "zupanija",
    "автономная",
    "автономныи",
    "вобласць",
    "город",
    "краи",
    "область",
    "облысы",
    "округ",
    "республика",
    "νομοσ",
    "περιφερεια",
    "استان",
    "محافظة",
    "مدينة",
    "منطقة",
    "ولاية",
];

/// Words between a kind of place and its name.
const LINKS: &[&str] =
    &["d", "da", "de", "del", "della", "des", "di", "do", "du", "la", "of", "the"];

/// Suffixes for kinds of places in scripts without spaces. Longer ones come before the suffixes that they end with.
const ENDINGS: &[&str] = &[
    "特别行政区",
    "특별자치도",
    "특별자치시",
    "維吾爾自治區",
    "维吾尔自治区",
    "壮族自治区",
    "回族自治区",
    "광역시",
    "특별시",
    "自治区",
    "自治區",
    "도",
    "시",
    "州",
    "府",
    "省",
    "県",
    "縣",
    "县",
    "都",
];

#[cfg(test)]
mod tests;
