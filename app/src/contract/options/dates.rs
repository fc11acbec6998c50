/// `dates=`: the date that the feed shows for a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dates {
    /// Submission time.
    #[default]
    Reported,
    /// Event date.
    Event,
}

impl Dates {
    /// Name in a query and in `data-dates`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Dates::Reported => "reported",
            Dates::Event => "event",
        }
    }

    /// All values, the default first.
    pub const ALL: [Dates; 2] = [Dates::Reported, Dates::Event];

    /// Returns the value with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dates| dates.as_str() == name)
    }
}
