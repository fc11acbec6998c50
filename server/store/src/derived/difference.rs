use std::fmt;

/// Something stored that does not agree with the reports.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The place by name, or what else is concerned.
    pub subject: String,
    /// The year, month or day, or `all time`.
    pub bucket: String,
    pub stored: String,
    pub recounted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, bucket, stored, recounted } = self;
        write!(f, "{subject}, {bucket}: stored {stored}, recounted {recounted}")
    }
}
