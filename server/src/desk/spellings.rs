//! Places that may be spelled in two ways.

use desk::backend::{Choice, Similar, Spelling, Spellings};
use domain::report::Status;
use store::{CityName, PlaceReports, SimilarPlaces, Similarity};

use super::desk_session::DeskSession;
use crate::problem::Result;

/// Maximum number of pairs shown.
const PAIRS: usize = 100;

impl DeskSession {
    pub(super) async fn similar_spellings(&self) -> Result<Spellings> {
        let found = self.store.reports().similar_places().await?;
        Ok(Spellings {
            more: found.len().saturating_sub(PAIRS),
            pairs: found.into_iter().take(PAIRS).map(similar).collect(),
            decisions: self.decisions().await?,
        })
    }
}

fn similar(SimilarPlaces { places, similarity }: SimilarPlaces) -> Similar {
    let reason = match similarity {
        Similarity::Region => "only one has a region",
        Similarity::Position => "at the same position",
        Similarity::Letter => "one letter differs",
    };
    Similar { places: places.map(spelling), reason }
}

fn spelling(PlaceReports { name, statuses }: PlaceReports) -> Spelling {
    let CityName { country, region, city } = &*name;
    let counts = Status::ALL.into_iter().zip(statuses).filter(|(_, count)| *count > 0);
    Spelling {
        country: country.to_string(),
        region: region.to_string(),
        city: city.to_string(),
        statuses: counts
            .map(|(status, reports)| Choice { name: status.as_str().to_owned(), reports })
            .collect(),
    }
}
