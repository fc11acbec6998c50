//! What filters know of the report that an event is about.

use domain::{event::EventName, event_filter::EventFilter, place_filter::PlaceFilter};

/// The place and the type of the report that an event is about, and those that it had before the correction that the
/// event tells of. All are `None` for an event that is about no report.
#[derive(Clone, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct EventAbout {
    pub place: Option<String>,
    #[sqlx(rename = "type")]
    pub kind: Option<String>,
    pub place_before: Option<String>,
    #[sqlx(rename = "type_before")]
    pub kind_before: Option<String>,
}

impl EventAbout {
    /// Whether a subscription to `events` with this filter gets the event, whose name is `name`. Those who were told of
    /// the report before are also told that it is elsewhere now.
    pub fn is_wanted(
        &self,
        name: &str,
        events: &[EventName],
        filter: Option<&EventFilter>,
    ) -> bool {
        events.iter().any(|event| event.as_str() == name)
            && filter.is_none_or(|filter| self.is_selected_by(filter))
    }

    fn is_selected_by(&self, filter: &EventFilter) -> bool {
        let Self { place, kind, place_before, kind_before } = self;
        filter.selects(place.as_deref(), kind.as_deref())
            || place_before.is_some()
                && filter.selects(place_before.as_deref(), kind_before.as_deref())
    }

    /// The same for a place alone.
    pub(super) fn is_from(&self, place: &PlaceFilter) -> bool {
        self.place.as_deref().is_none_or(|here| place.selects(here))
            || self.place_before.as_deref().is_some_and(|there| place.selects(there))
    }
}
