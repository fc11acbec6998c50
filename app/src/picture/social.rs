//! Preview picture for links to this site on other sites: the counters and the globe, 1200 by 630
//! pixels.

use super::{
    Picture,
    sheet::Sheet,
    text::{Face, escaped},
};
use crate::{
    brand::Brand,
    contract::options::{Background, EmbedOptions, Theme},
    page_data::{PageData, Unavailable},
    widgets::globe::{
        drawing::{self, GlobeMarkers},
        words::{CREDIT, MODIFIED},
    },
    words::{
        common::{CITY, COUNTRY},
        name_of,
    },
};
use kit::{lang::Lang, number::neutral};
use model::{Metrics, ReportType};

/// Size that sites with link previews recommend.
const WIDTH: u32 = 1_200;
const HEIGHT: u32 = 630;
const PADDING: u32 = 72;
/// Size of the square for the globe. Larger than the picture, so the globe is cut at the edge.
const STAGE: u32 = 760;
/// Maximum width of the total, so that it does not overlap the globe.
const ROOM: u32 = 560;
const COLUMN: u32 = 176;
const NAME: Face = Face::Regular(22);
/// Maximum horizontal end of the title.
const TITLE_END: u32 = 640;

/// Draws the preview picture for links.
///
/// # Errors
/// If the data cannot be read.
pub async fn social(source: &dyn PageData) -> Result<Picture, Unavailable> {
    let options =
        EmbedOptions { theme: Theme::Light, bg: Background::None, ..EmbedOptions::default() };
    let metrics = source.metrics(&options).await?;
    let markers = source.markers(&options, Lang::En).await?;
    let brand = source.brand();
    Ok(picture(&options, &metrics, &markers, &brand).branded(&brand, Theme::Light))
}

fn picture(
    options: &EmbedOptions,
    metrics: &Metrics,
    markers: &GlobeMarkers,
    brand: &Brand,
) -> Picture {
    let words = brand.words(Lang::En);
    let mut sheet = Sheet::new(options, WIDTH, HEIGHT);
    sheet.fill();
    let stage = drawing::pictured(markers, options, &metrics.updated_at);
    sheet.square("globe", 580, 0, STAGE, &drawing::view_box(), &stage);
    // The glyphs are the service's own, so they are left out if the operator has a logo.
    let beside = if brand.logo.is_some() { PADDING } else { PADDING + 100 };
    if brand.logo.is_none() {
        sheet.glyph("spirit", PADDING - 8, 56, 48);
        sheet.glyph("water", PADDING + 36, 56, 48);
    }
    let title = brand.title(Lang::En);
    let face = fitting([28, 24, 20, 16], TITLE_END - beside, std::slice::from_ref(&title));
    let title = escaped(&face.fitted(&title, TITLE_END - beside));
    sheet.text("text", face, beside, 91, &title);

    let total = english(metrics.total);
    let face = fitting([120, 88, 56, 36], ROOM, std::slice::from_ref(&total));
    sheet.text("text", face, PADDING - 4, 260, &total);
    sheet.text("text", Face::Regular(36), PADDING, 326, "reports so far");
    let places = format!(
        "from {} {} in {} {}",
        english(metrics.cities),
        words.form(CITY, metrics.cities),
        english(metrics.countries),
        words.form(COUNTRY, metrics.countries)
    );
    sheet.text("muted", Face::Regular(28), PADDING, 368, &places);
    let counts = ReportType::ALL.map(|kind| english(metrics.of(kind)));
    let face = fitting([36, 28, 20, 14], COLUMN - 16, &counts);
    for ((x, kind), count) in (PADDING..).step_by(COLUMN as usize).zip(ReportType::ALL).zip(&counts)
    {
        sheet.glyph(kind.as_str(), x - 5, 440, 36);
        let label = NAME.fitted(words.text(name_of(kind)), COLUMN - 44);
        sheet.text("muted", NAME, x + 34, 467, &escaped(&label));
        sheet.text("text", face, x, 514, count);
    }
    let credit = format!("{} © GeoNames, CC BY 4.0, {}", words.text(CREDIT), words.text(MODIFIED));
    sheet.text("muted", Face::Regular(14), PADDING, HEIGHT - 36, &credit);
    sheet.finish(&brand.counts(metrics), &places)
}

/// The largest of some sizes (sorted from large to small) in which all numbers fit; else the
/// smallest.
fn fitting(sizes: [u32; 4], room: u32, numbers: &[String]) -> Face {
    let faces = sizes.map(Face::Bold);
    let fits = |face: &Face| numbers.iter().all(|number| face.width_of(number) <= room);
    faces.into_iter().find(fits).unwrap_or(faces[3])
}

fn english(count: u64) -> String {
    neutral(count, Lang::En)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use futures::executor::block_on;

    #[test]
    fn the_numbers_are_those_of_the_service() {
        let metrics = Metrics {
            spirit: 1_000,
            water: 230,
            both: 4,
            total: 1_234,
            cities: 9,
            countries: 1,
            ..Metrics::default()
        };
        let picture = block_on(social(&Fake { metrics, ..Fake::default() })).unwrap();
        assert_eq!((picture.width, picture.height), (1_200, 630));
        for text in [
            ">1,234</text>",
            ">from 9 cities in 1 country</text>",
            ">1,000</text>",
            ">230</text>",
            ">4</text>",
            "<title id=\"title\">1,234 reports so far: 1,000 spirit, 230 water, 4 both</title>",
        ] {
            assert!(picture.svg.contains(text), "{text} is not in {}", picture.svg);
        }
    }

    #[test]
    fn large_numbers_are_smaller() {
        let with = |spirit| {
            let metrics = Metrics { spirit, total: spirit, ..Metrics::default() };
            block_on(social(&Fake { metrics, ..Fake::default() })).unwrap().svg
        };
        let sizes = |count| {
            let svg = with(count);
            let shown = format!(">{}</text>", english(count));
            let size = |before: &str| {
                let (_, size) = before.rsplit_once("font-size=\"").unwrap();
                size.split('"').next().unwrap().parse::<u32>().unwrap()
            };
            let parts: Vec<_> = svg.split(&shown).collect();
            assert_eq!(parts.len(), 3, "{svg}");
            [size(parts[0]), size(parts[1])]
        };
        assert_eq!(sizes(99_999), [120, 36]);
        assert_eq!(sizes(1_234_567), [88, 28]);
        assert_eq!(sizes(u64::MAX), [36, 14]);
    }
}
