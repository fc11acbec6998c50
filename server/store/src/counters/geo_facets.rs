use std::sync::Arc;

use super::presence;
use crate::{Store, error::Result, filter::Period, places::name::CityName};

impl Store {
    /// The distinct places with approved reports in `period`, in the order of country, region,
    /// city, each in the spelling first published.
    pub async fn geo_facets(&self, period: Period) -> Result<Vec<Arc<CityName>>> {
        let places = &self.places;
        self.read(move |tx| {
            Box::pin(async move {
                let cities = presence::union(tx, &period.spans()).await?;
                places.with(tx, |index| index.names(&cities)).await
            })
        })
        .await
    }
}
