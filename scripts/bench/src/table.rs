//! The table of results, for the terminal and in Markdown.

use crate::budget::{Budget, Figure, Unit};

/// One result.
pub(crate) struct Row {
    work: String,
    figure: Figure,
    /// Another figure from the same run, its name, and the ratio of both.
    reference: Option<(Figure, String)>,
    ratio: Option<f64>,
    budget: Budget,
}

impl Row {
    pub(crate) fn new(work: impl Into<String>, value: f64, unit: Unit, budget: Budget) -> Self {
        let figure = Figure { value, unit };
        Self { work: work.into(), figure, reference: None, ratio: None, budget }
    }

    /// Adds a reference. The ratio is a parameter, because over several rounds it is the median of
    /// their ratios.
    pub(crate) fn against(mut self, name: &str, value: f64, ratio: f64) -> Self {
        self.reference = Some((Figure { value, unit: self.figure.unit }, name.to_owned()));
        self.ratio = Some(ratio);
        self
    }

    fn cells(&self) -> [String; 6] {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let reference = self.reference.as_ref().map(|(figure, name)| format!("{figure} {name}"));
        let verdict = match self.budget.is_met(self.figure, self.ratio) {
            Some(true) => "met",
            Some(false) => "missed",
            None => "–",
        };
        [
            self.work.clone(),
            self.figure.to_string(),
            or_dash(reference),
            or_dash(self.ratio.map(|ratio| format!("{ratio:.2} ×"))),
            self.budget.text(self.figure.unit),
            verdict.to_owned(),
        ]
    }
}

const HEAD: [&str; 6] = ["work", "figure", "reference", "ratio", "budget", ""];

/// Formats the table in columns.
pub(crate) fn text(rows: &[Row]) -> String {
    let lines: Vec<[String; 6]> =
        std::iter::once(HEAD.map(str::to_owned)).chain(rows.iter().map(Row::cells)).collect();
    let widths: [usize; 6] = std::array::from_fn(|column| {
        lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or_default()
    });
    let mut text = String::new();
    for cells in &lines {
        let padded: Vec<String> =
            cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(padded.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Formats the table in Markdown. Missed budgets are emphasised.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = format!("| {}|\n|---|--:|--:|--:|--:|---|\n", HEAD.join(" | "));
    for row in rows {
        let mut cells = row.cells().map(|cell| cell.replace('|', "\\|"));
        if cells[5] == "missed" {
            cells[5] = "**missed**".to_owned();
        }
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> [Row; 3] {
        [
            Row::new("`GET /a|b`", 45_000.0, Unit::PerSecond, Budget::RatioAtLeast(0.9)).against(
                "bare axum",
                50_000.0,
                0.9,
            ),
            Row::new("streams", 13.64, Unit::Kibibytes, Budget::AtMost(4.0)),
            Row::new("peak", 90.0, Unit::Mebibytes, Budget::None),
        ]
    }

    #[test]
    fn columns_line_up() {
        let expected = "\
work        figure    reference           ratio   budget
`GET /a|b`  45,000/s  50,000/s bare axum  0.90 ×  ≥ 0.90 ×  met
streams     13.6 KiB  –                   –       ≤ 4 KiB   missed
peak        90 MiB    –                   –       –         –
";
        assert_eq!(text(&rows()), expected);
    }

    #[test]
    fn markdown_shows_what_is_missed() {
        let expected = "\
| work | figure | reference | ratio | budget | |
|---|--:|--:|--:|--:|---|
| `GET /a\\|b` | 45,000/s | 50,000/s bare axum | 0.90 × | ≥ 0.90 × | met |
| streams | 13.6 KiB | – | – | ≤ 4 KiB | **missed** |
| peak | 90 MiB | – | – | – | – |
";
        assert_eq!(markdown(&rows()), expected);
    }
}
