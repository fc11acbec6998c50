use desk::portal::{
    form::Form,
    overview::Overview,
    subscription::{Selection, Subscription},
};
use domain::event::EventName;
use http::HeaderMap;
use serde_json::{Map, Value, json};

use super::{
    fields::{Fields, known_events, url_typed},
    visit::PartnersVisit,
};
use crate::{api::v1::webhooks::parsed_filter, problem::Result};

/// Length of the token of a form in characters.
const ONCE_LENGTH: usize = 22;

impl PartnersVisit {
    /// Content of the first page. Its parameters are the key whose use it shows, the events and the filter that the form
    /// tries, and the id of the subscription that it changes.
    pub(super) async fn overview(&self, asked: &Fields, headers: &HeaderMap) -> Result<Overview> {
        let subscriptions = self.subscriptions().await?;
        let changed = subscriptions.iter().find(|one| one.id == asked.text("change"));
        let form = self.form(asked, headers, changed);
        let names = |name: &String| EventName::from_name(name);
        let mut events: Vec<EventName> = form.selection.events.iter().filter_map(names).collect();
        events.retain(|event| EventName::PUBLIC.contains(event));
        // A filter that the form refuses selects everything here.
        let filter = match asked.text("try") {
            "" => changed.map(|one| filter_of(&one.selection)).unwrap_or_default(),
            _ => asked.filter(),
        };
        let filter = parsed_filter(filter).unwrap_or_default();
        let log = self.log(&events, filter.as_ref()).await?;
        let usage = self.usage(asked.text("key")).await?;
        let address = self.address().await?;
        Ok(Overview { usage, subscriptions, address, form, log })
    }

    /// Values of the form: as it was sent, or those of the subscription that it changes.
    fn form(&self, asked: &Fields, headers: &HeaderMap, changed: Option<&Subscription>) -> Form {
        let typed = asked.given("try").and_then(|_| url_typed(headers, &self.visit.base_url));
        let selection = match (asked.given("try"), changed) {
            (Some(_), _) => asked.selection(),
            (None, Some(changed)) => changed.selection.clone(),
            (None, None) => Selection { events: known_events(), ..Selection::default() },
        };
        let url = typed.or_else(|| changed.map(|one| one.url.clone())).unwrap_or_default();
        let changed = changed.map(|one| one.id.clone());
        let once = self.visit.app.random.base62(ONCE_LENGTH);
        Form { changed, url, selection, events: known_events(), once }
    }
}

/// Members of the filter of a subscription.
fn filter_of(selection: &Selection) -> Map<String, Value> {
    let Selection { country, region, city, types, .. } = selection;
    let parts = [("country", country), ("region", region), ("city", city)].into_iter();
    let parts = parts.filter(|(_, value)| !value.is_empty());
    let parts = parts.map(|(name, value)| (name.to_owned(), json!(value)));
    let types = (!types.is_empty()).then(|| ("types".to_owned(), json!(types)));
    parts.chain(types).collect()
}
