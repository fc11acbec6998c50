//! The widget with the form for reports from the public. Its document has a token for one visitor, so it is rendered
//! for each request, and no cache may keep it.

use app::{page_data::ReportForm, request::PageRequest, widgets::registry::FORM};
use axum::{
    extract::{Request, State},
    response::Response,
};
use base::{clock::Clock, random::Random};
use edge::{gate, representation::Representation};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::{Pages, complete};
use crate::{
    api::{body::media_type, check_options},
    base_url::ReachedAt,
    intake::{Content, Intake, NotReceived, Proof, Sender},
    problem::{Code, Problem, Result},
    site::visitors::Visitor,
};

/// Fields of the report, named as in the API.
const OF_REPORT: [&str; 5] = ["type", "city", "country", "peopleCount", "eventDate"];

/// Whether the request is for the widget with the form.
pub(super) fn is_for(request: &PageRequest) -> bool {
    request.kind == app::request::PageKind::Widget && request.embed.widget == FORM
}

/// Returns an empty form for a request, if it is for the form and the service takes reports.
pub(super) async fn blank(pages: &Pages, request: &PageRequest) -> Result<Option<ReportForm>> {
    let intake = &pages.sources().intake;
    match is_for(request) && intake.is_on() {
        true => Ok(Some(intake.form().await?)),
        false => Ok(None),
    }
}

/// Response with a document for one visitor.
pub(super) fn unstored(document: &Representation, request: &HeaderMap) -> Response {
    let mut request = request.clone();
    request.remove(header::IF_NONE_MATCH);
    let mut response = document.respond(&request);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.remove(header::ETAG);
    response
}

/// `POST /embed/report`: a form that was sent without scripts. The response is the widget, with thanks or with what is
/// wrong.
pub(crate) async fn sent(
    State(pages): State<Pages>,
    State(intake): State<Intake>,
    request: Request,
) -> Result<Response> {
    intake.check_on()?;
    let (parts, body) = request.into_parts();
    if !media_type(&parts.headers).eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(Problem::unsupported_media_type(
            "Send the form of the page, or use the API: POST /api/v1/reports.",
        ));
    }
    let reached = ReachedAt::of(&pages.base_urls, &parts);
    let accepted = parts.headers.get(header::ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
    let base_url = reached.base_url.clone();
    let Some(page) = PageRequest::new(path, query, accepted, base_url) else {
        return Err(super::nothing_at(path));
    };
    check_options(query, &[])?;
    let visitor = Visitor::of(&pages.visitors, &parts);
    let body = gate::whole(body).await?;
    let values: Vec<_> = form_urlencoded::parse(&body).into_owned().collect();
    let sender = Sender::Network(intake.network(&parts.extensions, &parts.headers));
    let (content, token) = content(&values);
    let received = intake.receive(&content, &sender, Proof::Form(token)).await;
    let mut form = ReportForm { values, ..intake.form().await? };
    let (mut status, mut retry_after) = (StatusCode::OK, None);
    match received {
        Ok(id) => form.sent = id,
        Err(NotReceived::Invalid(faults)) => {
            status = Code::InvalidReport.status();
            let names = faults.iter().filter_map(|fault| fault.pointer.as_deref());
            form.faults = names.map(|pointer| pointer[1..].to_owned()).collect();
            if form.faults.is_empty() {
                form.problem = Code::InvalidReport.as_str().to_owned();
            }
        }
        Err(reason) => {
            let problem = Problem::from(reason);
            if problem.0.kind.status.is_server_error() {
                return Err(problem);
            }
            (status, form.problem) = (problem.0.kind.status, problem.0.kind.code.to_owned());
            retry_after = problem.0.retry_after;
        }
    }
    let document = pages.form(page.clone(), &visitor, form).await?;
    let mut response = complete(&pages, &page, &reached, unstored(&document, &parts.headers));
    *response.status_mut() = status;
    if let Some(wait) = retry_after {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    Ok(response)
}

/// Returns the content and the token of a form. Empty fields are left out, like members of the API.
fn content(values: &[(String, String)]) -> (Content, String) {
    let value = |name: &str| {
        let value = values.iter().find(|(field, _)| field == name);
        value.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let row = OF_REPORT.iter().map(|name| ((*name).to_owned(), value(name)));
    let row = row.filter(|(_, value)| !value.trim().is_empty());
    let content = Content {
        row: row.map(|(name, value)| (name, Value::String(value))).collect::<Map<_, _>>(),
        note: value("note"),
        contact: value("contact"),
        website: value("website"),
    };
    (content, value("token"))
}

impl Intake {
    /// Returns an empty form with a new token.
    async fn form(&self) -> store::Result<ReportForm> {
        let (clock, random): (&Clock, &Random) = self.time_and_randomness();
        let token = self.key().await?.form(clock.now(), random);
        Ok(ReportForm { token, today: clock.today().to_string(), ..ReportForm::default() })
    }
}
