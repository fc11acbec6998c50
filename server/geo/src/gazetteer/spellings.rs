//! Keys for looking up a city.

use super::key::{key, stem};

/// Countries in which ä, ö, ü are typed as ae, oe, ue.
const UMLAUTS: [[u8; 2]; 5] = [*b"AT", *b"CH", *b"DE", *b"LI", *b"LU"];

/// Keys of a city, the likeliest first. Later keys are only computed if the earlier ones are not found.
pub(super) fn spellings(country: [u8; 2], city: &str) -> impl Iterator<Item = String> {
    let whole = key(city);
    let umlauts = UMLAUTS.contains(&country).then(|| without_umlauts(&whole)).flatten();
    let later = [without_remark, stem].into_iter().filter_map(move |shorter| shorter(city));
    std::iter::once(whole).chain(umlauts).chain(later).filter(|key| !key.is_empty())
}

/// Key of the name in "Paris, Texas" or "Paris (Texas)".
fn without_remark(city: &str) -> Option<String> {
    city.split_once([',', '(', '/', ';']).map(|(name, _)| key(name))
}

/// Shortens "duesseldorf" to "dusseldorf".
fn without_umlauts(key: &str) -> Option<String> {
    let plain = key.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    (plain != key).then_some(plain)
}
