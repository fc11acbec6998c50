//! The globe as the server draws it, next to its counters.

use crate::{
    contract::snippets::Embed,
    page_data::{PageData, Read},
    picture::{
        Picture, heading, label, lang,
        sheet::Sheet,
        text::{Face, escaped, foreign},
        words,
    },
    widgets::globe::{
        drawing::{self, GlobeMarkers},
        words::{CREDIT, MODIFIED},
    },
    words::{
        Words,
        common::{COMMA, REPORT},
        name_of,
    },
};
use kit::number::neutral;
use model::{Metrics, ReportType};

const WIDTH: u32 = 600;
const HEIGHT: u32 = 400;
const PADDING: u32 = 20;
/// Size of the square for the globe.
const STAGE: u32 = 372;
const HEADING: Face = Face::Bold(14);
const TOTAL: Face = Face::Bold(28);
const NAME: Face = Face::Regular(14);
const SMALL: Face = Face::Regular(11);

/// Draws the picture of the globe widget.
pub(in crate::widgets) fn draw<'a>(
    embed: &'a Embed,
    source: &'a dyn PageData,
) -> Read<'a, Picture> {
    Box::pin(async move {
        let options = &embed.options;
        let metrics = source.metrics(options).await?;
        let markers = source.markers(options, lang(options)).await?;
        Ok(picture(embed, &metrics, &markers, &label(options, source), &words(options, source)))
    })
}

fn picture(
    embed: &Embed,
    metrics: &Metrics,
    markers: &GlobeMarkers,
    label: &str,
    words: &Words,
) -> Picture {
    let options = &embed.options;
    let mut sheet = Sheet::new(options, WIDTH, HEIGHT);
    sheet.square(
        "globe",
        WIDTH - STAGE - 12,
        6,
        STAGE,
        &drawing::view_box(),
        &drawing::pictured(markers, options, &metrics.updated_at),
    );
    let total = options.types.sum(|kind| metrics.of(kind));
    let (number, noun) = (neutral(total, words.lang), words.form(REPORT, total));
    let mut y = 30;
    if !label.is_empty() {
        // The globe is round, so there is more room next to its top than next to its centre.
        let label = HEADING.fitted(label, WIDTH / 2 - 2 * PADDING);
        sheet.text("text", HEADING, PADDING, y, &foreign(&label));
        y += 16;
    }
    sheet.text("accent", TOTAL, PADDING, y + 20, &number);
    sheet.text("muted", NAME, PADDING, y + 42, &escaped(noun));
    legend(&mut sheet, y + 80, &counts(embed, metrics, words), words);
    let [credit, comma, modified] = [CREDIT, COMMA, MODIFIED].map(|word| words.text(word));
    let credit = format!("{credit} © \u{2068}GeoNames, CC BY 4.0\u{2069}{comma}{modified}");
    sheet.text("muted", SMALL, PADDING, HEIGHT - 14, &credit);

    let said: Vec<_> = counts(embed, metrics, words)
        .into_iter()
        .map(|(kind, count)| format!("{} {count}", words.text(name_of(kind))))
        .collect();
    let title = format!("{}: {}", heading(embed, label), words.counted(REPORT, total, &number));
    sheet.finish(&title, &said.join(words.text(COMMA)))
}

/// The requested types with their counts.
fn counts(embed: &Embed, metrics: &Metrics, words: &Words) -> Vec<(ReportType, String)> {
    embed.options.types.each().map(|kind| (kind, neutral(metrics.of(kind), words.lang))).collect()
}

/// Draws the colours of the types, with their numbers of reports.
fn legend(sheet: &mut Sheet<'_>, top: u32, counts: &[(ReportType, String)], words: &Words) {
    for (y, (kind, count)) in (top..).step_by(24).zip(counts) {
        let room = (WIDTH / 2 - PADDING).saturating_sub(22 + NAME.width_of(count));
        let name = escaped(&NAME.fitted(words.text(name_of(*kind)), room));
        let line = format!("{name} <tspan class=\"text strong\">{count}</tspan>");
        sheet.glyph(kind.as_str(), PADDING, y - 13, 16);
        sheet.text("muted", NAME, PADDING + 22, y, &line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Fake};
    use model::{Marker, Markers, Newest};

    fn svg(query: &str) -> String {
        let metrics = Metrics { spirit: 1_200, water: 34, total: 1_234, ..Metrics::default() };
        let markers = Markers {
            countries: vec!["France".to_owned()],
            markers: vec![Marker(45.75, 4.85, 5, 0, 0, "<b>Lyon".into(), 0, 'c')],
            newest: vec![Newest(
                "a".to_owned(),
                45.75,
                4.85,
                "Lyon".to_owned(),
                "France".to_owned(),
            )],
            ..Markers::default()
        };
        testing::picture("globe", query, Fake { metrics, markers, ..Fake::default() }).svg
    }

    #[test]
    fn the_globe_is_there_with_its_numbers_and_the_credit() {
        let svg = svg("");
        for text in [
            "<svg class=\"globe\" x=\"216\" y=\"6\" width=\"372\" height=\"372\" viewBox=\"-580 -580 1160 1160\" \
                overflow=\"visible\">",
            "<path class=\"spirit\" stroke-width=\"19\" d=\"M0 0m0 0h0\"/>",
            ">1,234</text>",
            ">reports</text>",
            ">Spirit <tspan class=\"text strong\">1,200</tspan></text>",
            "Places © \u{2068}GeoNames, CC BY 4.0\u{2069}, modified</text>",
            "<title id=\"title\">Reports around the world: 1,234 reports</title>",
            "<desc id=\"desc\">Spirit 1,200, Water 34, Both 0</desc>",
        ] {
            assert!(svg.contains(text), "{text} is not in {svg}");
        }
        assert!(svg.len() < 40_000, "{} bytes", svg.len());
        assert!(!svg.contains("Lyon"));
    }

    #[test]
    fn only_the_types_asked_for_are_in_the_legend() {
        let svg = svg("types=water&title=Mine");
        assert!(svg.contains(">34</text>") && svg.contains(">Mine</text>"), "{svg}");
        assert!(!svg.contains(">Spirit "), "{svg}");
    }

    #[test]
    fn in_arabic_the_globe_is_on_the_left() {
        let svg = svg("lang=ar");
        assert!(svg.contains("<svg class=\"globe\" x=\"12\" y=\"6\""), "{svg}");
    }
}
