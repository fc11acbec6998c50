//! Line of the last days under the total. Only the server draws it.

use leptos::prelude::*;
use model::{Series, Types};
use std::fmt::Write;

/// Size in pixels.
pub(super) const SIZE: (u32, u32) = (96, 24);

/// The line as an element of the document.
pub(super) fn spark(line: String) -> impl IntoView {
    let (width, height) = SIZE;
    (!line.is_empty()).then(|| {
        view! {
            <svg class="spark" viewBox=format!("0 0 {width} {height}") aria-hidden="true">
                <path d=line></path>
            </svg>
        }
    })
}

/// Path through the counts of the options' types, from the first point to the last. Empty if there
/// is no line to draw.
pub(super) fn line(series: &Series, types: Types) -> String {
    let counts: Vec<u64> = series.points.iter().map(|point| point.sum(types)).collect();
    let most = counts.iter().copied().max().unwrap_or_default();
    if counts.len() < 2 || most == 0 {
        return String::new();
    }
    let (width, height) = (f64::from(SIZE.0), f64::from(SIZE.1));
    let mut path = String::new();
    for (place, count) in counts.iter().enumerate() {
        // The line is 1.5 pixels wide.
        let x = 1.0 + (width - 2.0) * place as f64 / (counts.len() - 1) as f64;
        let y = height - 1.0 - (height - 2.0) * *count as f64 / most as f64;
        let command = if place == 0 { 'M' } else { 'L' };
        _ = write!(path, "{command}{} {}", tenths(x), tenths(y));
    }
    path
}

/// The number with at most one decimal place.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ReportType, SeriesPoint};

    fn path(counts: &[u64], types: Types) -> String {
        let point = |water: &u64| SeriesPoint { water: *water, ..SeriesPoint::default() };
        let points = counts.iter().map(point).collect();
        line(&Series { points, ..Series::default() }, types)
    }

    #[test]
    fn the_line_goes_from_edge_to_edge_and_up_to_the_highest_count() {
        assert_eq!(path(&[0, 4, 1], Types::default()), "M1 23L48 1L95 17.5");
    }

    #[test]
    fn without_reports_of_the_types_there_is_no_line() {
        assert_eq!(path(&[0, 4, 1], Types::of([ReportType::Both])), "");
        assert_eq!(path(&[3], Types::default()), "");
    }
}
