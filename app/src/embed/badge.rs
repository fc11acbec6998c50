//! The counters as one SVG picture, for where no iframe is allowed: a README, a mail.
//!
//! A picture gets neither scripts, nor fonts, nor style sheets from elsewhere, so the colours of
//! `style/parts/tokens.css` stand here again. Nobody can measure the reader's font from here: a
//! column is as wide as its number is in the widest of the common system fonts.

use super::{Background, EmbedOptions, Theme};
use crate::{glyph, lang::Lang, model::Metrics, number::neutral, words::dictionary::dictionary};

const LIGHT: &str = "--surface:#fff;--text:#14213d;--muted:#5a6478;--spirit:#b45309;--water:#0369a1;\
                     --both:#7c3aed;--line:#e3e7ee";
const DARK: &str = "--surface:#0b1220;--text:#e8edf7;--muted:#9aa7bd;--spirit:#fbbf24;--water:#38bdf8;\
                    --both:#c4b5fd;--line:#1f2a3d";

const HEIGHT: u32 = 64;
const PADDING: u32 = 16;
/// Fits the longest label beside its glyph.
const LEAST: u32 = 64;

/// The picture of these counters.
pub fn svg(metrics: &Metrics, options: &EmbedOptions) -> String {
    let lang = options.lang.unwrap_or_default();
    let words = dictionary(lang);
    let columns = [
        ("total", words.total, metrics.total),
        ("spirit", words.spirit, metrics.spirit),
        ("water", words.water, metrics.water),
        ("both", words.both, metrics.both),
    ];
    let mut drawn = String::new();
    let mut x = PADDING;
    for (name, label, count) in columns {
        let number = neutral(count, lang);
        if name != "total" {
            drawn += &format!("<path class=\"line\" d=\"M{}.5 16v32\"/>", x - PADDING);
        }
        drawn += &format!(
            "<use href=\"#{name}\" class=\"{name}\" x=\"{}\" y=\"13\" width=\"14\" height=\"14\"/>\
             <text class=\"label\" x=\"{}\" y=\"24\">{label}</text>\
             <text class=\"number\" x=\"{x}\" y=\"49\">{number}</text>",
            // A glyph stands a little inside of its square.
            x - 2,
            x + 18,
        );
        x += width_of(&number).max(LEAST) + 2 * PADDING;
    }
    let width = x - PADDING;
    let (title, desc) = said(metrics);
    let colours = colours(options.theme);
    let ground = match options.background {
        Background::Surface => format!(
            "<rect class=\"ground\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"12\"/>",
            width - 1,
            HEIGHT - 1
        ),
        Background::None => String::new(),
    };
    let symbols = glyph::SYMBOLS;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\" aria-labelledby=\"title desc\">\
         <title id=\"title\">{title}</title><desc id=\"desc\">{desc}</desc>\
         <style>{colours}\
         text{{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",\
         \"Noto Sans\",sans-serif;font-variant-numeric:tabular-nums}}\
         .label{{font-size:12px;font-weight:500;fill:var(--muted)}}\
         .number{{font-size:20px;font-weight:600;fill:var(--text)}}\
         .ground{{fill:var(--surface);stroke:var(--line)}}.line{{stroke:var(--line)}}\
         .spirit{{fill:var(--spirit)}}.water{{fill:var(--water)}}.both{{fill:var(--both)}}\
         </style><defs>{symbols}</defs>{ground}{drawn}</svg>"
    )
}

/// What the picture says to those who do not see it.
fn said(metrics: &Metrics) -> (String, String) {
    let [total, spirit, water, both, countries, cities] = [
        metrics.total,
        metrics.spirit,
        metrics.water,
        metrics.both,
        metrics.countries,
        metrics.cities,
    ]
    .map(|count| neutral(count, Lang::En));
    (
        format!("{total} reports so far: {spirit} spirit, {water} water, {both} both"),
        format!("From {cities} cities in {countries} countries."),
    )
}

fn colours(theme: Theme) -> String {
    match theme {
        Theme::Light => format!("svg{{{LIGHT}}}"),
        Theme::Dark => format!("svg{{{DARK}}}"),
        Theme::Auto => {
            format!("svg{{{LIGHT}}}@media (prefers-color-scheme:dark){{svg{{{DARK}}}}}")
        }
    }
}

/// How wide a number gets at the most, in pixels: a bold figure is up to 0.7 em (DejaVu Sans), a
/// comma 0.4 em.
fn width_of(number: &str) -> u32 {
    number.chars().map(|c| if c == ',' { 8 } else { 14 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics() -> Metrics {
        Metrics {
            spirit: 1_000,
            water: 230,
            both: 4,
            total: 1_234,
            cities: 9,
            countries: 3,
            ..Metrics::default()
        }
    }

    #[test]
    fn it_says_the_counters_and_refers_to_nothing_outside() {
        let svg = svg(&metrics(), &EmbedOptions::default());
        for text in [
            ">1,234</text>",
            ">1,000</text>",
            ">230</text>",
            ">4</text>",
            "<title id=\"title\">1,234 reports so far: 1,000 spirit, 230 water, 4 both</title>",
            "<desc id=\"desc\">From 9 cities in 3 countries.</desc>",
        ] {
            assert!(svg.contains(text), "{text} is not in {svg}");
        }
        let outside = svg.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for reference in ["http", "url(", "@import", "<script", "//"] {
            assert!(!outside.contains(reference), "{reference} is in {svg}");
        }
    }

    #[test]
    fn its_words_need_no_escaping_in_any_language() {
        for lang in Lang::ALL {
            let words = dictionary(lang);
            for label in [words.total, words.spirit, words.water, words.both] {
                assert!(!label.contains(['<', '>', '&']), "{label}");
            }
            let numbers = neutral(u64::MAX, lang);
            assert!(!numbers.contains(['<', '>', '&']), "{numbers}");
        }
    }

    #[test]
    fn the_colours_are_those_of_the_tokens() {
        let tokens = include_str!("../../../style/parts/tokens.css").replace("#ffffff", "#fff");
        for declaration in LIGHT.split(';').chain(DARK.split(';')) {
            let written = declaration.replacen(':', ": ", 1) + ";";
            assert!(tokens.contains(&written), "{written}");
        }
    }

    #[test]
    fn the_theme_is_the_readers_unless_it_is_chosen() {
        let svg = |query| svg(&metrics(), &EmbedOptions::from_query(query));
        assert!(svg("").contains("@media (prefers-color-scheme:dark)"));
        assert!(svg("theme=dark").contains("svg{--surface:#0b1220"));
        assert!(!svg("theme=dark").contains("@media"));
        assert!(!svg("bg=none").contains("<rect"));
    }

    #[test]
    fn it_grows_with_its_numbers() {
        let width = |total| {
            let svg = svg(&Metrics { total, ..metrics() }, &EmbedOptions::default());
            let (_, rest) = svg.split_once("width=\"").unwrap();
            rest.split_once('"').unwrap().0.parse::<u32>().unwrap()
        };
        assert_eq!(width(7), width(1_234));
        assert!(width(u64::MAX) >= width(7) + 20 * 14 - LEAST);
    }
}
