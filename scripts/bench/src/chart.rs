//! Charts, as SVG for light and dark pages.

use std::sync::Arc;

use kuva::{
    plot::{LegendPosition, LinePlot, ScatterPlot},
    render::{
        annotations::ReferenceLine,
        layout::{Layout, TickFormat},
        plots::Plot,
    },
};

use crate::budget::number;

/// A line chart.
pub(crate) struct Chart {
    /// Base name of its files.
    pub(crate) name: String,
    pub(crate) title: &'static str,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
    /// Budget on the vertical axis.
    pub(crate) budget: Option<f64>,
}

/// Label of an axis with its unit, and its scale.
pub(crate) struct Axis {
    label: &'static str,
    by_powers: bool,
}

impl Axis {
    /// A linear axis from zero.
    pub(crate) fn counts(label: &'static str) -> Self {
        Self { label, by_powers: false }
    }

    /// A logarithmic axis.
    pub(crate) fn powers(label: &'static str) -> Self {
        Self { label, by_powers: true }
    }
}

pub(crate) struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

impl Series {
    pub(crate) fn new(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points }
    }
}

/// Maximum number of points with dots; longer lines have none.
const DOTS: usize = 20;
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/// Theme of the page around a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [Self; 2] = [Self::Light, Self::Dark];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Colours of the series: eight distinguishable colours with contrast to the page.
    fn colors(self) -> [&'static str; 8] {
        match self {
            Self::Light => [
                "#0969da", "#bc4c00", "#1a7f37", "#8250df", "#1b7c83", "#bf3989", "#57606a",
                "#6e7c00",
            ],
            Self::Dark => [
                "#58a6ff", "#ffa657", "#3fb950", "#bc8cff", "#39c5cf", "#ff7bc0", "#8b949e",
                "#d7e35e",
            ],
        }
    }

    fn kuva(self) -> kuva::render::theme::Theme {
        let [text, line, grid] = match self {
            Self::Light => ["#1f2328", "#8c959f", "#d8dee4"],
            Self::Dark => ["#e6edf3", "#6e7681", "#30363d"],
        };
        kuva::render::theme::Theme {
            // Transparent, so the page's background is visible.
            background: "none".to_owned(),
            axis_color: line.to_owned(),
            grid_color: grid.to_owned(),
            tick_color: line.to_owned(),
            text_color: text.to_owned(),
            legend_bg: "none".to_owned(),
            legend_border: "none".to_owned(),
            font_family: Some(FONT.to_owned()),
            ..kuva::render::theme::Theme::light()
        }
    }

    fn budget(self) -> &'static str {
        match self {
            Self::Light => "#cf222e",
            Self::Dark => "#ff7b72",
        }
    }
}

impl Chart {
    pub(crate) fn svg(&self, theme: Theme) -> String {
        let plots = self.plots(theme);
        let layout = self.layout(theme, &plots);
        kuva::render_to_svg(plots, layout)
    }

    fn plots(&self, theme: Theme) -> Vec<Plot> {
        let mut plots = Vec::new();
        for (series, color) in self.series.iter().zip(theme.colors().into_iter().cycle()) {
            let points = series.points.iter().copied().filter(|point| self.can_show(*point));
            let mut line = LinePlot::new().with_data(points.clone()).with_color(color);
            // The title names a single series.
            if self.series.len() > 1 {
                line = line.with_legend(&series.name);
            }
            plots.push(line.with_stroke_width(2.0).into());
            if series.points.len() <= DOTS {
                let dots = ScatterPlot::new().with_data(points).with_color(color).with_size(4.0);
                plots.push(dots.into());
            }
        }
        plots
    }

    /// Whether a point can be drawn. Zero has no place on a logarithmic axis, and missing
    /// measurements are not finite.
    fn can_show(&self, (x, y): (f64, f64)) -> bool {
        let fits = |axis: &Axis, value: f64| value.is_finite() && (!axis.by_powers || value > 0.0);
        fits(&self.x, x) && fits(&self.y, y)
    }

