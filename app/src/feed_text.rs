//! Texts of the feeds, in the language of their readers.

use crate::{
    brand::Brand,
    widgets::feed::words::{PERSON, TITLE},
    words::common::COMMA,
};
use kit::{lang::Lang, number::neutral};
use model::Report;

/// Title of a feed with the reports of a place; `place` is empty for those of all places.
pub fn title(brand: &Brand, place: &str, lang: Lang) -> String {
    let parts = [brand.name(lang), TITLE.text(lang).to_owned(), place.to_owned()];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" – ")
}

/// Title of an entry: its type and its place.
pub fn entry(brand: &Brand, report: &Report, lang: Lang) -> String {
    let label = brand.label(report.kind, lang);
    let place = [report.city.as_str(), report.country.as_str()].join(COMMA.text(lang));
    format!("{label} – {place}")
}

/// Text of an entry: the number of people.
pub fn people(brand: &Brand, report: &Report, lang: Lang) -> String {
    let count = u64::from(report.people_count);
    brand.words(lang).counted(PERSON, count, &neutral(count, lang))
}
