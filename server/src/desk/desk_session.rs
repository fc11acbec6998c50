//! The signed-in person of a request, and the store that acts in that person's name.

use app::base_url::BaseUrl;
use desk::{
    backend::{
        self, Access, Audit, AuditLine, Audited, Beside, CorrectingMany, Counted, DeskBackend,
        Done, Import, List, Moderated, Notice, Overview, Person, Spellings, Subscription,
        UserError, View,
    },
    model::{Correction, Item, Outcome, PlaceNames, Position, Queue, Refused, Verdict},
};
use domain::{import_id::ImportId, report::Status, scope::Scope};
use http::{HeaderValue, header, request::Parts};
use kit::lang::Lang;
use leptos::prelude::use_context;
use leptos_axum::{ResponseOptions, redirect};
use model::{Interval, Series};
use serde_json::{Map, Value, json};
use store::{self, AuditQuery, Corrected, ListedImport, ListedReport, StatusCounts, Store};

use super::{
    audit::Words,
    beside, duplicates,
    functions::is_form,
    overview, problems, refused,
    words::{
        deciding::NOTHING_CHANGED,
        problems::{NEEDS_ADMIN, NEEDS_MODERATE, NO_VALID_KEY},
        refusals as reasons_of,
    },
};
use crate::{
    operator::{corrections, decisions},
    problem::{Problem, Result},
    realm::{
        Realm, csrf, language, notice,
        session::{self, Token},
        sign_in,
    },
    state::AppState,
};

/// Maximum number of imports listed.
const IMPORTS: u32 = 100;
/// Maximum number of reports whose outcomes are read at once, several pages of the queue.
const MAX_OUTCOMES: usize = 200;
/// Maximum number of entries in the history of a report.
const HISTORY: u32 = 100;

/// See the [module](self).
pub(super) struct DeskSession {
    pub(super) app: AppState,
    /// Store that acts in the name of the signed-in person.
    pub(super) store: Store,
    pub(super) person: Person,
    pub(super) token: Option<Token>,
    /// Language of the pages and messages.
    pub(super) lang: Lang,
    /// Address of the browser.
    origin: String,
    base_url: BaseUrl,
    is_form: bool,
}

impl DeskSession {
    /// Session of the person who sends the request; without a person if nobody is signed in.
    pub(super) async fn of(app: &AppState, request: &Parts, base_url: BaseUrl) -> Result<Self> {
        let mut session = Self {
            app: app.clone(),
            store: app.store.clone(),
            person: Person::default(),
            token: None,
            lang: language::of(Realm::Desk, &request.headers, &base_url),
            origin: sign_in::origin(app, request),
            base_url,
            is_form: is_form(&request.headers),
        };
        let found = session::of(app, Realm::Desk, request, &session.base_url).await?;
        if let Some((token, stored)) = found {
            session.store = session.store.acting(sign_in::actor(&stored, &session.origin));
            session.token = Some(token);
            session.person = Person {
                name: stored.holder,
                may_decide: stored.scope >= Some(Scope::Moderate),
                may_administer: stored.scope >= Some(Scope::Admin),
            };
        }
        Ok(session)
    }

    /// Session of the person who sends a form. Only pages of the desk may send forms.
    pub(super) async fn of_form(
        app: &AppState,
        request: &Parts,
        base_url: BaseUrl,
    ) -> Result<Self> {
        csrf::check_own(Realm::Desk, &request.headers, &base_url)?;
        Self::of(app, request, base_url).await
    }

    /// Texts in the person's language.
    pub(super) fn words(&self) -> kit::words::Words {
        kit::words::Words::all(self.lang)
    }

    /// Name of the person; empty if nobody is signed in.
    pub(super) fn holder(&self) -> &str {
        &self.person.name
    }

    /// Whether somebody is signed in.
    pub(super) fn is_taken(&self) -> bool {
        self.token.is_some()
    }

    pub(super) fn moderator(&self) -> Result<&Store> {
        let scopes = [("read", "read"), ("moderate", "moderate")];
        match self.person.may_decide {
            true => Ok(&self.store),
            false => Err(Problem::forbidden(self.words().with_data(NEEDS_MODERATE, &scopes))),
        }
    }

    pub(super) fn administrator(&self) -> Result<&Store> {
        match self.person.may_administer {
            true => Ok(&self.store),
            false => {
                let scope = [("admin", "admin")];
                Err(Problem::forbidden(self.words().with_data(NEEDS_ADMIN, &scope)))
            }
        }
    }

