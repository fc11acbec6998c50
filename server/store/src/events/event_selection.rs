//! Events that a subscription wants: the events that it lists; for events about reports, only those
//! that its filter selects.

use domain::{event::EventName, event_filter::EventFilter, place_filter::PlaceFilter};
use model::ReportType;
use sqlx::{AssertSqlSafe, ColumnIndex, Decode, FromRow, Row, Type};

use crate::{
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// Returns the name of the column that contains whether a subscription lists an event.
pub(super) fn column(event: EventName) -> String {
    event.as_str().replace('.', "_")
}

/// Expression that is true for a subscription of a sandbox.
pub(super) const IS_SANDBOX: &str =
    "(SELECT sandbox.is_sandbox FROM partners sandbox WHERE sandbox.id = partner_id)";

/// Returns the columns of a subscription's events and filter.
pub(super) fn selection_columns() -> String {
    let events = EventName::ALL.map(column).join(", ");
    format!("{events}, {IS_SANDBOX} AS is_sandbox, {FILTER_COLUMNS}")
}

/// Row with these [`selection_columns`].
pub(super) struct EventSelection {
    /// Events that the subscription lists.
    pub listed: Vec<EventName>,
    /// Events of the log that are sent. In a sandbox, there are none: its endpoints receive tests, and notices about
    /// each other.
    pub sent: Vec<EventName>,
    pub filter: FilterColumns,
}

impl<'r, R: Row> FromRow<'r, R> for EventSelection
where
    FilterColumns: FromRow<'r, R>,
    bool: Decode<'r, R::Database> + Type<R::Database>,
    for<'c> &'c str: ColumnIndex<R>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        let mut listed = Vec::new();
        for event in EventName::ALL {
            if row.try_get(column(event).as_str())? {
                listed.push(event);
            }
        }
        let sent = if row.try_get("is_sandbox")? { Vec::new() } else { listed.clone() };
        Ok(Self { listed, sent, filter: FilterColumns::from_row(row)? })
    }
}

/// Columns of a filter.
pub(super) const FILTER_COLUMNS: &str = "filter_country, filter_region, filter_city, filter_types";

/// Row with these [`FILTER_COLUMNS`].
#[derive(Clone, Debug, FromRow)]
pub(super) struct FilterColumns {
    filter_country: Option<String>,
    filter_region: Option<String>,
    filter_city: Option<String>,
    filter_types: Option<String>,
}

impl FilterColumns {
    /// Returns the filter, if there is one.
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

/// Sets the events that the subscription lists.
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

/// Sets or clears the subscription's filter.
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

/// Place and type of the report that an event is about, and the values before the correction if the
/// event is one. All are `None` for an event that is not about a report.
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
    /// Whether a subscription with these `events` and this filter wants the event called `name`. A
    /// subscription that selected the report before a correction also gets the correction.
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
        EventName::is_listed(name, events) && filter.is_none_or(is_selected)
    }

    /// Whether the event is about a report from the place, now or before. Events that are not about
    /// reports are included.
    pub(super) fn is_from(&self, place: &PlaceFilter) -> bool {
        self.place.as_deref().is_none_or(|here| place.selects(here))
            || self.place_before.as_deref().is_some_and(|there| place.selects(there))
    }
    /// Whether the event is about a report of these types, now or before. Events that are not about reports are
    /// included.
    pub(super) fn is_of(&self, types: [bool; 3]) -> bool {
        let is_wanted = |name: &str| {
            ReportType::ALL.into_iter().zip(types).any(|(kind, on)| on && kind.as_str() == name)
        };
        self.kind.as_deref().is_none_or(is_wanted)
            || self.kind_before.as_deref().is_some_and(is_wanted)
    }
}
