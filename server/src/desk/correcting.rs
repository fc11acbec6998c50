//! Correction of many reports: those of a list, selected ones, or all from a place.

use desk::{
    backend::{Choice, CorrectingMany, Effect, Example, OldValues},
    correct::{EDIT, IDS, NEW, NEW_YEAR, NO_POSITION, NO_REGION, OF_PLACE, SELECTED},
};
use domain::{
    place_filter::PlaceFilter,
    report::{NewReport, Status},
};
use geo::places::{country_key, fold};
use kit::{number::neutral, words::filled};
use serde_json::{Map, Value};
use store::{CorrectedBatch, Selected, Selection, Store, Values};
use url::form_urlencoded;

use super::{
    audit::Words,
    desk_session::DeskSession,
    lists,
    words::{
        correcting::{
            CORRECTED_REPORTS, COULD_NOT_BE_CORRECTED, HAD_THESE_VALUES, NOTHING_SELECTED,
        },
        refusals as reasons_of,
    },
};
use crate::{
    operator::corrections::{Changes, as_row},
    problem::{Problem, Result},
};

/// Maximum number of reports whose present values are listed in the form.
const MAX_LISTED: u64 = 20_000;
/// Maximum number of values listed of each field of the form, and of changes.
const VALUES: usize = 3;
const CHANGES: usize = 10;
/// Maximum number of example reports.
const EXAMPLES: usize = 5;

impl DeskSession {
    /// The reports that a query selects, and the effect of its new values.
    pub(super) async fn correcting_many(&self, query: &str) -> Result<CorrectingMany> {
        let Query { subjects, changes } = self.correction(query)?;
        let store = self.moderator()?;
        let selected = subjects.select(store).await?;
        let is_new = !changes.is_empty();
        let members = match is_new {
            true => changes.members(),
            false if selected.len() <= MAX_LISTED => MEMBERS.to_vec(),
            false => Vec::new(),
        };
        let values = store.reports().values(&selected, &members).await?;
        let statuses = Status::ALL.into_iter().zip(values.statuses).filter(|(_, count)| *count > 0);
        let correcting = CorrectingMany {
            reports: selected.len(),
            statuses: statuses
                .map(|(status, reports)| Choice { name: status.as_str().to_owned(), reports })
                .collect(),
            ..CorrectingMany::default()
        };
        let words = Words::of(&self.app, self.lang);
        if !is_new || selected.is_empty() {
            let current = members.into_iter().map(|name| (name, current(&values, name, &words)));
            return Ok(CorrectingMany { current: current.collect(), ..correcting });
        }
        Ok(match self.effect(store, &selected, &values, &changes).await? {
            effect if effect.corrected + effect.unchanged == 0 => {
                CorrectingMany { refusal: Some(effect.refusal), ..correcting }
            }
            effect => CorrectingMany { effect: Some(effect), ..correcting },
        })
    }

    /// Effect of changes on reports with these values. A correction is checked member by member, so
    /// the reports with the same values of the changed members are checked once.
    async fn effect(
        &self,
        store: &Store,
        selected: &Selected,
        values: &Values,
        changes: &Changes,
    ) -> Result<Effect> {
        let words = Words::of(&self.app, self.lang);
        let examples = store.reports().examples(selected, EXAMPLES).await?;
        let mut effect = Effect { token: token(values), ..Effect::default() };
        let row = examples.first().map(as_row).unwrap_or_default();
        let new = |was: &Map<String, Value>| {
            let mut row = row.clone();
            row.extend(was.clone());
            changes.of_row(row, &self.app.clock).map(|after| as_row(&after))
        };
        // Most new values do not depend on the present ones, of which there may be thousands.
        let first = values.groups.first().filter(|_| changes.is_constant());
        let constant = first.map(|(was, _)| new(was));
        for (was, reports) in &values.groups {
            match constant.clone().unwrap_or_else(|| new(was)) {
                Err(refusals) => {
                    if effect.refused == 0 {
                        effect.refusal = [&*reasons_of(&self.words(), &refusals), "."].concat();
                    }
                    effect.refused += reports;
                }
                Ok(after) => match words.difference(was, &after) {
                    change if change.is_empty() => effect.unchanged += reports,
                    change => {
                        effect.corrected += reports;
                        match effect.changes.len() < CHANGES {
                            true => effect.changes.push((change, *reports)),
                            false => effect.more_changes += 1,
                        }
                    }
                },
            }
        }
        let examples = examples.iter().map(|report| {
            let after = changes.of(report, &self.app.clock);
            let changes = after.map(|after| words.difference(&as_row(report), &as_row(&after)));
            Example { id: report.id.to_string(), changes: changes.unwrap_or_default() }
        });
        effect.examples = examples.collect();
        Ok(effect)
    }