    async fn outcomes_of(&self, status: &str, ids: &[String]) -> Result<Vec<Refused>> {
        let status = Status::from_name(status).unwrap_or(Status::Pending);
        let mut outcomes = Vec::new();
        for id in ids.iter().take(MAX_OUTCOMES) {
            if let Some(outcome) = decisions::outcome(&self.store, status, id).await? {
                outcomes.push(Refused { id: id.clone(), reason: self.outcome(&outcome) });
            }
        }
        Ok(outcomes)
    }

    pub(super) async fn items(&self, reports: Vec<ListedReport>) -> Result<Vec<Item>> {
        let duplicates = self.store.reports().duplicates(&reports).await?;
        let mut sources = self.store.reports().sources(&reports).await?;
        let words = self.words();
        Ok(reports
            .into_iter()
            .zip(duplicates)
            .map(|(report, duplicates)| {
                let source = sources.remove(&report.seq);
                let source = source.map(|source| beside::shown(source).in_words(&words));
                Item { source: source.unwrap_or_default(), ..item(&words, report, duplicates) }
            })
            .collect())
    }

    async fn one(&self, id: &str) -> Result<Option<(Item, Vec<AuditLine>)>> {
        let Some((report, _)) = self.store.reports().find(id).await? else { return Ok(None) };
        let query =
            AuditQuery { report: Some(id.to_owned()), limit: HISTORY, ..AuditQuery::default() };
        let (entries, words) = (
            self.store.audit_log().entries(&query).await?.entries,
            Words::of(&self.app, self.lang),
        );
        let deeds = entries.into_iter().map(|entry| words.line(entry)).collect();
        let item = self.items(vec![report]).await?.pop();
        Ok(item.map(|item| (item, deeds)))
    }

    async fn one_import(&self, id: &str) -> Result<Option<(Import, Option<backend::Result>)>> {
        let Ok(id) = id.parse::<ImportId>() else { return Ok(None) };
        let Some(found) = self.store.reports().import_of(id).await? else { return Ok(None) };
        let result = self.store.reports().import_result(id).await?;
        let words = self.words();
        let result = result.map(|result| refused::shown(&words, result)).transpose()?;
        Ok(Some((import(found), result)))
    }

    async fn correct_one(&self, id: &str, correction: Correction) -> Result<()> {
        let changes = members(correction);
        match corrections::correct(self.moderator()?, id, &changes, &self.app.clock).await? {
            Corrected::Now | Corrected::Unchanged => Ok(()),
            Corrected::Unknown => Err(Problem::not_found("There is no report with this id.")),
            Corrected::Refused(refusals) => {
                let words = self.words();
                let reasons = reasons_of(&words, &refusals);
                let detail = words.with(NOTHING_CHANGED, &[("reasons", &reasons)]);
                Err(Problem::invalid_parameter(detail))
            }
        }
    }

    async fn begin(&self, key: &str) -> Result<()> {
        let begun = sign_in::begin(&self.app, Realm::Desk, key, &self.origin, &self.base_url);
        let Some(cookie) = begun.await? else {
            return Err(Problem::unauthenticated(self.text(NO_VALID_KEY)));
        };
        set_cookie(&cookie);
        Ok(())
    }

    async fn leave(&self) -> Result<()> {
        let token = self.token.as_ref();
        let cookie = sign_in::end(&self.store, Realm::Desk, token, &self.base_url).await?;
        set_cookie(&cookie);
        Ok(())
    }
}

impl DeskBackend for DeskSession {
    fn person(&self) -> &Person {
        &self.person
    }

    fn list<'a>(&'a self, query: &'a str) -> Done<'a, List> {
        Box::pin(async { self.list_page(query).await.map_err(user_error) })
    }

    fn queue<'a>(&'a self, query: &'a str) -> Done<'a, Queue> {
        Box::pin(async { self.queue_page(query).await.map_err(user_error) })
    }

