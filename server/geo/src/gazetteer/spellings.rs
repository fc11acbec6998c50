//! The keys to look a city up by.

use super::key::{key, stem};

/// Countries where ä, ö, ü are typed as ae, oe, ue.
const UMLAUTS: [[u8; 2]; 5] = [*b"AT", *b"CH", *b"DE", *b"LI", *b"LU"];

/// The keys of a city, the likeliest first. Only a city that is not found pays for the later ones.
pub(super) fn spellings(country: [u8; 2], city: &str) -> impl Iterator<Item = String> {
    let whole = key(city);
    let umlauts = UMLAUTS.contains(&country).then(|| without_umlauts(&whole)).flatten();
    let later = [without_remark, stem].into_iter().filter_map(move |shorter| shorter(city));
    std::iter::once(whole).chain(umlauts).chain(later).filter(|key| !key.is_empty())
}

/// "Paris, Texas" and "Paris (Texas)" without what follows the name.
fn without_remark(city: &str) -> Option<String> {
    city.split_once([',', '(', '/', ';']).map(|(name, _)| key(name))
}

/// "duesseldorf" as "dusseldorf".
fn without_umlauts(key: &str) -> Option<String> {
    let plain = key.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    (plain != key).then_some(plain)
}