    /// Corrects the reports that a query selects; returns the result as a sentence, or `None` if they
    /// are no longer the confirmed ones.
    pub(super) async fn correct_selected(
        &self,
        query: &str,
        confirmed: &str,
    ) -> Result<Option<String>> {
        let Query { subjects, changes } = self.correction(query)?;
        let store = self.moderator()?;
        let mut selected = subjects.select(store).await?;
        let values = store.reports().values(&selected, &changes.members()).await?;
        if token(&values) != confirmed {
            return Ok(None);
        }
        let clock = &self.app.clock;
        let mut batches =
            store.reports().corrections(|report: &NewReport| changes.of(report, clock));
        let mut all = CorrectedBatch { corrected: 0, unchanged: 0, refused: Vec::new() };
        let mut refused = 0;
        while !selected.is_empty() {
            let batch = batches.next_batch(&mut selected).await?;
            all.corrected += batch.corrected;
            all.unchanged += batch.unchanged;
            refused += batch.refused.len() as u64;
            all.refused.extend(batch.refused.into_iter().take(1));
        }
        let words = self.words();
        let mut sentences = vec![words.sentence(CORRECTED_REPORTS, all.corrected)];
        if all.unchanged > 0 {
            sentences.push(words.sentence(HAD_THESE_VALUES, all.unchanged));
        }
        if let Some(refusals) = all.refused.first() {
            let number = neutral(refused, words.lang);
            let reasons = reasons_of(&words, refusals);
            let values = [("n", &*number), ("reason", &*reasons)];
            sentences.push(filled(words.form(COULD_NOT_BE_CORRECTED, refused), &values));
        }
        Ok(Some(sentences.join(" ")))
    }

    /// Reads a query. Nothing is corrected if nothing is selected.
    fn correction(&self, query: &str) -> Result<Query> {
        match Query::of(query)? {
            Query { subjects: Subjects::Ids(ids), .. } if ids.is_empty() => {
                Err(Problem::invalid_parameter(self.words().text(NOTHING_SELECTED).to_owned()))
            }
            query => Ok(query),
        }
    }
}

/// Members that can be corrected, except positions, whose values are not listed.
const MEMBERS: [&str; 6] = ["type", "city", "region", "country", "peopleCount", "eventDate"];

/// Query of a correction.
struct Query {
    subjects: Subjects,
    changes: Changes,
}

/// Reports to be corrected.
enum Subjects {
    List(Selection),
    Ids(Vec<String>),
}

impl Query {
    fn of(query: &str) -> Result<Self> {
        let (mut ids, mut place, mut changes) = (Vec::new(), Map::new(), Changes::default());
        let mut is_selection = false;
        let mut list = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let member = NEW.iter().find(|(new, ..)| *new == name).map(|(_, member, _)| *member);
            match (&*name, member) {
                (_, Some(member)) => {
                    changes.members.insert(member.to_owned(), value_of(member, value));
                }
                (NEW_YEAR, _) => changes.year = Some(value.to_owned()),
                (NO_REGION, _) => _ = changes.members.insert("region".to_owned(), Value::Null),
                (NO_POSITION, _) => {
                    for member in ["lat", "lng"] {
                        changes.members.insert(member.to_owned(), Value::Null);
                    }
                }
                (IDS, _) => ids.push(value.to_owned()),
                (SELECTED, _) => is_selection = true,
                (of, _) if OF_PLACE.contains(&of) => {
                    place.insert(of.to_owned(), Value::from(value));
                }
                // Other fields of the list's form.
                ("reason" | "note" | "after" | EDIT, _) => {}
                _ => _ = list.append_pair(&name, value),
            }
        }
        let subjects = if is_selection || !ids.is_empty() {
            Subjects::Ids(ids)
        } else if !place.is_empty() {
            let [country, region, city] =
                OF_PLACE.map(|name| place.get(name).and_then(Value::as_str).unwrap_or_default());
            let (country, region, city) = (country_key(country), fold(region), fold(city));
            let (country, region, city) = (Some(country), Some(region), Some(city));
            let place = PlaceFilter { country, region, city };
            Subjects::List(Selection { place, ..Selection::default() })
        } else {
            Subjects::List(lists::list(&list.finish())?.1.selection)
        };
        Ok(Self { subjects, changes })
    }
}

