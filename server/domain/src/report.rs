use base::time::format_instant;
use chrono::{DateTime, NaiveDate, Utc};
use model::{Report, ReportType};

use crate::{named::named, report_id::ReportId};

named! {
    /// Status of a report: `PENDING` → `APPROVED` or `REJECTED`, `APPROVED` ↔ `WITHDRAWN`, and from `REJECTED` and
    /// `WITHDRAWN` back to `PENDING`. [`Step`] lists the transitions.
    #[derive(clap::ValueEnum)]
    #[value(rename_all = "SCREAMING_SNAKE_CASE")]
    Status {
        Pending = "PENDING",
        Approved = "APPROVED",
        Rejected = "REJECTED",
        Withdrawn = "WITHDRAWN",
    }
}

/// Transition of a report's status, decided by an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Publishes the report.
    Approve,
    Reject,
    /// Removes the report from public data.
    Withdraw,
    /// Makes the report pending again.
    Reopen,
    /// Publishes a withdrawn report again, at its old place in the lists.
    Restore,
}

impl Step {
    pub const ALL: [Step; 5] =
        [Step::Approve, Step::Reject, Step::Withdraw, Step::Reopen, Step::Restore];

    /// Statuses in which this step is allowed.
    pub const fn from(self) -> &'static [Status] {
        match self {
            Step::Approve | Step::Reject => &[Status::Pending],
            Step::Withdraw => &[Status::Approved],
            Step::Reopen => &[Status::Rejected, Status::Withdrawn],
            Step::Restore => &[Status::Withdrawn],
        }
    }

    /// Status after this step.
    pub const fn to(self) -> Status {
        match self {
            Step::Approve | Step::Restore => Status::Approved,
            Step::Reject => Status::Rejected,
            Step::Withdraw => Status::Withdrawn,
            Step::Reopen => Status::Pending,
        }
    }
}

/// Report to be stored: checked, with tidied texts.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NewReport {
    pub id: ReportId,
    pub kind: ReportType,
    pub city: String,
    /// Empty if none was given.
    pub region: String,
    pub country: String,
    pub people_count: u32,
    /// Date in UTC.
    pub event_date: NaiveDate,
    pub created_at: DateTime<Utc>,
    /// Whether `event_date` was given. Otherwise it follows from `created_at`, or if that is missing too, from the
    /// clock. Defaults do not make a second import of the same row a different report.
    pub event_date_given: bool,
    pub created_at_given: bool,
    /// Latitude (−90 to 90) and longitude (−180 to 180) in degrees.
    pub position: Option<(f64, f64)>,
}

impl NewReport {
    /// Public form of the report.
    pub fn public(&self) -> Report {
        Report {
            id: self.id.to_string(),
            city: self.city.clone(),
            country: self.country.clone(),
            people_count: self.people_count,
            kind: self.kind,
            created_at: format_instant(self.created_at),
            event_date: None,
            included: None,
        }
    }

    /// Returns the first field in which this row differs from `known`. A field that is missing in the row (a date left
    /// to its default) never differs.
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
