//! Places that may be spelled in two ways, and those of them that people keep apart.

use desk::{
    backend::{Apart, Choice, Similar, Spelling, Spellings},
    model::PlaceNames,
};
use domain::{report::Status, text};
use kit::words::{Word, Words};
use store::{CityName, PlaceReports, PlacesApart, SimilarPlaces, Similarity};

use super::{
    desk_session::DeskSession,
    words::correcting::{
        KEPT_APART, NO_LONGER_APART, NOT_TWO_PLACES, ONE_HAS_A_REGION, ONE_LETTER, PAIRED_AGAIN,
        SAME_POSITION,
    },
};
use crate::problem::{Problem, Result};

/// Maximum number of pairs shown.
const PAIRS: usize = 100;
/// Maximum length of a name in characters, as in imports.
const MAX_NAME: usize = 256;

impl DeskSession {
    pub(super) async fn similar_spellings(&self) -> Result<Spellings> {
        let words = self.words();
        let found = self.store.reports().similar_places().await?;
        Ok(Spellings {
            more: found.len().saturating_sub(PAIRS),
            pairs: found.into_iter().take(PAIRS).map(|pair| similar(&words, pair)).collect(),
            apart: self.store.reports().places_apart().await?.into_iter().map(apart).collect(),
            decisions: self.decisions().await?,
        })
    }

    pub(super) async fn keep_places_apart(&self, places: &[PlaceNames; 2]) -> Result<String> {
        let store = self.moderator()?;
        let places = places.each_ref().map(|PlaceNames { country, region, city }| {
            CityName::of([country.as_str(), region, city])
        });
        match places.iter().all(is_city) && store.reports().keep_apart(&places).await? {
            true => Ok(self.about_pair(KEPT_APART, &places)),
            false => Err(Problem::invalid_parameter(self.words().text(NOT_TWO_PLACES).to_owned())),
        }
    }

    pub(super) async fn pair_places_again(&self, id: i64) -> Result<String> {
        Ok(match self.moderator()?.reports().pair_again(id).await? {
            Some(places) => self.about_pair(PAIRED_AGAIN, &places),
            None => self.words().text(NO_LONGER_APART).to_owned(),
        })
    }

    fn about_pair(&self, word: Word, places: &[CityName; 2]) -> String {
        let [one, other] = places.each_ref().map(CityName::to_string);
        self.words().with_data(word, &[("one", &one), ("other", &other)])
    }
}

/// Whether a report could have this place.
fn is_city(CityName { country, region, city, .. }: &CityName) -> bool {
    let names = [country, region, city];
    !country.is_empty()
        && !city.is_empty()
        && names.iter().all(|name| text::check(name, MAX_NAME).is_ok())
}

fn apart(PlacesApart { id, places, actor, at }: PlacesApart) -> Apart {
    let names = |CityName { country, region, city, .. }: CityName| PlaceNames {
        country: country.to_string(),
        region: region.to_string(),
        city: city.to_string(),
    };
    Apart { id, places: places.map(names), who: actor, at: at.to_string() }
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
    let CityName { country, region, city, .. } = &*name;
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