impl Subjects {
    async fn select(&self, store: &Store) -> Result<Selected> {
        let reports = store.reports();
        Ok(match self {
            Subjects::List(selection) => reports.select_list(selection).await?,
            Subjects::Ids(ids) => reports.select_ids(ids).await?,
        })
    }
}

impl Changes {
    fn is_empty(&self) -> bool {
        self.members.is_empty() && self.year.is_none()
    }

    /// Whether the new values do not depend on the present ones.
    fn is_constant(&self) -> bool {
        let [lat, lng] = ["lat", "lng"].map(|member| self.members.contains_key(member));
        self.year.is_none() && lat == lng
    }

    /// The members that may change.
    fn members(&self) -> Vec<&'static str> {
        let all = MEMBERS.into_iter().chain(["lat", "lng"]);
        let is_changed = |member: &&str| match *member {
            "eventDate" if self.year.is_some() => true,
            // A coordinate is only valid with the other one.
            "lat" | "lng" => ["lat", "lng"].iter().any(|one| self.members.contains_key(*one)),
            member => self.members.contains_key(member),
        };
        all.filter(is_changed).collect()
    }
}

/// Value of a member as in the row of an import.
fn value_of(member: &str, text: &str) -> Value {
    let is_number = matches!(member, "peopleCount" | "lat" | "lng");
    let number = text.parse::<Value>().ok().filter(|value| is_number && value.is_number());
    number.unwrap_or_else(|| Value::from(text))
}

fn token(values: &Values) -> String {
    format!("{:x}", values.digest)
}

/// The most frequent values of a member.
fn current(values: &Values, member: &str, words: &Words) -> OldValues {
    let mut counts = Vec::<Choice>::new();
    let mut places = std::collections::HashMap::new();
    for (value, reports) in &values.groups {
        let name = words.value(member, value.get(member).unwrap_or(&Value::Null));
        let place = *places.entry(name.clone()).or_insert(counts.len());
        match counts.get_mut(place) {
            Some(choice) => choice.reports += reports,
            None => counts.push(Choice { name, reports: *reports }),
        }
    }
    counts.sort_by_key(|choice| std::cmp::Reverse(choice.reports));
    let mut current = OldValues::default();
    counts.into_iter().for_each(|choice| add(&mut current, VALUES, choice));
    current
}

fn add(values: &mut OldValues, most: usize, choice: Choice) {
    match values.values.len() < most {
        true => values.values.push(choice),
        false => values.more += 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_query_has_the_reports_and_their_new_values() {
        let query = "city=Sao+Paolo&country=BR&newCity=S%C3%A3o+Paulo&newPeople=12&newYear=2025&noPosition=1\
                     &newRegion=";
        let Query { subjects, changes } = Query::of(query).unwrap();
        let Subjects::List(selection) = subjects else { panic!("not a list") };
        assert_eq!(selection.status, Some(Status::Pending));
        assert_eq!(selection.place, PlaceFilter::new(Some("Brazil"), None, Some("sao paolo")));
        let members = json!({ "city": "São Paulo", "peopleCount": 12, "lat": null, "lng": null });
        assert_eq!(Value::from(changes.members.clone()), members);
        assert_eq!(changes.members(), ["city", "peopleCount", "eventDate", "lat", "lng"]);
        let Query { subjects, .. } =
            Query::of("ids%5B%5D=r-1&ids[]=r-2&selected=1&reason=x&note=").unwrap();
        assert!(matches!(subjects, Subjects::Ids(ids) if ids == ["r-1", "r-2"]));
        let Query { subjects, .. } = Query::of("selected=1&status=APPROVED").unwrap();
        assert!(matches!(subjects, Subjects::Ids(ids) if ids.is_empty()));
        assert!(Query::of("from=yesterday").is_err());
    }

    #[test]
    fn a_place_is_exact_even_without_a_region() {
        let Query { subjects, changes } = Query::of("ofCountry=Brasil&ofCity=Sao+Paolo").unwrap();
        let Subjects::List(Selection { status: None, place, .. }) = subjects else {
            panic!("not a list of all statuses")
        };
        let part = |text: &str| Some(text.to_owned());
        let [country, region, city] = ["BR", "", "sao paolo"].map(part);
        assert_eq!(place, PlaceFilter { country, region, city });
        assert!(changes.is_empty());
    }
}
