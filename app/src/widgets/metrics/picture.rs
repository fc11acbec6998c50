//! The counters in one row.

use crate::{
    contract::snippets::Embed,
    page_data::{PageData, Read},
    picture::{
        Picture, heading, label,
        sheet::Sheet,
        text::{Face, escaped, foreign},
        title, words,
    },
    widgets::metrics::{spark, words::TOTAL},
    words::{
        Words,
        common::{CITY, COMMA, COUNTRY},
        name_of,
    },
};
use kit::number::neutral;
use model::{Metrics, ReportType};

const HEIGHT: u32 = 64;
const PADDING: u32 = 16;
/// Height of the title above the counters.
const TITLE: u32 = 24;
/// Maximum width of the title, unless the counters are wider. Longer titles are cut.
const MAX_TITLE: u32 = 480;
/// Minimum width of a column.
const MIN_COLUMN_WIDTH: u32 = 64;
const HEADING: Face = Face::Bold(14);
const NAME: Face = Face::Regular(12);
const NUMBER: Face = Face::Bold(20);
/// Width of a glyph, including the gap before its label.
const GLYPH: u32 = 18;

/// Maximum width of the name of a type. Longer names are cut.
const MAX_NAME: u32 = 160;

/// One counter.
struct Column {
    /// Name of the glyph.
    name: &'static str,
    label: String,
    number: String,
}

/// Draws the picture of the metrics widget.
pub(in crate::widgets) fn draw<'a>(
    embed: &'a Embed,
    source: &'a dyn PageData,
) -> Read<'a, Picture> {
    Box::pin(async move {
        let options = &embed.options;
        let metrics = source.metrics(options).await?;
        let line = spark::line(&source.series(options).await?, options.types);
        Ok(picture(embed, &metrics, &line, &label(options, source), &words(options, source)))
    })
}

fn picture(embed: &Embed, metrics: &Metrics, line: &str, label: &str, words: &Words) -> Picture {
    let options = &embed.options;
    let columns = columns(embed, metrics, words);
    let mut widths: Vec<u32> = columns.iter().map(Column::width).collect();
    if let (Some(first), false) = (widths.first_mut(), line.is_empty()) {
        *first = spark::SIZE.0.max(*first);
    }
    let counters = widths.iter().sum::<u32>() + 2 * PADDING * columns.len() as u32;
    let title = title(embed, label);
    let width = counters.max(HEADING.width_of(title).min(MAX_TITLE) + 2 * PADDING);
    let (top, below) = (TITLE, if line.is_empty() { 0 } else { spark::SIZE.1 + 8 });

    let mut sheet = Sheet::new(options, width, HEIGHT + top + below);
    let title = foreign(&HEADING.fitted(title, width - 2 * PADDING));
    sheet.text("text", HEADING, PADDING, 27, &title);
    if !line.is_empty() {
        sheet.stroke(PADDING, top + 60, spark::SIZE, line);
    }
    let mut x = PADDING;
    for (index, (column, width)) in columns.iter().zip(widths).enumerate() {
        if index > 0 {
            sheet.line_down(x - PADDING, top + 16, 32 + below);
        }
        // A glyph is slightly smaller than its square.
        sheet.glyph(column.name, x - 2, top + 13, 14);
        sheet.text("muted", NAME, x + GLYPH, top + 24, &escaped(&column.label));
        // The first counter is emphasised, as in the widget.
        let colour = if index == 0 { "accent" } else { "text" };
        sheet.text(colour, NUMBER, x, top + 49, &column.number);
        x += width + 2 * PADDING;
    }
    let title = format!("{}: {}", heading(embed, label), said(&columns, words));
    sheet.finish(&title, &places(embed, metrics, words))
}

/// The total and the requested types. A single type needs no separate total.
fn columns(embed: &Embed, metrics: &Metrics, words: &Words) -> Vec<Column> {
    let types = embed.options.types;
    let column = |name, word, count| Column {
        name,
        label: NAME.fitted(words.text(word), MAX_NAME),
        number: neutral(count, words.lang),
    };
    let of = |kind: ReportType| column(kind.as_str(), name_of(kind), metrics.of(kind));
    let kinds: Vec<ReportType> = types.each().collect();
    let total = column("total", TOTAL, types.sum(|kind| metrics.of(kind)));
    (kinds.len() > 1).then_some(total).into_iter().chain(kinds.into_iter().map(of)).collect()
}

impl Column {
    fn width(&self) -> u32 {
        MIN_COLUMN_WIDTH.max(NUMBER.width_of(&self.number)).max(GLYPH + NAME.width_of(&self.label))
    }
}

/// The counters as text: "Total 1,234, Spirit 1,000".
fn said(columns: &[Column], words: &Words) -> String {
    let said: Vec<_> =
        columns.iter().map(|Column { label, number, .. }| format!("{label} {number}")).collect();
    said.join(words.text(COMMA))
}

