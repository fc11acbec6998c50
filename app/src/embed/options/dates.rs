/// `dates=`: which time the feed shows of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dates {
    /// When it was reported.
    #[default]
    Reported,
    /// The day of the event.
    Event,
}

impl Dates {
    /// The name in a query and in `data-dates`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Dates::Reported => "reported",
            Dates::Event => "event",
        }
    }

    /// All of them, the default first.
    pub const ALL: [Dates; 2] = [Dates::Reported, Dates::Event];

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dates| dates.as_str() == name)
    }
}
