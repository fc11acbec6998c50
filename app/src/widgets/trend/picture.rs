//! The bars of the trend, with the counters of the period above them.

use crate::{
    chart::{VIEW_BOX, WIDTH as DRAWING_WIDTH, bars, scale},
    contract::snippets::Embed,
    page_data::{PageData, Read},
    picture::{
        Picture, heading, label,
        sheet::Sheet,
        text::{Face, escaped, foreign},
        words,
    },
    widgets::trend::neutral_end,
    words::{
        Word, Words,
        common::{COMMA, REPORT},
    },
};
use kit::number::neutral;
use model::{Series, Types};

const WIDTH: u32 = 480;
const HEIGHT: u32 = 224;
const PADDING: u32 = 16;
/// Top and bottom of the chart; the bottom is its axis.
const TOP: u32 = 72;
const AXIS: u32 = 188;
const HEADING: Face = Face::Bold(14);
const SMALL: Face = Face::Regular(12);
const COUNT: Face = Face::Bold(12);
/// Distances between a type's glyph and its count, and between two types.
const GLYPH: u32 = 18;
const GAP: u32 = 16;
/// Maximum width of the name of a type, so that three fit. Longer names are cut.
const MAX_NAME: u32 = 90;

/// Draws the picture of the trend widget.
pub(in crate::widgets) fn draw<'a>(
    embed: &'a Embed,
    source: &'a dyn PageData,
) -> Read<'a, Picture> {
    Box::pin(async move {
        let series = source.series(&embed.options).await?;
        Ok(picture(embed, &series, &label(&embed.options, source), &words(&embed.options, source)))
    })
}

fn picture(embed: &Embed, series: &Series, label: &str, words: &Words) -> Picture {
    let types = embed.options.types;
    let total: u64 = series.points.iter().map(|point| point.sum(types)).sum();
    let total = words.counted(REPORT, total, &neutral(total, words.lang));
    let [from, to] = [&series.from, &series.to].map(|date| neutral_end(date, series.interval));

    let mut sheet = Sheet::new(&embed.options, WIDTH, HEIGHT);
    header(&mut sheet, label, &total);
    let said = legend(&mut sheet, series, types, words);
    chart(&mut sheet, series, types, words);
    sheet.text("muted", SMALL, PADDING, AXIS + 20, &from);
    sheet.text_to("muted", SMALL, WIDTH - PADDING, AXIS + 20, &to);
    sheet.finish(&format!("{}, {from} – {to}: {total}", heading(embed, label)), &said)
}

/// Draws the label and the number of reports.
fn header(sheet: &mut Sheet<'_>, label: &str, total: &str) {
    if label.is_empty() {
        return sheet.text("accent", HEADING, PADDING, 28, total);
    }
    let room = WIDTH - 3 * PADDING - SMALL.width_of(total);
    sheet.text("text", HEADING, PADDING, 28, &foreign(&HEADING.fitted(label, room)));
    sheet.text_to("accent", SMALL, WIDTH - PADDING, 28, total);
}

/// Draws the counts of the types. Returns them as text.
fn legend(sheet: &mut Sheet<'_>, series: &Series, types: Types, words: &Words) -> String {
    let mut x = PADDING;
    let mut said = Vec::new();
    for kind in types.each() {
        let count: u64 = series.points.iter().map(|point| point.of(kind)).sum();
        let (name, count) = (words.text(Word::of(kind)), neutral(count, words.lang));
        let shown = SMALL.fitted(name, MAX_NAME);
        sheet.glyph(kind.as_str(), x - 2, 40, 14);
        sheet.text("muted", SMALL, x + GLYPH - 4, 51, &escaped(&shown));
        x += GLYPH + SMALL.width_of(&shown);
        sheet.text("text", COUNT, x, 51, &count);
        x += COUNT.width_of(&count) + GAP;
        said.push(format!("{name} {count}"));
    }
    said.join(words.text(COMMA))
}

fn chart(sheet: &mut Sheet<'_>, series: &Series, types: Types, words: &Words) {
    let scale = scale(&series.points, types);
    let paths = types.each().map(|kind| {
        let bars = bars(&series.points, types, kind, scale);
        format!("<path class=\"{}\" d=\"{bars}\"/>", kind.as_str())
    });
    let paths: String = paths.collect();
    let drawing = match sheet.lang().direction() {
        // In right-to-left languages, time runs from right to left.
        "rtl" => format!("<g transform=\"matrix(-1 0 0 1 {DRAWING_WIDTH} 0)\">{paths}</g>"),
        _ => paths,
    };
    let (width, height) = (WIDTH - 2 * PADDING, AXIS - TOP);
    sheet.rule(PADDING, TOP, width);
    sheet.text_to("muted", SMALL, WIDTH - PADDING, TOP - 5, &neutral(scale, words.lang));
    sheet.stretched(PADDING, TOP, (width, height), VIEW_BOX, &drawing);
    sheet.rule(PADDING, AXIS, width);
}

#[cfg(test)]
mod tests {
    use crate::testing::{self, Fake};
    use model::{Interval, Series, SeriesPoint};

    fn svg(query: &str) -> String {
        let point = |spirit, water, both| SeriesPoint {
            spirit,
            water,
            both,
            total: spirit + water + both,
            ..SeriesPoint::default()
        };
        let series = Series {
            interval: Interval::Month,
            from: "2026-01-01".to_owned(),
            to: "2026-02-28".to_owned(),
            points: vec![point(1_000, 200, 34), point(2, 0, 0)],
            ..Series::default()
        };
        testing::picture("trend", query, Fake { series, ..Fake::default() }).svg
    }

    #[test]
    fn it_shows_the_bars_and_says_their_sum() {
        let svg = svg("");
        for text in [
            "<title id=\"title\">Reports by date, 2026-01 – 2026-02: 1,236 reports</title>",
            "<desc id=\"desc\">Spirit 1,002, Water 200, Both 34</desc>",
            ">1,236 reports</text>",
            ">1,600</text>",
            ">2026-01</text>",
            ">2026-02</text>",
            "<path class=\"spirit\" d=\"M700 375h3600v625h-3600zM5700 988h3600v12h-3600z\"/>",
            "<path class=\"both\" d=\"M700 229h3600v21h-3600z\"/>",
        ] {
            assert!(svg.contains(text), "{text} is not in {svg}");
        }
    }

    #[test]
    fn only_the_types_asked_for_are_drawn() {
        let svg = svg("types=water&title=Wells");
        assert!(svg.contains("<title id=\"title\">Wells, 2026-01 – 2026-02: 200 reports</title>"));
        assert!(svg.contains("<path class=\"water\" d=\"M700 0h3600v1000h-3600z\"/>"), "{svg}");
        assert!(!svg.contains("<path class=\"spirit\" d=\"M700"), "{svg}");
    }

    #[test]
    fn in_arabic_time_runs_from_right_to_left() {
        let svg = svg("lang=ar");
        assert!(svg.contains("<g transform=\"matrix(-1 0 0 1 10000 0)\"><path"), "{svg}");
    }
}
