//! Bar charts of series, stacked by type: the scale and the heights for all of them, and the paths of
//! the desk's charts.
//!
//! All numbers are integers, because floating-point formatting costs kilobytes of wasm. An SVG with
//! [`VIEW_BOX`] is stretched to the available space (`preserveAspectRatio="none"`).

use kit::number::plain;
use model::{ReportType, SeriesPoint, Types};

/// Size of the drawing.
pub const WIDTH: u64 = 10_000;
pub const HEIGHT: u64 = 1_000;
/// The size as the value of the `viewBox` attribute.
pub const VIEW_BOX: &str = "0 0 10000 1000";

/// Minimum height of a bar, so that one report stays visible next to thousands.
const MIN_BAR_HEIGHT: u64 = 12;
/// Width of a bar, as a percentage of its slot.
const THICKNESS: u64 = 72;

/// Possible upper ends of a scale above 10, before multiplication by a power of ten. All are even,
/// so the hairline in the middle is at an integer too.
const STEPS: [u64; 9] = [10, 12, 16, 20, 30, 40, 50, 60, 80];

/// Upper end of the chart's scale: an even number, at least as large as the highest bar.
pub fn scale(points: &[SeriesPoint], types: Types) -> u64 {
    round_up(points.iter().map(|point| point.sum(types)).max().unwrap_or_default())
}

/// Even number that is at least `most`, and round if it is large.
pub fn round_up(most: u64) -> u64 {
    if most <= 10 {
        return (most + most % 2).max(2);
    }
    let mut unit: u64 = 1;
    loop {
        for step in STEPS {
            match step.checked_mul(unit) {
                Some(end) if end >= most => return end,
                Some(_) => {}
                None => return most,
            }
        }
        unit = unit.saturating_mul(10);
    }
}

/// Lower and upper end of the segment of one type in a bar, stacked on the types before it.
pub(crate) fn segment(
    point: &SeriesPoint,
    types: Types,
    kind: ReportType,
    scale: u64,
) -> (u64, u64) {
    let below = types.each().take_while(|one| *one != kind).map(|one| point.of(one)).sum();
    (height(below, scale), height(below + point.of(kind), scale))
}

/// Returns the `d` of a path with the segments of one type in all bars.
pub fn bars(points: &[SeriesPoint], types: Types, kind: ReportType, scale: u64) -> String {
    stacked(points.iter().map(|point| segment(point, types, kind, scale)))
}

/// Returns the `d` of a path with a part of each bar, from one count to another.
pub fn rectangles(counts: impl ExactSizeIterator<Item = (u64, u64)>, scale: u64) -> String {
    stacked(counts.map(|(from, to)| (height(from, scale), height(to, scale))))
}

/// Returns the `d` of a path with a part of each bar, from one height to another.
fn stacked(heights: impl ExactSizeIterator<Item = (u64, u64)>) -> String {
    let (mut path, count) = (String::new(), heights.len());
    for (place, (bottom, top)) in heights.enumerate() {
        if top > bottom {
            let (x, width) = bar(place, count);
            let [x, y, width, height] = [x, HEIGHT - top, width, top - bottom].map(plain);
            path += &["M", &x, " ", &y, "h", &width, "v", &height, "h-", &width, "z"].concat();
        }
    }
    path
}

/// Height of a bar with this count.
pub fn height(count: u64, scale: u64) -> u64 {
    match count {
        0 => 0,
        // Floating point, because the product could overflow.
        _ => ((count as f64 / scale as f64 * HEIGHT as f64) as u64).clamp(MIN_BAR_HEIGHT, HEIGHT),
    }
}

/// Start and width of a bar.
fn bar(place: usize, of: usize) -> (u64, u64) {
    let (start, width) = slot(place, of);
    let thickness = (width * THICKNESS / 100).max(1);
    (start + (width - thickness) / 2, thickness)
}

/// Start and width of the slot of one point.
pub fn slot(place: usize, of: usize) -> (u64, u64) {
    let edge = |place: usize| place as u64 * WIDTH / of.max(1) as u64;
    (edge(place), edge(place + 1) - edge(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point([spirit, water, both]: [u64; 3]) -> SeriesPoint {
        let total = spirit + water + both;
        SeriesPoint { spirit, water, both, total, ..SeriesPoint::default() }
    }

    #[test]
    fn a_scale_ends_at_a_round_number_that_can_be_halved() {
        for (most, end) in [
            (0, 2),
            (1, 2),
            (3, 4),
            (10, 10),
            (11, 12),
            (13, 16),
            (21, 30),
            (41, 50),
            (81, 100),
            (101, 120),
            (1_201, 1_600),
            (u64::MAX, u64::MAX),
        ] {
            assert_eq!(scale(&[point([most, 0, 0])], Types::default()), end, "{most}");
        }
        assert_eq!(scale(&[], Types::default()), 2);
    }

    #[test]
    fn only_the_types_that_are_shown_count() {
        let points = [point([100, 3, 2])];
        assert_eq!(scale(&points, Types::of([ReportType::Water, ReportType::Both])), 6);
    }

    #[test]
    fn the_parts_of_a_bar_stand_on_each_other() {
        let points = [point([1, 0, 0]), point([2, 4, 2])];
        let drawn = ReportType::ALL.map(|kind| bars(&points, Types::default(), kind, 8));
        assert_eq!(
            drawn,
            [
                "M700 875h3600v125h-3600zM5700 750h3600v250h-3600z",
                "M5700 250h3600v500h-3600z",
                "M5700 0h3600v250h-3600z",
            ]
        );
    }

    #[test]
    fn one_report_is_seen_beside_thousands() {
        let points = [point([1, 0, 0]), point([9_000, 0, 0])];
        let drawn = bars(&points, Types::default(), ReportType::Spirit, 10_000);
        assert_eq!(drawn, "M700 988h3600v12h-3600zM5700 100h3600v900h-3600z");
    }

    #[test]
    fn slots_fill_the_whole_width() {
        for count in [1, 3, 30, 62, 999] {
            let slots: Vec<_> = (0..count).map(|place| slot(place, count)).collect();
            assert_eq!(slots[0].0, 0);
            assert_eq!(slots.iter().map(|slot| slot.1).sum::<u64>(), WIDTH, "{count}");
        }
    }
}
