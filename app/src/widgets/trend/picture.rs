//! The bars of the trend, with the counters of the period above them.

use crate::{
    chart::{HEIGHT as FULL, WIDTH as WHOLE, scale, segment, slot},
    contract::snippets::Embed,
    page_data::{PageData, Read},
    picture::{
        Picture, heading, label,
        sheet::Sheet,
        text::{Face, escaped, foreign},
        title, words,
    },
    widgets::trend::{
        neutral_end,
        words::{LAST_DAYS, LAST_MONTHS},
    },
    words::{
        Words,
        common::{COMMA, REPORT},
        name_of,
    },
};
use kit::number::neutral;
use model::{Interval, Series, SeriesPoint, Types};

const WIDTH: u32 = 480;
const HEIGHT: u32 = 240;
const PADDING: u32 = 16;
/// Top and bottom of the chart; the bottom is its axis.
const TOP: u32 = 112;
const AXIS: u32 = 204;
/// Gap between two bars, and the radius of their upper corners.
const GAP: u32 = 2;
const RADIUS: u32 = 3;
const HEADING: Face = Face::Bold(14);
const SMALL: Face = Face::Regular(12);
const COUNT: Face = Face::Bold(12);
const TOTAL: Face = Face::Bold(28);
/// Distances between a type's glyph and its count, and between two types.
const GLYPH: u32 = 18;
const BETWEEN: u32 = 16;
/// Maximum width of the name of a type, so that three fit. Longer names are cut.
const MAX_NAME: u32 = 90;

/// Draws the picture of the trend widget.
pub(in crate::widgets) fn draw<'a>(
    embed: &'a Embed,
    source: &'a dyn PageData,
) -> Read<'a, Picture> {
    Box::pin(async move {
        let series = source.trend(&embed.options).await?;
        Ok(picture(embed, &series, &label(&embed.options, source), &words(&embed.options, source)))
    })
}

fn picture(embed: &Embed, series: &Series, label: &str, words: &Words) -> Picture {
    let types = embed.options.types;
    let total: u64 = series.points.iter().map(|point| point.sum(types)).sum();
    let number = neutral(total, words.lang);
    let [from, to] = [&series.from, &series.to].map(|date| neutral_end(date, series.interval));

    let mut sheet = Sheet::new(&embed.options, WIDTH, HEIGHT);
    let title = HEADING.fitted(title(embed, label), WIDTH - 2 * PADDING);
    sheet.text("text", HEADING, PADDING, 28, &foreign(&title));
    sheet.text("muted", SMALL, PADDING, 50, &period(embed, series, &from, &to, words));
    sheet.text("accent", TOTAL, PADDING, 77, &number);
    let noun = escaped(words.form(REPORT, total));
    sheet.text("muted", Face::Regular(14), PADDING + TOTAL.width_of(&number) + 6, 77, &noun);
    let said = legend(&mut sheet, series, types, words);
    chart(&mut sheet, series, types, words);
    sheet.text("muted", SMALL, PADDING, AXIS + 20, &from);
    sheet.text_to("muted", SMALL, WIDTH - PADDING, AXIS + 20, &to);
    let total = words.counted(REPORT, total, &number);
    sheet.finish(&format!("{}, {from} – {to}: {total}", heading(embed, label)), &said)
}

/// Name of the period, as in the widget.
fn period(embed: &Embed, series: &Series, from: &str, to: &str, words: &Words) -> String {
    match (embed.options.period().is_open(), series.interval) {
        (true, Interval::Day) => words.text(LAST_DAYS).to_owned(),
        (true, Interval::Month) => words.text(LAST_MONTHS).to_owned(),
        _ => format!("{from} – {to}"),
    }
}

/// Draws the counts of the types. Returns them as text.
fn legend(sheet: &mut Sheet<'_>, series: &Series, types: Types, words: &Words) -> String {
    let mut x = PADDING;
    let mut said = Vec::new();
    for kind in types.each() {
        let count: u64 = series.points.iter().map(|point| point.of(kind)).sum();
        let (name, count) = (words.text(name_of(kind)), neutral(count, words.lang));
        let shown = SMALL.fitted(name, MAX_NAME);
        sheet.glyph(kind.as_str(), x - 2, 88, 14);
        sheet.text("muted", SMALL, x + GLYPH - 4, 99, &escaped(&shown));
        x += GLYPH + SMALL.width_of(&shown);
        sheet.text("text", COUNT, x, 99, &count);
        x += COUNT.width_of(&count) + BETWEEN;
        said.push(format!("{name} {count}"));
    }
    said.join(words.text(COMMA))
}

