//! Which events a subscription wants: those that it lists, of those about reports only what its filter selects.

use domain::{event::EventName, event_filter::EventFilter, place_filter::PlaceFilter};
use model::ReportType;
use sqlx::{AssertSqlSafe, ColumnIndex, Decode, FromRow, Row, Type};

use crate::{
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// The column of an event, which has whether a subscription lists it.
pub(super) fn column(event: EventName) -> String {
    event.as_str().replace('.', "_")
}

/// The columns of a subscription's events and of its filter.
pub(super) fn wanted_columns() -> String {
    format!("{}, {FILTER_COLUMNS}", EventName::ALL.map(column).join(", "))
}

/// A row's [`wanted_columns`].
pub(super) struct Wanted {
    pub events: Vec<EventName>,
    pub filter: FilterColumns,
}

impl<'r, R: Row> FromRow<'r, R> for Wanted
where
    FilterColumns: FromRow<'r, R>,
    bool: Decode<'r, R::Database> + Type<R::Database>,
    for<'c> &'c str: ColumnIndex<R>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        let mut events = Vec::new();
        for event in EventName::ALL {
            if row.try_get(column(event).as_str())? {
                events.push(event);
            }
        }
        Ok(Self { events, filter: FilterColumns::from_row(row)? })
    }
}

/// The columns of a filter.
pub(super) const FILTER_COLUMNS: &str = "filter_country, filter_region, filter_city, filter_types";

/// A row's [`FILTER_COLUMNS`].
#[derive(Clone, Debug, FromRow)]
pub(super) struct FilterColumns {
    filter_country: Option<String>,
    filter_region: Option<String>,
    filter_city: Option<String>,
    filter_types: Option<String>,
}

impl FilterColumns {
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

/// Makes the subscription with this id list these events.
pub(super) async fn set_events(tx: &mut Connection, id: &str, events: &[EventName]) -> Result<()> {
    let columns =
        EventName::ALL.map(|event| format!("{} = {}", column(event), events.contains(&event)));
    let sql = format!(
        "UPDATE subscriptions SET {}, revision = revision + 1 WHERE id = $1",
        columns.join(", ")
    );
    sql::query(AssertSqlSafe(sql)).bind(id).execute(tx).await?;
    Ok(())
}

/// Gives the subscription with this id a filter, or takes it away.
pub(super) async fn set_filter(
    tx: &mut Connection,
    id: &str,
    filter: Option<&EventFilter>,
) -> Result<()> {
    let part = |part: fn(&EventFilter) -> Option<&str>| filter.and_then(part);
    let types = filter.map(EventFilter::types).filter(|types| !types.is_empty());
    let types =
        types.map(|types| types.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(","));
    let sql = "UPDATE subscriptions
         SET filter_country = $2, filter_region = $3, filter_city = $4, filter_types = $5,
             revision = revision + 1
         WHERE id = $1";
    sql::query(sql)
        .bind(id)
        .bind(part(EventFilter::country))
        .bind(part(EventFilter::region))
        .bind(part(EventFilter::city))
        .bind(types)
        .execute(tx)
        .await?;
    Ok(())
}

/// The place and the type of the report that an event is about, and those that it had before the correction that the
/// event tells of. All are `None` for an event that is about no report.
#[derive(Clone, Debug, Default, PartialEq, Eq, FromRow)]
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
        let Self { place, kind, place_before, kind_before } = self;
        let is_selected = |filter: &EventFilter| {
            filter.selects(place.as_deref(), kind.as_deref())
                || place_before.is_some()
                    && filter.selects(place_before.as_deref(), kind_before.as_deref())
        };
        events.iter().any(|event| event.as_str() == name) && filter.is_none_or(is_selected)
    }

    /// Whether the event is about a report of the place, now or before.
    pub(super) fn is_from(&self, place: &PlaceFilter) -> bool {
        self.place.as_deref().is_none_or(|here| place.selects(here))
            || self.place_before.as_deref().is_some_and(|there| place.selects(there))
    }
}
