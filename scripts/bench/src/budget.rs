//! Figures with their units, and their budgets.

use std::fmt;

/// Unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    PerSecond,
    RowsPerSecond,
    Seconds,
    Milliseconds,
    Nanoseconds,
    Kibibytes,
    Mebibytes,
    Megabytes,
    Errors,
    /// Ratio of two values, such as memory now and before.
    Times,
}

impl Unit {
    fn suffix(self) -> &'static str {
        match self {
            Self::PerSecond => "/s",
            Self::RowsPerSecond => " rows/s",
            Self::Seconds => " s",
            Self::Milliseconds => " ms",
            Self::Nanoseconds => " ns",
            Self::Kibibytes => " KiB",
            Self::Mebibytes => " MiB",
            Self::Megabytes => " MB",
            Self::Errors => "",
            Self::Times => " ×",
        }
    }
}

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figure {
    pub(crate) value: f64,
    pub(crate) unit: Unit,
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", number(self.value), self.unit.suffix())
    }
}

/// Formats a number with at least three significant digits, and commas between thousands.
pub(crate) fn number(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 100.0 {
        return thousands(value);
    }
    if value.abs() >= 10.0 { format!("{value:.1}") } else { format!("{value:.2}") }
}

fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::from(if value < 0.0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Budget of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Budget {
    /// Maximum of the figure, in its unit.
    AtMost(f64),
    /// Minimum of the figure, in its unit.
    AtLeast(f64),
    /// Minimum of the figure divided by the reference.
    RatioAtLeast(f64),
    /// Maximum of the figure divided by the reference.
    RatioAtMost(f64),
    /// No budget; shown for information.
    None,
}

impl Budget {
    /// Whether the budget is met; `None` if there is no budget. A figure that could not be measured
    /// misses its budget.
    pub(crate) fn is_met(self, figure: Figure, ratio: Option<f64>) -> Option<bool> {
        match self {
            Self::AtMost(most) => Some(figure.value <= most),
            Self::AtLeast(least) => Some(figure.value >= least),
            Self::RatioAtLeast(least) => Some(ratio.is_some_and(|ratio| ratio >= least)),
            Self::RatioAtMost(most) => Some(ratio.is_some_and(|ratio| ratio <= most)),
            Self::None => None,
        }
    }

    pub(crate) fn text(self, unit: Unit) -> String {
        let figure = |value| Figure { value, unit };
        match self {
            Self::AtMost(most) => format!("≤ {}", figure(most)),
            Self::AtLeast(least) => format!("≥ {}", figure(least)),
            Self::RatioAtLeast(least) => format!("≥ {least:.2} ×"),
            Self::RatioAtMost(most) => format!("≤ {most:.2} ×"),
            Self::None => "–".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_digits_that_mean_something() {
        let text = |value, unit| Figure { value, unit }.to_string();
        assert_eq!(text(57_371.27, Unit::PerSecond), "57,371/s");
        assert_eq!(text(1_234_567.8, Unit::RowsPerSecond), "1,234,568 rows/s");
        assert_eq!(text(3.456, Unit::Milliseconds), "3.46 ms");
        assert_eq!(text(13.64, Unit::Kibibytes), "13.6 KiB");
        assert_eq!(text(0.0, Unit::Errors), "0");
        assert_eq!(text(-1_500.0, Unit::Kibibytes), "-1,500 KiB");
    }

    #[test]
    fn a_budget_includes_its_bound() {
        let figure = Figure { value: 4.0, unit: Unit::Kibibytes };
        assert_eq!(Budget::AtMost(4.0).is_met(figure, None), Some(true));
        assert_eq!(Budget::AtMost(3.9).is_met(figure, None), Some(false));
        assert_eq!(Budget::AtLeast(4.0).is_met(figure, None), Some(true));
        assert_eq!(Budget::AtLeast(4.1).is_met(figure, None), Some(false));
        assert_eq!(Budget::RatioAtLeast(0.9).is_met(figure, Some(0.9)), Some(true));
        assert_eq!(Budget::RatioAtLeast(0.9).is_met(figure, Some(0.89)), Some(false));
        assert_eq!(Budget::RatioAtLeast(0.9).is_met(figure, None), Some(false));
        assert_eq!(Budget::RatioAtMost(1.3).is_met(figure, Some(1.3)), Some(true));
        assert_eq!(Budget::RatioAtMost(1.3).is_met(figure, Some(1.31)), Some(false));
        assert_eq!(Budget::None.is_met(figure, None), None);
    }

    #[test]
    fn what_is_no_number_meets_nothing() {
        let figure = Figure { value: f64::NAN, unit: Unit::Kibibytes };
        assert_eq!(Budget::AtMost(4.0).is_met(figure, None), Some(false));
        assert_eq!(Budget::AtLeast(4.0).is_met(figure, None), Some(false));
    }
}
