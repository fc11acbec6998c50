//! Filters of subscriptions, as they are stored.

use domain::event_filter::EventFilter;
use model::ReportType;

use crate::{
    engine::sql::{self, Connection},
    error::{Error, Result},
};

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
    /// Those of a filter, or of none.
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
pub(super) async fn set(tx: &mut Connection, id: &str, filter: Option<&EventFilter>) -> Result<()> {
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