    fn views(&self) -> Done<'_, Vec<View>> {
        Box::pin(async { self.saved_views().await.map_err(user_error) })
    }

    fn save_view<'a>(&'a self, name: &'a str, query: &'a str) -> Done<'a, String> {
        Box::pin(async { self.save_list(name, query).await.map_err(user_error) })
    }

    fn remove_view<'a>(&'a self, name: &'a str) -> Done<'a, ()> {
        Box::pin(async { self.remove_list(name).await.map_err(user_error) })
    }

    fn version<'a>(&'a self, current: &'a str) -> Done<'a, String> {
        Box::pin(async { self.version_at(current).await.map_err(user_error) })
    }

    fn outcomes<'a>(&'a self, status: &'a str, ids: &'a [String]) -> Done<'a, Vec<Refused>> {
        Box::pin(async { self.outcomes_of(status, ids).await.map_err(user_error) })
    }

    fn report<'a>(&'a self, id: &'a str) -> Done<'a, Option<(Item, Vec<AuditLine>)>> {
        Box::pin(async { self.one(id).await.map_err(user_error) })
    }

    fn beside<'a>(&'a self, id: &'a str, list: Option<&'a str>) -> Done<'a, Beside> {
        Box::pin(async move { self.beside_report(id, list).await.map_err(user_error) })
    }

    fn correct<'a>(&'a self, id: &'a str, correction: Correction) -> Done<'a, ()> {
        Box::pin(async move { self.correct_one(id, correction).await.map_err(user_error) })
    }

    fn correcting<'a>(&'a self, query: &'a str) -> Done<'a, CorrectingMany> {
        Box::pin(async { self.correcting_many(query).await.map_err(user_error) })
    }

    fn correct_many<'a>(&'a self, query: &'a str, confirmed: &'a str) -> Done<'a, Option<String>> {
        Box::pin(async { self.correct_selected(query, confirmed).await.map_err(user_error) })
    }

    fn spellings(&self) -> Done<'_, Spellings> {
        Box::pin(async { self.similar_spellings().await.map_err(user_error) })
    }

    fn keep_apart<'a>(&'a self, places: &'a [PlaceNames; 2]) -> Done<'a, String> {
        Box::pin(async { self.keep_places_apart(places).await.map_err(user_error) })
    }

    fn pair_again(&self, id: i64) -> Done<'_, String> {
        Box::pin(async move { self.pair_places_again(id).await.map_err(user_error) })
    }

    fn reasons(&self) -> Vec<String> {
        self.app.settings.reject_reasons.iter().map(ToString::to_string).collect()
    }

    fn decide<'a>(
        &'a self,
        verdict: Verdict,
        ids: &'a [String],
        reason: &'a str,
    ) -> Done<'a, Outcome> {
        Box::pin(async move { self.decide_on(verdict, ids, reason).await.map_err(user_error) })
    }

    fn count<'a>(&'a self, verdict: Verdict, query: &'a str) -> Done<'a, Counted> {
        Box::pin(async move { self.counted(verdict, query).await.map_err(user_error) })
    }

    fn imports(&self) -> Done<'_, Vec<Import>> {
        Box::pin(async {
            let imports = self.store.reports().imports(IMPORTS).await;
            Ok(imports.map_err(|error| user_error(error.into()))?.into_iter().map(import).collect())
        })
    }

    fn import<'a>(&'a self, id: &'a str) -> Done<'a, Option<(Import, Option<backend::Result>)>> {
        Box::pin(async { self.one_import(id).await.map_err(user_error) })
    }

    fn audit<'a>(&'a self, query: &'a str) -> Done<'a, Audit> {
        Box::pin(async { self.audit_page(query).await.map_err(user_error) })
    }

    fn audited<'a>(&'a self, id: &'a str, after: &'a str) -> Done<'a, Option<Audited>> {
        Box::pin(async { self.audited_reports(id, after).await.map_err(user_error) })
    }

    fn moderated(&self) -> Done<'_, Vec<Moderated>> {
        Box::pin(async { self.moderated_by_day().await.map_err(user_error) })
    }

    fn preview<'a>(
        &'a self,
        id: &'a str,
        choices: &'a str,
    ) -> Done<'a, Option<desk::preview::Preview>> {
        Box::pin(async move { self.preview_of(id, choices).await.map_err(user_error) })
    }

    fn import_upload<'a>(
        &'a self,
        id: &'a str,
        choices: &'a str,
        approve: bool,
    ) -> Done<'a, String> {
        Box::pin(
            async move { self.import_uploaded(id, choices, approve).await.map_err(user_error) },
        )
    }

    fn overview(&self) -> Done<'_, Overview> {
        Box::pin(async {
            overview::of(&self.app, &self.store, self.lang).await.map_err(user_error)
        })
    }

    fn access(&self) -> Done<'_, Access> {
        Box::pin(async { self.who_can_get_in().await.map_err(user_error) })
    }

    fn revoke<'a>(&'a self, prefix: &'a str) -> Done<'a, String> {
        Box::pin(async { self.revoke_key(prefix).await.map_err(user_error) })
    }

    fn end_session<'a>(&'a self, id: &'a str) -> Done<'a, String> {
        Box::pin(async { self.sign_out_other(id).await.map_err(user_error) })
    }

    fn subscriptions(&self) -> Done<'_, Vec<Subscription>> {
        Box::pin(async {
            overview::subscriptions(&self.store, self.lang).await.map_err(user_error)
        })
    }

    fn enable<'a>(&'a self, id: &'a str) -> Done<'a, String> {
        Box::pin(async { self.enable_webhook(id).await.map_err(user_error) })
    }

    fn disable<'a>(&'a self, id: &'a str, reason: &'a str) -> Done<'a, String> {
        Box::pin(async { self.disable_webhook(id, reason).await.map_err(user_error) })
    }

    fn test<'a>(&'a self, id: &'a str) -> Done<'a, String> {
        Box::pin(async { self.test_webhook(id).await.map_err(user_error) })
    }

    fn over_time(&self, interval: Interval) -> Done<'_, Series> {
        Box::pin(async move { overview::over_time(&self.app, interval).await.map_err(user_error) })
    }

    fn decide_on_all<'a>(
        &'a self,
        verdict: Verdict,
        query: &'a str,
        confirmed: &'a str,
        reason: &'a str,
    ) -> Done<'a, Option<u64>> {
        Box::pin(async move {
            let decided = self.decide_on_selected(verdict, query, confirmed, reason).await;
            decided.map_err(user_error)
        })
    }

    fn undo(&self, entry: i64) -> Done<'_, String> {
        Box::pin(async move { self.take_back(entry).await.map_err(user_error) })
    }

    fn sign_in<'a>(&'a self, key: &'a str) -> Done<'a, ()> {
        Box::pin(async { self.begin(key).await.map_err(user_error) })
    }

    fn sign_out(&self) -> Done<'_, ()> {
        Box::pin(async { self.leave().await.map_err(user_error) })
    }

    fn lead_to(&self, path: &str) {
        if self.is_form && path.bytes().all(|byte| byte.is_ascii_graphic()) {
            redirect(&self.base_url.link(path));
        }
    }

    fn lead_with(&self, path: &str, notice: Notice) {
        if self.is_form {
            set_cookie(&notice::cookie_of(Realm::Desk, &notice, &self.base_url));
        }
        self.lead_to(path);
    }
}