/// Number of places. Places are counted for all types, so the text is empty if only some types are
/// shown.
fn places(embed: &Embed, metrics: &Metrics, words: &Words) -> String {
    if !embed.options.types.is_all() {
        return String::new();
    }
    let counted = |noun, count| words.counted(noun, count, &neutral(count, words.lang));
    [
        counted(CITY, metrics.cities),
        words.text(COMMA).to_owned(),
        counted(COUNTRY, metrics.countries),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::words::common::SPIRIT;
    use kit::lang::Lang;
    use model::{Series, SeriesPoint};

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

    fn svg(query: &str) -> String {
        svg_of(metrics(), query)
    }

    fn svg_of(metrics: Metrics, query: &str) -> String {
        let source = testing::Fake { metrics, ..testing::Fake::default() };
        testing::picture("metrics", query, source).svg
    }

    #[test]
    fn it_says_the_counters_and_refers_to_nothing_outside() {
        let svg = svg("");
        for text in [
            ">1,234</text>",
            ">1,000</text>",
            ">230</text>",
            ">4</text>",
            "<title id=\"title\">Reports so far: Total 1,234, Spirit 1,000, Water 230, Both 4</title>",
            "<desc id=\"desc\">9 cities, 3 countries</desc>",
        ] {
            assert!(svg.contains(text), "{text} is not in {svg}");
        }
        let outside = svg.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for reference in ["http", "url(", "@import", "<script", "//", "var("] {
            assert!(!outside.contains(reference), "{reference} is in {svg}");
        }
    }

    #[test]
    fn only_the_types_asked_for_are_counted() {
        let two = svg("types=spirit,both");
        for text in [">1,004</text>", ">1,000</text>", ">4</text>", "<desc id=\"desc\"></desc>"] {
            assert!(two.contains(text), "{text} is not in {two}");
        }
        assert!(!two.contains(">230</text>") && !two.contains(">1,234</text>"), "{two}");
        let one = svg("types=water");
        assert!(one.contains("<title id=\"title\">Reports so far: Water 230</title>"), "{one}");
        assert!(one.contains(
            "<text class=\"accent strong\" font-size=\"20\" x=\"16\" y=\"73\">230</text>"
        ));
        assert_eq!(one.matches("<use ").count(), 1, "{one}");
    }

    #[test]
    fn the_accent_is_the_colour_of_the_strongest_number_alone() {
        let svg = svg("accent=c2410c&theme=light");
        assert!(svg.contains(".accent{fill:#c2410c}"), "{svg}");
        assert_eq!(svg.matches("class=\"accent ").count(), 1, "{svg}");
    }

    #[test]
    fn arabic_is_laid_out_from_right_to_left() {
        let (arabic, english) = (svg("lang=ar"), svg("lang=en"));
        assert_eq!(english.matches("text-anchor=\"end\"").count(), 0);
        assert_eq!(arabic.matches("<text ").count(), 9, "{arabic}");
        assert_eq!(arabic.matches("text-anchor=\"end\"").count(), 9, "{arabic}");
        let at = |text: &str| {
            let (before, _) = arabic.split_once(text).unwrap();
            let (_, x) = before.rsplit_once(" x=\"").unwrap();
            x.split('"').next().unwrap().parse::<u32>().unwrap()
        };
        assert!(at("1,234\u{2069}<") > at("1,000\u{2069}<"), "{arabic}");
        assert!(at("1,000\u{2069}<") > at("230\u{2069}<"), "{arabic}");
    }

    #[test]
    fn a_title_is_seen_and_said() {
        let svg = svg("title=A+%3C+B");
        assert!(svg.contains("<title id=\"title\">A &lt; B: Total 1,234, "), "{svg}");
        let seen = "<text class=\"text strong\" font-size=\"14\" x=\"16\" y=\"27\">\u{2068}A &lt; B\u{2069}</text>";
        assert!(svg.contains(seen), "{svg}");
        assert!(svg.contains(" height=\"88\" "), "{svg}");
    }

    #[test]
    fn the_line_of_the_last_days_is_below_the_total() {
        let point = |water| SeriesPoint { water, total: water, ..SeriesPoint::default() };
        let points = vec![point(0), point(2)];
        let series = Series { points, ..Series::default() };
        let source = testing::Fake { metrics: metrics(), series, ..testing::Fake::default() };
        let svg = testing::picture("metrics", "", source).svg;
        assert!(svg.contains("<path class=\"spark\" d=\"M1 23L95 1\"/>"), "{svg}");
        assert!(svg.contains(" height=\"120\" "), "{svg}");
    }

    #[test]
    fn a_place_is_seen_and_said() {
        let svg = svg("city=Campinas&country=Brazil&lang=de");
        assert!(svg.contains(">\u{2068}Campinas, Brazil\u{2069}</text>"), "{svg}");
        assert!(svg.contains(">Bisherige Berichte · Campinas, Brazil: Gesamt 1.234, "), "{svg}");
    }

    #[test]
    fn a_long_title_is_cut() {
        let long = svg(&format!("title={}", "A+very+long+title+".repeat(14)));
        assert!(long.contains("…\u{2069}</text>"), "{long}");
        assert!(long.contains(" width=\"512\" "), "{long}");
    }

    #[test]
    fn it_grows_with_its_numbers() {
        let width = |total| {
            let svg = svg_of(Metrics { spirit: total, ..Metrics::default() }, "");
            let (_, rest) = svg.split_once("width=\"").unwrap();
            rest.split_once('"').unwrap().0.parse::<u32>().unwrap()
        };
        assert_eq!(width(7), width(1_234));
        assert!(width(u64::MAX) >= width(7) + 2 * (20 * 14 - MIN_COLUMN_WIDTH));
    }

    #[test]
    fn it_speaks_every_language() {
        for lang in Lang::ALL {
            let svg = svg(&format!("lang={}", lang.tag()));
            let label = Words::all(lang).text(SPIRIT).to_owned();
            assert!(svg.contains(&label) && svg.contains(&format!("lang=\"{}\"", lang.tag())));
        }
    }
}
