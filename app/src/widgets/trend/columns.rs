use crate::chart::{height, scale, segment};
use kit::number::plain;
use model::{SeriesPoint, Types};

/// HTML of the bars: an element for each point, and in it the bar with a rectangle for each type.
/// All lengths are percentages, because the gaps and corners of the bars are in pixels.
pub(super) fn columns(points: &[SeriesPoint], types: Types) -> String {
    let scale = scale(points, types);
    let mut html = String::new();
    for point in points {
        html += "<i>";
        let whole = height(point.sum(types), scale);
        if whole > 0 {
            html += &["<svg height=\"", &percent(whole), "\">"].concat();
            for kind in types.each() {
                let (bottom, top) = segment(point, types, kind, scale);
                if top > bottom {
                    let part = |length: u64| percent(length * 1_000 / whole);
                    let (y, height) = (part(whole - top), part(top - bottom));
                    html += &["<rect class=\"", kind.as_str(), "\" y=\"", &y].concat();
                    html += &["\" height=\"", &height, "\"/>"].concat();
                }
            }
            html += "</svg>";
        }
        html += "</i>";
    }
    html
}

/// Thousandths as a percentage. Formatting floating-point numbers would cost kilobytes of wasm.
fn percent(thousandths: u64) -> String {
    [&plain(thousandths / 10), ".", &plain(thousandths % 10), "%"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ReportType;

    fn point(spirit: u64, water: u64) -> SeriesPoint {
        SeriesPoint { spirit, water, total: spirit + water, ..SeriesPoint::default() }
    }

    #[test]
    fn the_parts_of_a_bar_stand_on_each_other() {
        assert_eq!(
            columns(&[point(1, 3), point(0, 0)], Types::default()),
            "<i><svg height=\"100.0%\">\
             <rect class=\"spirit\" y=\"75.0%\" height=\"25.0%\"/>\
             <rect class=\"water\" y=\"0.0%\" height=\"75.0%\"/></svg></i><i></i>"
        );
    }

    #[test]
    fn only_the_types_that_are_shown_are_drawn() {
        let html = columns(&[point(1, 3)], Types::of([ReportType::Spirit]));
        assert_eq!(
            html,
            "<i><svg height=\"50.0%\"><rect class=\"spirit\" y=\"0.0%\" height=\"100.0%\"/></svg></i>"
        );
    }
}
