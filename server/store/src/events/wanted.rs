//! Which events a subscription wants: those that it lists, of those about reports only what its filter selects.

use domain::{event::EventName, event_filter::EventFilter, place_filter::PlaceFilter};
use model::ReportType;

use crate::{
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// Columns of the events that a subscription lists, one each.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub(super) struct Wanted {
    pub report_created: bool,
    pub metrics_updated: bool,
    pub report_withdrawn: bool,
    pub report_updated: bool,
}

impl Wanted {
    pub(super) fn of(events: &[EventName]) -> Self {
        let lists = |event| events.contains(&event);
        Self {
            report_created: lists(EventName::ReportCreated),
            metrics_updated: lists(EventName::MetricsUpdated),
            report_withdrawn: lists(EventName::ReportWithdrawn),
            report_updated: lists(EventName::ReportUpdated),
        }
    }

    fn lists(self, event: EventName) -> bool {
        match event {
            EventName::ReportCreated => self.report_created,
            EventName::MetricsUpdated => self.metrics_updated,
            EventName::ReportWithdrawn => self.report_withdrawn,
            EventName::ReportUpdated => self.report_updated,
        }
    }

    pub(super) fn events(self) -> Vec<EventName> {
        EventName::ALL.into_iter().filter(|event| self.lists(*event)).collect()
    }
}

/// The columns of a filter.
pub(super) const FILTER_COLUMNS: &str = "filter_country, filter_region, filter_city, filter_types";

/// A row's [`FILTER_COLUMNS`].
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct FilterColumns {
    filter_country: Option<String>,
    filter_region: Option<String>,
    filter_city: Option<String>,
    filter_types: Option<String>,
}

impl FilterColumns {
    /// Columns of a filter, or of none.
    pub(super) fn of(filter: Option<&EventFilter>) -> Self {
        let part =
            |part: fn(&EventFilter) -> Option<&str>| filter.and_then(part).map(str::to_owned);
        let types = filter.map(EventFilter::types).filter(|types| !types.is_empty());
        Self {
            filter_country: part(EventFilter::country),
            filter_region: part(EventFilter::region),
            filter_city: part(EventFilter::city),
            filter_types: types
                .map(|types| types.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(",")),
        }
    }

    /// The filter, if there is one.
    pub(super) fn filter(&self) -> Result<Option<EventFilter>> {
        let mut types = Vec::new();
        for name in self.filter_types.iter().flat_map(|names| names.split(',')) {
            let kind = ReportType::from_name(name);
            types.push(kind.ok_or_else(|| Error::Damaged(format!("type {name:?} of a filter")))?);
        }
        let [country, region, city] =
            [&self.filter_country, &self.filter_region, &self.filter_city].map(Option::as_deref);
        Ok(EventFilter::new(country, region, city, &types))
    }
}

/// Gives the subscription with this id a filter, or takes it away.
pub(super) async fn set_filter(
    tx: &mut Connection,
    id: &str,
    filter: Option<&EventFilter>,
) -> Result<()> {
    let columns = FilterColumns::of(filter);
    sql::query(
        "UPDATE subscriptions
         SET filter_country = $2, filter_region = $3, filter_city = $4, filter_types = $5,
             revision = revision + 1
         WHERE id = $1",
    )
    .bind(id.to_owned())
    .bind(columns.filter_country)
    .bind(columns.filter_region)
    .bind(columns.filter_city)
    .bind(columns.filter_types)
    .execute(tx)
    .await?;
    Ok(())
}

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
    /// Whether a subscription to `events` with this filter gets the event, whose name is `name`. Subscriptions that got
    /// the report before also get its move to another place.
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

    /// Whether the event is about a report of the place, now or before.
    pub(super) fn is_from(&self, place: &PlaceFilter) -> bool {
        self.place.as_deref().is_none_or(|here| place.selects(here))
            || self.place_before.as_deref().is_some_and(|there| place.selects(there))
    }
}
