//! Filter of a subscription for events about reports. Other events are always sent.

use geo::places::tidy;
use model::ReportType;

use super::place_filter::PlaceFilter;

/// Selection of the events about reports that are sent; without a filter, all are sent. Other events are always sent.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct EventFilter {
    /// Only reports from this country.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    country: Option<String>,
    /// Only reports from this region.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    region: Option<String>,
    /// Only reports from this city.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    city: Option<String>,
    /// Only reports of these types.
    // Without duplicates, in the order of `ReportType::ALL`. Empty means all types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    types: Vec<ReportType>,
    #[serde(skip)]
    place: PlaceFilter,
}

impl EventFilter {
    /// Creates a filter from the parts in the partner's spelling; `None` if they select everything. A blank part does
    /// not narrow the selection, nor does an empty list of types.
    pub fn new(
        country: Option<&str>,
        region: Option<&str>,
        city: Option<&str>,
        types: &[ReportType],
    ) -> Option<Self> {
        let part = |text: Option<&str>| text.map(tidy).filter(|text| !text.is_empty());
        let (country, region, city) = (part(country), part(region), part(city));
        let place = PlaceFilter::new(country.as_deref(), region.as_deref(), city.as_deref());
        let types: Vec<_> =
            ReportType::ALL.into_iter().filter(|kind| types.contains(kind)).collect();
        let narrows = !place.is_empty() || !types.is_empty();
        narrows.then_some(Self { country, region, city, types, place })
    }

    /// Whether an event passes the filter. `place` has the keys of the report's country, region and city, separated by
    /// line feeds, and `kind` is its type; both are `None` for events that are not about a report.
    pub fn selects(&self, place: Option<&str>, kind: Option<&str>) -> bool {
        let is_wanted =
            |kind| self.types.is_empty() || self.types.iter().any(|one| one.as_str() == kind);
        place.is_none_or(|place| self.place.selects(place)) && kind.is_none_or(is_wanted)
    }

    pub fn country(&self) -> Option<&str> {
        self.country.as_deref()
    }

    pub fn region(&self) -> Option<&str> {
        self.region.as_deref()
    }

    pub fn city(&self) -> Option<&str> {
        self.city.as_deref()
    }

    /// Selected types. Empty means all types.
    pub fn types(&self) -> &[ReportType] {
        &self.types
    }
}

#[cfg(test)]
mod tests {
    use base::{random::Random, time::parse_instant};
    use model::{
        Report,
        ReportType::{self, Both, Spirit, Water},
    };
    use serde_json::json;

    use super::*;
    use crate::event::Event;

    /// Whether a filter selects the event of a report with this place and type.
    fn selects(filter: &EventFilter, [country, region, city]: [&str; 3], kind: ReportType) -> bool {
        let report = Report {
            id: "r-1".to_owned(),
            city: city.to_owned(),
            country: country.to_owned(),
            people_count: 1,
            kind,
            created_at: "2026-03-01T11:59:00.000Z".to_owned(),
            event_date: None,
            included: None,
        };
        let now = parse_instant("2026-03-01T12:00:00Z").unwrap();
        let event = Event::report_created(&report, region, now, &Random::seeded(1));
        let about = event.about.unwrap();
        filter.selects(Some(&about.place), Some(about.kind.as_str()))
    }

    #[test]
    fn every_spelling_of_a_place_is_selected_and_no_other_place() {
        let filter = EventFilter::new(Some("Brasil"), Some(" SAO  PAULO"), Some("São Paulo"), &[]);
        let filter = filter.unwrap();
        for place in [
            ["Brazil", "São Paulo", "Sao Paulo"],
            ["BR", "sao paulo", "SÃO PAULO"],
            ["bra", "Sa\u{303}o Paulo", " são  paulo "],
        ] {
            assert!(selects(&filter, place, Both), "{place:?}");
        }
        for place in [
            ["Portugal", "São Paulo", "São Paulo"],
            ["Brazil", "", "São Paulo"],
            ["Brazil", "São Paulo", "Campinas"],
        ] {
            assert!(!selects(&filter, place, Both), "{place:?}");
        }
    }

    #[test]
    fn each_part_narrows_by_itself() {
        let sao_paulo = ["Brazil", "SP", "São Paulo"];
        for (country, region, city, is_selected) in [
            (Some("BR"), None, None, true),
            (Some("PT"), None, None, false),
            (None, Some("sp"), None, true),
            (None, Some("RJ"), None, false),
            (None, None, Some("sao paulo"), true),
            (None, None, Some("Santos"), false),
        ] {
            let filter = EventFilter::new(country, region, city, &[]).unwrap();
            assert_eq!(selects(&filter, sao_paulo, Spirit), is_selected, "{filter:?}");
        }
        let waters = EventFilter::new(None, None, None, &[Both, Water, Water]).unwrap();
        assert_eq!(waters.types(), [Water, Both]);
        let selected = ReportType::ALL.map(|kind| selects(&waters, sao_paulo, kind));
        assert_eq!(selected, [false, true, true]);
        let both = EventFilter::new(Some("BR"), None, None, &[Water]).unwrap();
        assert!(selects(&both, sao_paulo, Water));
        assert!(!selects(&both, sao_paulo, Spirit));
        assert!(!selects(&both, ["Chile", "", "Arica"], Water));
    }

    #[test]
    fn an_event_about_no_report_passes_every_filter() {
        let filter = EventFilter::new(Some("BR"), Some("SP"), Some("Santos"), &[Spirit]).unwrap();
        assert!(filter.selects(None, None));
    }

    #[test]
    fn a_filter_that_narrows_nothing_is_none() {
        assert_eq!(EventFilter::new(None, None, None, &[]), None);
        assert_eq!(EventFilter::new(Some(" "), Some("\u{200b}"), Some(""), &[]), None);
    }

    #[test]
    fn a_filter_is_shown_as_it_was_given_without_what_nobody_sees() {
        let filter = EventFilter::new(Some(" Brasil "), None, Some("sao   paulo"), &[Both, Spirit]);
        assert_eq!(
            serde_json::to_value(filter).unwrap(),
            json!({ "country": "Brasil", "city": "sao paulo", "types": ["spirit", "both"] })
        );
    }
}
