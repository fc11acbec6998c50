//! The result: `performance.md` and its charts.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use crate::{
    chart::{Chart, Theme},
    instead,
    table::{self, Row},
};

/// Folder of the charts, relative to the page.
const IMAGES: &str = "images/performance";

/// Result of one part of the bench.
pub(crate) struct Section {
    pub(crate) title: String,
    /// Description of the measurement, in Markdown.
    pub(crate) about: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) charts: Vec<Chart>,
    /// Reasons for which the run fails; missed budgets are not included.
    pub(crate) failures: Vec<String>,
}

impl Section {
    /// A section without charts and failures.
    pub(crate) fn new(title: impl Into<String>, about: impl Into<String>, rows: Vec<Row>) -> Self {
        Self {
            title: title.into(),
            about: about.into(),
            rows,
            charts: Vec::new(),
            failures: Vec::new(),
        }
    }
}

/// Results of all parts of a run.
pub(crate) struct Report {
    machine: Vec<String>,
    pub(crate) sections: Vec<Section>,
}

impl Report {
    pub(crate) fn new(machine: Vec<String>) -> Self {
        Self { machine, sections: Vec::new() }
    }

    /// Writes the page and its charts. Returns the path of the page.
    pub(crate) fn write(&self, docs: &Path) -> Result<PathBuf> {
        let images = docs.join(IMAGES);
        fs::create_dir_all(&images).with_context(|| images.display().to_string())?;
        for chart in self.sections.iter().flat_map(|section| &section.charts) {
            for theme in Theme::ALL {
                let file = images.join(format!("{}-{}.svg", chart.name, theme.name()));
                fs::write(file, chart.svg(theme))?;
            }
        }
        let page = docs.join("performance.md");
        fs::write(&page, self.markdown())?;
        Ok(page)
    }

    fn markdown(&self) -> String {
        let mut page = String::from(
            "# Performance\n\n\
             Written by `make bench`. Figures depend on the machine, and differ between runs by a tenth or \
             more; ratios, whose two sides ran by turns, differ less. A missed budget is shown as missed.\n\n",
        );
        for line in &self.machine {
            let _ = writeln!(page, "- {line}");
        }
        for section in &self.sections {
            let Section { title, about, rows, charts, .. } = section;
            let _ = write!(page, "\n## {title}\n\n{about}\n\n{}", table::markdown(rows));
            for chart in charts {
                let _ = write!(page, "\n{}", picture(chart));
            }
        }
        let _ = write!(page, "\n## What you would use instead\n\n{}", instead::markdown());
        page
    }
}

/// A `picture` element, because GitHub has a light and a dark theme.
fn picture(chart: &Chart) -> String {
    let Chart { name, title, .. } = chart;
    format!(
        "<picture>\n  \
         <source media=\"(prefers-color-scheme: dark)\" srcset=\"{IMAGES}/{name}-dark.svg\">\n  \
         <img alt=\"{title}\" src=\"{IMAGES}/{name}-light.svg\">\n\
         </picture>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        budget::{Budget, Unit},
        chart::{Axis, Series},
    };

    fn report() -> Report {
        let chart = Chart {
            name: "memory".to_owned(),
            title: "Memory of open streams",
            x: Axis::counts("Open streams"),
            y: Axis::counts("Memory (MiB)"),
            series: vec![Series::new("svc", vec![(1_000.0, 4.0), (15_000.0, 60.0)])],
            budget: None,
        };
        let mut report = Report::new(vec!["Kernel: Linux 6".to_owned()]);
        let rows = vec![Row::new("memory", 4.0, Unit::Kibibytes, Budget::AtMost(4.0))];
        let section = Section::new("Streams", "Open ones.", rows);
        report.sections.push(Section { charts: vec![chart], ..section });
        report
    }

    #[test]
    fn the_page_has_machine_table_and_charts_for_light_and_dark() {
        let folder = tempfile::tempdir().unwrap();
        let page = report().write(folder.path()).unwrap();
        let page = fs::read_to_string(page).unwrap();
        assert!(
            page.contains("\n- Kernel: Linux 6\n\n## Streams\n\nOpen ones.\n\n| work |"),
            "{page}"
        );
        assert!(page.contains("| memory | 4 KiB | – | – | ≤ 4 KiB | met |"), "{page}");
        for theme in ["light", "dark"] {
            let file = format!("{IMAGES}/memory-{theme}.svg");
            assert!(page.contains(&format!("\"{file}\"")), "{page}");
            let svg = fs::read_to_string(folder.path().join(file)).unwrap();
            assert!(svg.starts_with("<svg"), "{svg}");
            assert!(svg.contains(">Memory (MiB)</text>"), "{svg}");
        }
    }
}
