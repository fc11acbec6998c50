//! The newest reports, one per row.

use crate::{
    contract::{
        options::{EmbedOptions, Limit},
        snippets::Embed,
    },
    page_data::{PageData, Read},
    picture::{
        Picture, heading, label, lang,
        sheet::Sheet,
        text::{Face, escaped, foreign},
        title, words,
    },
    widgets::feed::words::PERSON,
    words::{
        Words,
        common::{COMMA, NOTHING_YET, REPORT},
        name_of,
    },
};
use kit::number::neutral;
use model::{Metrics, Report};

const WIDTH: u32 = 400;
const PADDING: u32 = 16;
const HEADER: u32 = 44;
const ROW: u32 = 44;
/// Number of rows if the options have no limit. The height is the same if there are fewer reports.
const ROWS: u32 = 6;
/// Maximum number of reports.
const MAX_ROWS: u32 = 20;
/// Start of a row's text, next to its glyph.
const WORDS: u32 = 52;
const HEADING: Face = Face::Bold(14);
const CITY: Face = Face::Bold(14);
const COUNTRY: Face = Face::Regular(14);
const SMALL: Face = Face::Regular(12);
/// Width of a date, `2026-03-01`.
const DAY: u32 = 88;

/// Draws the picture of the feed widget.
pub(in crate::widgets) fn draw<'a>(
    embed: &'a Embed,
    source: &'a dyn PageData,
) -> Read<'a, Picture> {
    Box::pin(async move {
        let options = &embed.options;
        let metrics = source.metrics(options).await?;
        let mut reports = source.reports(options, lang(options)).await?;
        reports.truncate(rows(options));
        Ok(picture(embed, &metrics, &reports, &label(options, source), &words(options, source)))
    })
}

fn picture(
    embed: &Embed,
    metrics: &Metrics,
    reports: &[Report],
    label: &str,
    words: &Words,
) -> Picture {
    let total = embed.options.types.sum(|kind| metrics.of(kind));
    let total = words.counted(REPORT, total, &neutral(total, words.lang));
    let height = HEADER + rows(&embed.options) as u32 * ROW + 8;
    let mut sheet = Sheet::new(&embed.options, WIDTH, height);
    header(&mut sheet, title(embed, label), &total);
    sheet.line_across(HEADER);
    for (y, report) in (HEADER..).step_by(ROW as usize).zip(reports) {
        row(&mut sheet, y, report, words);
    }
    if reports.is_empty() {
        sheet.text("text", COUNTRY, PADDING, HEADER + 28, &escaped(words.text(NOTHING_YET)));
        for row in 1..rows(&embed.options) as u32 {
            let y = HEADER + row * ROW;
            sheet.outline(PADDING, y + 10, (24, 24));
            sheet.outline(WORDS + 4, y + 12, (160, 8));
            sheet.outline(WORDS + 4, y + 26, (72, 6));
        }
    }
    let said: Vec<_> = reports.iter().map(|report| said(report, words)).collect();
    sheet.finish(&format!("{}: {total}", heading(embed, label)), &said.join("; "))
}

/// Number of rows.
fn rows(options: &EmbedOptions) -> usize {
    let limit = options.limit;
    let rows = if limit == Limit::DEFAULT { ROWS } else { limit.get().min(MAX_ROWS) };
    rows as usize
}

/// Draws the title and the number of reports.
fn header(sheet: &mut Sheet<'_>, title: &str, total: &str) {
    let room = WIDTH - 3 * PADDING - HEADING.width_of(total);
    sheet.text("text", HEADING, PADDING, 28, &foreign(&HEADING.fitted(title, room)));
    sheet.text_to("accent", HEADING, WIDTH - PADDING, 28, total);
}

