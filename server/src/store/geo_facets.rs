use app::model::Location;

use super::{Store, error::Result, filter::Period, presence};

impl Store {
    /// The distinct places with approved reports in `period`, in the order of country, region,
    /// city, each in the spelling first published.
    pub async fn geo_facets(&self, period: Period) -> Result<Vec<Location>> {
        let mut tx = self.read().await?;
        let cities = presence::union(&mut tx, &period.spans()).await?.cities;
        self.places.with(&mut tx, |index| index.locations(&cities)).await
    }
}
