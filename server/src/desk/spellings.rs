//! Places that may be spelled in two ways.

use desk::backend::{Choice, Similar, Spelling, Spellings};
use domain::report::Status;
use kit::words::Words;
use store::{CityName, PlaceReports, SimilarPlaces, Similarity};

use super::{
    desk_session::DeskSession,
    words::correcting::{ONE_HAS_A_REGION, ONE_LETTER, SAME_POSITION},
};
use crate::problem::Result;

/// Maximum number of pairs shown.
const PAIRS: usize = 100;

impl DeskSession {
    pub(super) async fn similar_spellings(&self) -> Result<Spellings> {
        let words = self.words();
        let found = self.store.reports().similar_places().await?;
        Ok(Spellings {
            more: found.len().saturating_sub(PAIRS),
            pairs: found.into_iter().take(PAIRS).map(|pair| similar(&words, pair)).collect(),
            decisions: self.decisions().await?,
        })
    }
}

fn similar(words: &Words, SimilarPlaces { places, similarity }: SimilarPlaces) -> Similar {
    let reason = match similarity {
        Similarity::Region => ONE_HAS_A_REGION,
        Similarity::Position => SAME_POSITION,
        Similarity::Letter => ONE_LETTER,
    };
    Similar { places: places.map(spelling), reason: words.text(reason).to_owned() }
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