fn row(sheet: &mut Sheet<'_>, y: u32, report: &Report, words: &Words) {
    let comma = words.text(COMMA);
    let room = WIDTH - WORDS - PADDING;
    let city = CITY.fitted(&report.city, room);
    let rest = room.saturating_sub(CITY.width_of(&city) + COUNTRY.width_of(comma));
    let mut place = format!("<tspan class=\"text strong\">{}</tspan>", foreign(&city));
    // A country cut to less would be unrecognisable.
    if !report.country.is_empty() && rest > 60 {
        place += &escaped(comma);
        place += &foreign(&COUNTRY.fitted(&report.country, rest));
    }
    sheet.glyph_on_disc(report.kind.as_str(), PADDING, y + 10);
    sheet.text("muted", COUNTRY, WORDS, y + 20, &place);
    sheet.text("muted", SMALL, WORDS, y + 37, &SMALL.fitted(&people(report, words), room - DAY));
    sheet.text_to("muted", SMALL, WIDTH - PADDING, y + 37, day(report));
}

fn people(report: &Report, words: &Words) -> String {
    let count = u64::from(report.people_count);
    words.counted(PERSON, count, &neutral(count, words.lang))
}

/// The date, `YYYY-MM-DD`. A relative time would be wrong when the picture is viewed later.
fn day(report: &Report) -> &str {
    report.time().get(..10).unwrap_or_default()
}

fn said(report: &Report, words: &Words) -> String {
    let comma = words.text(COMMA);
    let kind = words.text(name_of(report.kind));
    let parts = [kind, &report.city, &report.country, &people(report, words), day(report)];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(comma)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Fake};
    use model::ReportType;

    fn report(city: &str, kind: ReportType) -> Report {
        Report {
            id: "a".to_owned(),
            city: city.to_owned(),
            country: "Brazil".to_owned(),
            people_count: 12,
            kind,
            created_at: "2026-03-01T23:59:00.000Z".to_owned(),
            event_date: None,
            included: None,
        }
    }

    fn svg(query: &str, reports: Vec<Report>) -> String {
        let metrics = Metrics { spirit: 1_200, water: 34, total: 1_234, ..Metrics::default() };
        testing::picture("feed", query, Fake { metrics, reports, ..Fake::default() }).svg
    }

    #[test]
    fn a_row_says_what_where_how_many_and_when() {
        let svg = svg("", vec![report("<b>Campinas", ReportType::Water)]);
        for text in [
            "<circle class=\"water\" fill-opacity=\".1\" cx=\"28\" cy=\"66\" r=\"12\"/>",
            "<use href=\"#water\" class=\"water\" x=\"20\" y=\"58\" ",
            ">Latest reports</text>",
            "&lt;b&gt;Campinas\u{2069}</tspan>, Brazil</text>",
            ">12 people</text>",
            ">2026-03-01</text>",
            ">1,234 reports</text>",
            "<title id=\"title\">Latest reports: 1,234 reports</title>",
            "<desc id=\"desc\">Water, &lt;b&gt;Campinas, Brazil, 12 people, 2026-03-01</desc>",
        ] {
            assert!(svg.contains(text), "{text} is not in {svg}");
        }
    }

    #[test]
    fn there_are_no_more_rows_than_fit() {
        let reports = (0..20).map(|_| report("Campinas", ReportType::Both)).collect();
        assert_eq!(svg("", reports).matches("<use ").count(), ROWS as usize);
    }

    #[test]
    fn a_title_or_a_place_stands_before_the_total() {
        let titled = svg("title=Mine&country=Brazil&types=water", Vec::new());
        assert!(titled.contains(
            "<text class=\"text strong\" font-size=\"14\" x=\"16\" y=\"28\">Mine</text>"
        ));
        assert!(titled.contains(" text-anchor=\"end\">34 reports</text>"), "{titled}");
        assert!(svg("country=Brazil", Vec::new()).contains(">Brazil</text>"));
    }

    #[test]
    fn an_empty_feed_waits_above_outlines_of_rows() {
        let empty = svg("", Vec::new());
        assert!(empty.contains(">Waiting for the first report</text>"), "{empty}");
        assert_eq!(empty.matches("<rect class=\"muted\"").count(), 3 * (ROWS as usize - 1));
    }

    #[test]
    fn over_long_places_are_cut() {
        let svg = svg("", vec![report(&"Llanfairpwllgwyngyll".repeat(5), ReportType::Spirit)]);
        assert!(svg.contains("…\u{2069}</tspan></text>"), "{svg}");
    }
}
