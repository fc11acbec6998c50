//! Fields of forms, and the same members in JSON, so that forms and the API have the same rules.

use app::base_url::BaseUrl;
use desk::portal::subscription::Selection;
use domain::{event::EventName, idempotency::IdempotentRequest};
use http::{HeaderMap, request::Parts};
use model::ReportType;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use crate::realm::{Cookie, Realm};

/// Lifetime of the cookie with a typed URL in seconds.
const URL_MAX_AGE: i64 = 600;

/// Names and values of a form or a query.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn parse(encoded: &[u8]) -> Self {
        Self(form_urlencoded::parse(encoded).into_owned().collect())
    }

    /// Parameters of a request.
    pub(super) fn asked(request: &Parts) -> Self {
        Self::parse(request.uri.query().unwrap_or_default().as_bytes())
    }

    /// Value of a field without blanks around it; empty if it is missing.
    pub(super) fn text(&self, name: &str) -> &str {
        let field = self.0.iter().find(|(given, _)| given == name);
        field.map(|(_, value)| value.trim()).unwrap_or_default()
    }

    /// The value of a field, if it has one.
    pub(super) fn given(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.0.iter().filter(move |(given, _)| given == name).map(|(_, value)| value.trim())
    }

    /// Names of the chosen events.
    pub(super) fn events(&self) -> Vec<&str> {
        self.all("event").collect()
    }

    /// The filter, as in a body of the API; empty without one.
    pub(super) fn filter(&self) -> Map<String, Value> {
        let parts = ["country", "region", "city"].into_iter();
        let parts = parts.filter_map(|name| Some((name.to_owned(), json!(self.given(name)?))));
        let types: Vec<_> = self.all("type").collect();
        let types = (!types.is_empty()).then(|| ("types".to_owned(), json!(types)));
        parts.chain(types).collect()
    }

    /// Members of a new subscription.
    pub(super) fn subscription(&self) -> Map<String, Value> {
        let mut members = Map::new();
        members.insert("url".to_owned(), json!(self.text("url")));
        members.insert("events".to_owned(), json!(self.events()));
        let filter = self.filter();
        if !filter.is_empty() {
            members.insert("filter".to_owned(), Value::Object(filter));
        }
        members
    }

    /// Members of a change: all that the form has.
    pub(super) fn change(&self) -> Map<String, Value> {
        let mut members = self.subscription();
        members.entry("filter").or_insert(Value::Null);
        members
    }

    /// Identifies a form that is sent again with the same members.
    pub(super) fn once(&self, members: &Map<String, Value>) -> Option<IdempotentRequest> {
        let members = Value::Object(members.clone()).to_string();
        let same = Sha256::digest(&members);
        let key = format!("{}-{}", self.given("once")?, hex::encode(&same[..8]));
        IdempotentRequest::new(&key, "POST", Realm::Partners.path(), members.as_bytes())
    }

    /// Events and filter as a query. The URL is not in it, because its path may be a secret.
    pub(super) fn selection_query(&self) -> String {
        let names = ["event", "country", "region", "city", "type"];
        let is_one = |name: &str, value: &str| names.contains(&name) && !value.is_empty();
        let fields = self.0.iter().filter(|(name, value)| is_one(name, value));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
    }

    /// Events and filter, as the form shows them.
    pub(super) fn selection(&self) -> Selection {
        let part = |name| self.text(name).to_owned();
        Selection {
            events: self.all("event").map(str::to_owned).collect(),
            country: part("country"),
            region: part("region"),
            city: part("city"),
            types: self.all("type").filter_map(ReportType::from_name).collect(),
        }
    }
}

/// Events that partners can choose.
pub(super) fn known_events() -> Vec<String> {
    EventName::PUBLIC.iter().map(ToString::to_string).collect()
}

/// Cookie with the URL that was typed into a form, for the next page.
pub(super) fn typed_url(url: &str, base_url: &BaseUrl) -> String {
    let encoded: String = form_urlencoded::byte_serialize(url.as_bytes()).collect();
    let seconds = if url.is_empty() { 0 } else { URL_MAX_AGE };
    Realm::Partners.cookie(Cookie::Url, &encoded, seconds, base_url)
}

/// URL that was typed into a form of the previous page.
pub(super) fn url_typed(headers: &HeaderMap, base_url: &BaseUrl) -> Option<String> {
    let encoded = Realm::Partners.values(Cookie::Url, headers, base_url).next()?;
    form_urlencoded::parse(encoded.as_bytes()).next().map(|(url, _)| url.into_owned())
}
