//! Data of a preview. Sentences contain [isolates](crate::isolates). Choices are parameters of the page's form, as a query string.

/// Effects of importing an uploaded file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// Id of the upload.
    pub id: String,
    pub file: Option<String>,
    pub choices: String,
    /// Whether the choices are those of an earlier import.
    pub is_remembered: bool,
    pub columns: Vec<Column>,
    /// Names of the fields that columns can be read as.
    pub fields: &'static [&'static str],
    /// Sheets, if it is a workbook.
    pub sheets: Vec<Sheet>,
    pub dates: &'static str,
    pub numbers: &'static str,
    pub encoding: &'static str,
    /// Choices with all suggestions for columns, if there are any.
    pub suggested: Option<String>,
    pub notes: Vec<String>,
    pub reasons: Vec<Reason>,
    pub rows: Vec<Row>,
    /// Numbers of rows.
    pub total: u64,
    pub imported: u64,
    pub skipped: u64,
    pub refused: u64,
    /// Whether the file has more rows than were checked.
    pub has_more: bool,
    /// Reason why the rest of the file cannot be read, as a sentence.
    pub stopped: Option<String>,
    pub remedies: Vec<Remedy>,
}

/// Column or key of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Field that it is read as.
    pub field: Option<&'static str>,
    /// Field that is probably meant.
    pub suggested: Option<&'static str>,
}

/// Sheet of a workbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub name: String,
    pub is_chosen: bool,
}

/// Rows that are refused for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub rows: u64,
    pub text: String,
    /// Line of the first row, and its reason in full.
    pub example: String,
    pub remedies: Vec<Remedy>,
}

/// Choices that make rows readable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    pub text: String,
    /// Number of rows; 0 if unknown.
    pub rows: u64,
    pub choices: String,
}

/// A row as it is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub line: u64,
    pub state: RowState,
}

/// Outcome of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowState {
    /// Type, city, region, country, people, date, time and position of a new report.
    New([String; 8]),
    /// Report that exists already, with the same cells.
    Existing([String; 8]),
    /// Reasons for refusing the row.
    Refused(String),
}