    fn layout(&self, theme: Theme, plots: &[Plot]) -> Layout {
        let tick = || TickFormat::Custom(Arc::new(short));
        let mut layout = Layout::auto_from_plots(plots)
            .with_width(760.0)
            .with_height(380.0)
            .with_title(self.title)
            .with_title_size(16)
            .with_x_label(self.x.label)
            .with_y_label(self.y.label)
            .with_label_size(13)
            .with_tick_size(12)
            .with_body_size(12)
            .with_x_tick_format(tick())
            .with_y_tick_format(tick())
            .with_legend_position(LegendPosition::OutsideRightTop)
            .with_theme(theme.kuva());
        // Set explicitly, because the automatic right margin cuts off the last tick label.
        layout = layout.with_force_margins(72.0, 32.0 + self.legend_width());
        let [first, last] = self.extent();
        layout = if self.x.by_powers {
            layout.with_log_x().with_x_axis_min(first / 1.1).with_x_axis_max(last * 1.1)
        } else {
            layout.with_x_axis_min(0.0).with_x_axis_max(last * 1.02)
        };
        layout = if self.y.by_powers {
            layout.with_log_y()
        } else {
            let values = self.points().map(|(_, y)| y);
            let most = values.fold(self.budget.unwrap_or_default(), f64::max);
            layout.with_y_axis_min(0.0).with_y_axis_max(ceiling(most))
        };
        if let Some(budget) = self.budget {
            let line = ReferenceLine::horizontal(budget)
                .with_color(theme.budget())
                .with_stroke_width(1.5)
                .with_label(format!("budget {}", number(budget)));
            layout = layout.with_reference_line(line);
        }
        layout
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.copied().filter(|point| self.can_show(*point))
    }

    /// Range of the points on the horizontal axis.
    fn extent(&self) -> [f64; 2] {
        let along = || self.points().map(|(x, _)| x);
        [along().fold(f64::INFINITY, f64::min), along().fold(0.0, f64::max)]
    }

    /// Width of the legend in pixels. Charts of a single series have none.
    fn legend_width(&self) -> f64 {
        let longest = self.series.iter().map(|series| series.name.len()).max().unwrap_or_default();
        if self.series.len() > 1 { 30.0 + 7.0 * longest as f64 } else { 0.0 }
    }
}

/// Upper end of an axis for this maximum: a multiple of half a power of ten, with 5 % headroom.
fn ceiling(most: f64) -> f64 {
    let most = if most > 0.0 { most * 1.05 } else { 1.0 };
    let step = 10_f64.powf(most.log10().floor()) / 2.0;
    (most / step).ceil() * step
}

/// Short form of a number at a tick: 1k, 2.5M.
fn short(value: f64) -> String {
    let scaled = |by: f64, suffix: &str| {
        let text = format!("{:.3}", value / by);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}{suffix}")
    };
    match value.abs() {
        size if size >= 1e6 => scaled(1e6, "M"),
        size if size >= 1e3 => scaled(1e3, "k"),
        _ => scaled(1.0, ""),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::questions::Subject;

    #[test]
    fn ticks_are_short() {
        let ticks = [0.0, 0.05, 0.5, 10.0, 2_500.0, 10_000.0, 1e6, 5e6].map(short);
        assert_eq!(ticks, ["0", "0.05", "0.5", "10", "2.5k", "10k", "1M", "5M"]);
    }

    #[test]
    fn each_kind_of_read_has_a_color_of_its_own() {
        for theme in Theme::ALL {
            let colors: HashSet<&str> = theme.colors().into_iter().collect();
            assert!(colors.len() >= Subject::ALL.len(), "{theme:?}");
        }
    }

    #[test]
    fn an_axis_ends_a_little_above_what_it_shows() {
        assert_eq!(
            [62.0, 14.8, 60_000.0, 30.0, 0.0].map(ceiling),
            [70.0, 20.0, 65_000.0, 35.0, 1.0]
        );
    }

    #[test]
    fn what_an_axis_cannot_show_is_left_out() {
        let chart = Chart {
            name: "x".to_owned(),
            title: "X",
            x: Axis::powers("Reports"),
            y: Axis::powers("Time (ms)"),
            series: Vec::new(),
            budget: None,
        };
        assert!(chart.can_show((10.0, 0.1)));
        assert!(!chart.can_show((10.0, 0.0)));
        assert!(!chart.can_show((f64::NAN, 1.0)));
    }
}
