use std::sync::Arc;

use app::brand::Brand;
use chrono::NaiveDate;
use geo::gazetteer::{Gazetteer, Position, Precision};
use kit::lang::Lang;
use model::{Hundredths, Included, PlacePosition, Report};

use super::names::{country_code, name_report};

/// Additional members of reports, chosen by a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Include {
    pub country_code: bool,
    pub region: bool,
    pub event_date: bool,
    pub position: bool,
    pub type_label: bool,
}

impl Include {
    /// Names of the members.
    pub const NAMES: [&str; 5] = ["countryCode", "region", "eventDate", "position", "typeLabel"];
}

impl From<[bool; 5]> for Include {
    /// Chooses members by flags in the order of [`Include::NAMES`].
    fn from([country_code, region, event_date, position, type_label]: [bool; 5]) -> Self {
        Self { country_code, region, event_date, position, type_label }
    }
}

/// Form in which a response contains reports.
#[derive(Clone, Debug)]
pub struct ReportForm {
    pub include: Include,
    /// Language of the names. `None`: as reported.
    pub lang: Option<Lang>,
    /// Labels of the types.
    pub brand: Arc<Brand>,
}

impl ReportForm {
    /// Whether reports stay as they are.
    pub fn is_plain(&self) -> bool {
        self.lang.is_none() && self.include == Include::default()
    }

    /// Brings a report from `region`, which may be empty, into this form.
    pub fn apply(&self, report: &mut Report, region: &str, event_date: NaiveDate) {
        let Include { country_code, region: with_region, event_date: dated, .. } = self.include;
        if dated {
            report.event_date = Some(event_date.to_string());
        }
        let included = Included {
            country_code: country_code.then(|| self::country_code(&report.country)).flatten(),
            region: (with_region && !region.is_empty()).then(|| region.to_owned()),
            position: self.include.position.then(|| position_of(report, region)).flatten(),
            type_label: (self.include.type_label)
                .then(|| self.brand.label(report.kind, self.lang.unwrap_or_default())),
        };
        if included != Included::default() {
            report.included = Some(Box::new(included));
        }
        if let Some(lang) = self.lang {
            name_report(report, lang);
        }
    }
}

/// Position of a report's city, or of its region or country. Never that of the report, which could be somebody's home.
fn position_of(report: &Report, region: &str) -> Option<PlacePosition> {
    Gazetteer::get().locate(&report.country, region, &report.city).as_ref().map(place_position)
}

/// Converts a position to the form of the API.
pub(crate) fn place_position(position: &Position) -> PlacePosition {
    let precision = match position.precision {
        Precision::City => "city",
        Precision::Region => "region",
        Precision::Country => "country",
    };
    let (lat, lng) = (Hundredths::of(position.lat), Hundredths::of(position.lng));
    PlacePosition { lat, lng, precision }
}
