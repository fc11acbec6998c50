use chrono::{DateTime, NaiveDate, Utc};
use model::ReportType;

use crate::{named::named, report_id::ReportId};

named! {
    /// Stage of a report's life: `PENDING` → `APPROVED` or `REJECTED`, `APPROVED` → `WITHDRAWN`, and from
    /// `REJECTED` and `WITHDRAWN` back to `PENDING`. [`Step`] has the steps.
    #[derive(clap::ValueEnum)]
    #[value(rename_all = "SCREAMING_SNAKE_CASE")]
    Status {
        Pending = "PENDING",
        Approved = "APPROVED",
        Rejected = "REJECTED",
        Withdrawn = "WITHDRAWN",
    }
}

/// A step of a report's life, which an operator decides on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Publishes it.
    Approve,
    Reject,
    /// Takes it back from the public.
    Withdraw,
    /// Lets it be decided on once more.
    Reopen,
}

impl Step {
    /// The statuses it leads away from.
    pub const fn from(self) -> &'static [Status] {
        match self {
            Step::Approve | Step::Reject => &[Status::Pending],
            Step::Withdraw => &[Status::Approved],
            Step::Reopen => &[Status::Rejected, Status::Withdrawn],
        }
    }

    /// The status it leads to.
    pub const fn to(self) -> Status {
        match self {
            Step::Approve => Status::Approved,
            Step::Reject => Status::Rejected,
            Step::Withdraw => Status::Withdrawn,
            Step::Reopen => Status::Pending,
        }
    }
}

/// A report as it is given to the store: checked, its texts tidied.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NewReport {
    pub id: ReportId,
    pub kind: ReportType,
    pub city: String,
    /// Empty where none was given.
    pub region: String,
    pub country: String,
    pub people_count: u32,
    /// UTC.
    pub event_date: NaiveDate,
    pub created_at: DateTime<Utc>,
    /// Whether `event_date` was given or follows from `created_at`, and that from the clock: what
    /// was not given does not make a second import of the same row a different one.
    pub event_date_given: bool,
    pub created_at_given: bool,
    /// Degrees: latitude −90 to 90, longitude −180 to 180.
    pub position: Option<(f64, f64)>,
}

impl NewReport {
    /// The first field in which this row says something else than `known`. What the row does not
    /// say (a date left to its default) differs from nothing.
    pub fn first_difference(&self, known: &NewReport) -> Option<&'static str> {
        let differs = [
            ("type", self.kind != known.kind),
            ("city", self.city != known.city),
            ("region", self.region != known.region),
            ("country", self.country != known.country),
            ("peopleCount", self.people_count != known.people_count),
            ("eventDate", self.event_date_given && self.event_date != known.event_date),
            ("createdAt", self.created_at_given && self.created_at != known.created_at),
            ("lat", self.position != known.position),
        ];
        differs.into_iter().find(|(_, differs)| *differs).map(|(field, _)| field)
    }
}
