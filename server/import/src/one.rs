//! Check of a single report, like a row of a file.

use base::clock::Clock;
use domain::report::NewReport;
use serde_json::{Map, Value};

use super::{
    Format, Refusal, RowError,
    reading::Reading,
    rows::Problem,
    source::{self, Opening},
};

/// Returns the report in an object with the keys of the API, or all its problems.
pub fn one(object: &Map<String, Value>, clock: Clock) -> Result<NewReport, Vec<Refusal>> {
    let alone = |reason: String| vec![Problem::of_row(RowError::Other(reason)).on(1)];
    let text = serde_json::to_vec(object).map_err(|error| alone(error.to_string()))?;
    let opening = Opening {
        format: Some(Format::Json),
        reading: Reading::default(),
        clock,
        max_window: super::run::HTTP_WINDOW,
        with_originals: false,
        bytes_read: Default::default(),
        sheets: Default::default(),
    };
    let row =
        source::open(std::io::Cursor::new(text), opening).and_then(|mut rows| rows.next_row());
    match row {
        Ok(Some(row)) => row
            .report
            .map_err(|problems| problems.into_iter().map(|problem| problem.on(row.line)).collect()),
        Ok(None) => Err(alone("there is no report".to_owned())),
        Err(error) => Err(alone(error.to_string())),
    }
}
