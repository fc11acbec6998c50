//! The page `/desk/correct`: new values for many reports. Its query has the reports (the query of a
//! list, ids of selected reports, or a place) and the new values. Without values, the page is a form
//! for them; with values, it shows their effect and has a button to confirm.

mod confirm;
mod form;

use self::{confirm::Confirm, form::Fields};
use super::{
    backend::{CorrectingMany, SharedWork},
    confirm_bulk::{label, shown},
    layout::{DeskQuery, Page},
    model::Item,
};
use crate::{
    isolates::marked,
    words::{
        common::{CITY, COMMA, COUNTRY, DATE_LABEL, LATITUDE, LONGITUDE, PEOPLE, REGION, TYPE},
        correct::{BACK, CORRECT_REPORTS_TITLE, NO_REPORTS, STATUS_COUNT},
        lang, status, t, with,
    },
};
use app::shell::link;
use kit::{html::IntoHtml, number::neutral, words::Word};
use leptos::prelude::*;

/// Fields with new values: parameter, member of a report, and label.
pub const NEW: [(&str, &str, Word); 8] = [
    ("newType", "type", TYPE),
    ("newCity", "city", CITY),
    ("newRegion", "region", REGION),
    ("newCountry", "country", COUNTRY),
    ("newDate", "eventDate", DATE_LABEL),
    ("newPeople", "peopleCount", PEOPLE),
    ("newLat", "lat", LATITUDE),
    ("newLng", "lng", LONGITUDE),
];
/// Parameter with a new year of the date.
pub const NEW_YEAR: &str = "newYear";
/// Parameter that removes the region.
pub const NO_REGION: &str = "noRegion";
/// Parameter that removes the position.
pub const NO_POSITION: &str = "noPosition";
/// Parameters of a place whose reports, of any status, are corrected: country, region and city.
pub const OF_PLACE: [&str; 3] = ["ofCountry", "ofRegion", "ofCity"];
/// Parameter of the ids of selected reports.
pub const IDS: &str = "ids[]";
/// Parameter that is set if the reports are those with the given ids, even if there are none.
pub const SELECTED: &str = "selected";
/// Parameter that shows the form with the values of the query.
pub const EDIT: &str = "edit";

/// The page.
#[component]
pub(super) fn CorrectPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let is_form = !asked.value(EDIT).is_empty();
        let asked = DeskQuery { query: asked.with(EDIT, ""), ..asked };
        let content = match work.correcting(&asked.query).await {
            Ok(correcting) => match correcting.effect.clone().filter(|_| !is_form) {
                Some(effect) => {
                    view! { <Confirm asked=asked correcting=correcting effect=effect /> }
                        .into_html()
                }
                None => view! { <Fields asked=asked correcting=correcting /> }.into_html(),
            },
            Err(user_error) => view! {
                <h1>{t(CORRECT_REPORTS_TITLE)}</h1>
                <p class="trouble" role="alert">{marked(&user_error.0)}</p>
                <p>
                    <a href=link(origin(&asked))>{t(BACK)}</a>
                </p>
            }
            .into_html(),
        };
        view! { <Page title=t(CORRECT_REPORTS_TITLE)>{content}</Page> }
    })
}

/// The reports in words, and the conditions of their list.
#[component]
fn Subjects(asked: DeskQuery, correcting: CorrectingMany) -> impl IntoView {
    let statuses = correcting.statuses.iter().map(|one| status_count(&one.name, one.reports));
    let statuses = match statuses.collect::<Vec<_>>() {
        none if none.is_empty() => t(NO_REPORTS),
        statuses => statuses.join(&t(COMMA)),
    };
    let place = place(&asked);
    let of_place = (!place.is_empty()).then(|| view! { " · " <bdi>{place.clone()}</bdi> });
    let conditions: Vec<_> = pairs(&asked)
        .filter(|(name, _)| is_of_list(name) && !matches!(&**name, "status" | "order" | "limit"))
        .map(|(name, value)| view! { <li><b>{label(&name)}</b> " " <bdi>{shown(&name, &value)}</bdi></li> })
        .collect();
    let conditions = (place.is_empty() && !conditions.is_empty())
        .then(|| view! { <ul class="selected">{conditions}</ul> });
    view! {
        <p>
            <b>{statuses}</b>
            {of_place}
        </p>
        {conditions}
    }
}

/// Number of reports of a status in words.
pub(super) fn status_count(name: &str, reports: u64) -> String {
    let number = neutral(reports, lang());
    with(STATUS_COUNT, &[("status", &status(name)), ("n", &number)])
}

fn pairs(asked: &DeskQuery) -> impl Iterator<Item = (String, String)> + use<> {
    let pairs: Vec<_> = form_urlencoded::parse(asked.query.as_bytes()).into_owned().collect();
    pairs.into_iter()
}

/// Whether a parameter has a new value.
fn is_new(name: &str) -> bool {
    [NEW_YEAR, NO_REGION, NO_POSITION].contains(&name) || NEW.iter().any(|(new, ..)| *new == name)
}

/// Whether a parameter is one of a list.
fn is_of_list(name: &str) -> bool {
    !is_new(name) && !OF_PLACE.contains(&name) && ![IDS, SELECTED, EDIT].contains(&name)
}

/// The place of the query, in words; empty if there is none.
fn place(asked: &DeskQuery) -> String {
    let [country, region, city] = OF_PLACE.map(|name| asked.value(name));
    let parts = [city, region, country].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}

/// The page from which the person came.
pub(super) fn origin(asked: &DeskQuery) -> String {
    if let Some(back) = asked.back.as_ref().filter(|back| !back.is_empty()) {
        return back.clone();
    }
    if !place(asked).is_empty() {
        return "/desk/places".to_owned();
    }
    let mut list = form_urlencoded::Serializer::new(String::new());
    list.extend_pairs(pairs(asked).filter(|(name, _)| is_of_list(name)));
    format!("/desk?{}", list.finish())
}

/// URL of the page that corrects all reports from the place of a report, and then leads back to
/// `page`.
pub(super) fn of_place(item: &Item, page: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(OF_PLACE.into_iter().zip([&item.country, &item.region, &item.city]));
    query.append_pair("back", page);
    link(format!("/desk/correct?{}", query.finish()))
}