/// The correction as members of an import row. Values that are not numbers are left unchanged, and
/// the import refuses them.
fn members(correction: Correction) -> Map<String, Value> {
    let number = |text: String| text.trim().parse::<Value>().ok().filter(Value::is_number);
    let coordinate = |text: String| match text.trim() {
        "" => Value::Null,
        _ => number(text.clone()).unwrap_or(Value::String(text)),
    };
    let people = correction.people;
    let members = [
        ("type", json!(correction.kind)),
        ("city", json!(correction.city)),
        ("region", json!(correction.region)),
        ("country", json!(correction.country)),
        ("peopleCount", number(people.clone()).unwrap_or(Value::String(people))),
        ("eventDate", json!(correction.event_date)),
        ("lat", coordinate(correction.lat)),
        ("lng", coordinate(correction.lng)),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn set_cookie(cookie: &str) {
    let value = HeaderValue::from_str(cookie);
    if let (Some(response), Ok(value)) = (use_context::<ResponseOptions>(), value) {
        response.append_header(header::SET_COOKIE, value);
    }
}

pub(super) fn item(
    words: &kit::words::Words,
    report: ListedReport,
    duplicates: Vec<store::PossibleDuplicate>,
) -> Item {
    let (duplicates, more_duplicates) = duplicates::shown(words, &report, duplicates);
    Item {
        kind: report.kind,
        status: report.status.as_str().to_owned(),
        people: u32::try_from(report.people_count).unwrap_or(u32::MAX),
        position: report.position.map(|position| Position { lat: position.lat, lng: position.lng }),
        duplicates,
        more_duplicates,
        id: report.id,
        city: report.city,
        region: report.region,
        country: report.country,
        event_date: report.event_date,
        created_at: report.created_at.to_string(),
        source: String::new(),
    }
}

fn import(import: ListedImport) -> Import {
    let StatusCounts { pending, approved, rejected, withdrawn } = import.reports;
    Import {
        id: import.id.to_string(),
        at: import.created_at.to_string(),
        file: import.file,
        pending,
        approved,
        rejected,
        withdrawn,
    }
}

/// The error for the person, with the status of the response. Internal causes are only logged.
fn user_error(problem: Problem) -> UserError {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(problem.0.kind.status);
    }
    if let Some(cause) = &problem.0.cause {
        tracing::error!(%cause, "the desk could not complete the action");
    }
    UserError(problems::detail(&problem, use_context().unwrap_or_default()))
}