fn chart(sheet: &mut Sheet<'_>, series: &Series, types: Types, words: &Words) {
    let scale = scale(&series.points, types);
    let width = WIDTH - 2 * PADDING;
    sheet.rule(PADDING, TOP, width);
    sheet.text_to("muted", SMALL, WIDTH - PADDING, TOP - 5, &neutral(scale, words.lang));
    // The last bar grows until its interval is over.
    let is_open = series.updated_at.get(..10).is_some_and(|day| *series.to >= *day);
    for (place, point) in series.points.iter().enumerate() {
        let (start, slot) = slot(place, series.points.len());
        let [start, slot] = [start, start + slot].map(|x| x as u32 * width / WHOLE as u32);
        let thickness = (slot - start).saturating_sub(GAP).clamp(1, 64);
        let x = PADDING + start + (slot - start - thickness.min(slot - start)) / 2;
        let draw = match is_open && place + 1 == series.points.len() {
            true => Sheet::hatched,
            false => Sheet::path,
        };
        for (kind, path) in bar(sheet.left(x, thickness), thickness, point, types, scale) {
            draw(sheet, kind, &path);
        }
    }
    sheet.rule(PADDING, AXIS, width);
}

/// Segments of a bar: the name of each type, and its path. The uppermost one has round corners.
fn bar(
    left: u32,
    width: u32,
    point: &SeriesPoint,
    types: Types,
    scale: u64,
) -> Vec<(&'static str, String)> {
    let mut segments = Vec::new();
    let pixels = |height: u64| (height as u32 * (AXIS - TOP)).div_ceil(FULL as u32);
    let last = types.each().filter(|kind| point.of(*kind) > 0).last();
    for kind in types.each().filter(|kind| point.of(*kind) > 0) {
        let (bottom, top) = segment(point, types, kind, scale);
        let (y, height) = (AXIS - pixels(bottom), pixels(top) - pixels(bottom));
        let radius = if Some(kind) == last { RADIUS.min(height).min(width / 2) } else { 0 };
        let (side, flat) = (height - radius, width - 2 * radius);
        let path = format!(
            "M{left} {y}v-{side}q0-{radius} {radius}-{radius}h{flat}q{radius} 0 {radius} {radius}v{side}z"
        );
        if height > 0 {
            segments.push((kind.as_str(), path));
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use crate::testing::{self, Fake};
    use model::{Interval, Series, SeriesPoint};

    fn svg(query: &str) -> String {
        svg_of(query, "2026-03-01T00:00:00.000Z")
    }

    fn svg_of(query: &str, updated_at: &str) -> String {
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
            updated_at: updated_at.to_owned(),
        };
        testing::picture("trend", query, Fake { series, ..Fake::default() }).svg
    }

    #[test]
    fn it_shows_the_bars_and_says_their_sum() {
        let svg = svg("");
        for text in [
            "<title id=\"title\">Reports by date, 2026-01 – 2026-02: 1,236 reports</title>",
            "<desc id=\"desc\">Spirit 1,002, Water 200, Both 34</desc>",
            ">1,236</text>",
            ">reports</text>",
            ">Last 12 months</text>",
            ">Reports by date</text>",
            ">1,600</text>",
            ">2026-01</text>",
            ">2026-02</text>",
            "<path class=\"spirit\" d=\"M96 204v-58q0-0 0-0h64q0 0 0 0v58z\"/>",
            "<path class=\"both\" d=\"M96 ",
        ] {
            assert!(svg.contains(text), "{text} is not in {svg}");
        }
    }

    #[test]
    fn only_the_types_asked_for_are_drawn() {
        let svg = svg("types=water&title=Wells");
        assert!(svg.contains("<title id=\"title\">Wells, 2026-01 – 2026-02: 200 reports</title>"));
        assert!(
            svg.contains("<path class=\"water\" d=\"M96 204v-89q0-3 3-3h58q3 0 3 3v89z\"/>"),
            "{svg}"
        );
        assert!(!svg.contains("<path class=\"spirit\" d=\"M96"), "{svg}");
    }

    #[test]
    fn the_bar_of_an_interval_that_is_not_over_is_hatched() {
        let hatched = "<path fill=\"url(#hatched-spirit)\" d=\"M320 ";
        assert!(svg_of("", "2026-02-28T12:00:00.000Z").contains(hatched));
        assert!(!svg("").contains("hatched"));
    }

    #[test]
    fn in_arabic_time_runs_from_right_to_left() {
        let svg = svg("lang=ar");
        assert!(svg.contains("<path class=\"spirit\" d=\"M320 204"), "{svg}");
    }
}
